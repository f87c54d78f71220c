import { feature, HOUR_MS } from '../../feature.ts'
import { purgeExpiredEvents } from './forget-events.ts'
import { syncEndpoints } from './sync-endpoints.ts'
import { userEvents } from './user-deletion.ts'

export const sync = feature('sync', {
  endpoints: syncEndpoints,
  maintenance: [{ everyMs: HOUR_MS, run: purgeExpiredEvents }],
  userDeletion: { stages: { events: userEvents } },
})
