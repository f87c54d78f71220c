import { feature } from '../../feature.ts'
import { deviceEndpoints } from './device-endpoints.ts'
import { addDevice, devicesOfUsers } from './own-devices.ts'
import { deletePreferencesIn, ownPreferences, preferencesIn } from './push-preferences.ts'
import { pushNotifications, putNameless } from './push-settings.ts'

export const devices = feature('devices', {
  endpoints: deviceEndpoints,
  apps: { shown: (app) => ({ push_notifications: pushNotifications(app) }), update: putNameless },
  channels: { own: { table: 'push_preferences', read: preferencesIn }, erase: deletePreferencesIn },
  // A missing push provider does not keep a user from connecting.
  connect: async (server, user, { device }) => device && addDevice(server, user, device),
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
