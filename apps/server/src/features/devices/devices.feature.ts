import { feature } from '../../feature.ts'
import { deviceEndpoints } from './device-endpoints.ts'
import { devicesOfUsers } from './own-devices.ts'
import { deletePreferencesIn, ownPreferences, preferencesIn } from './push-preferences.ts'
import { pushNotifications, putNameless } from './push-settings.ts'

export const devices = feature('devices', {
  endpoints: deviceEndpoints,
  apps: { shown: (app) => ({ push_notifications: pushNotifications(app) }), update: putNameless },
  channels: { own: { table: 'push_preferences', read: preferencesIn }, erase: deletePreferencesIn },
  users: [
    {
      table: 'devices',
      absent: { devices: [] },
      async read(server, app, ids, db) {
        const devices = await devicesOfUsers(server, app, ids, db)
        return (id) => ({ devices: devices(id) })
      },
    },
    { table: 'push_preferences', absent: {}, isPrivate: true, read: ownPreferences },
  ],
})
