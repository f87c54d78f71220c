import { feature } from '../../feature.ts'
import { readEndpoints } from './read-endpoints.ts'
import { remindOfUnread } from './remind-of-unread.ts'

export const reads = feature('reads', {
  endpoints: readEndpoints,
  scheduledJobs: [remindOfUnread],
})
