import { feature, HOUR_MS } from '../../feature.ts'
import { forgetSaidPage, purgeExpiredEvents } from './forget-events.ts'
import { syncEndpoints } from './sync-endpoints.ts'
import { userEvents } from './user-deletion.ts'

export const sync = feature('sync', {
  endpoints: syncEndpoints,
  maintenance: [{ everyMs: HOUR_MS, run: purgeExpiredEvents }],
  messages: { erasePage: forgetSaidPage },
  userDeletion: { stages: { events: userEvents } },
})
