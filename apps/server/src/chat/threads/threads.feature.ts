import { feature } from '../../feature.ts'
import { threadEndpoints } from './thread-endpoints.ts'
import { unreadThreadsOf } from './thread-totals.ts'

export const threads = feature('threads', {
  endpoints: threadEndpoints,
  users: [{ table: 'thread_participants', absent: { unread_threads: 0 }, read: unreadThreadsOf }],
})
