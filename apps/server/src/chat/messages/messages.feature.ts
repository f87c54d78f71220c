import { feature } from '../../feature.ts'
import { erasingMessages } from './erase-messages.ts'
import { messageEndpoints } from './message-endpoints.ts'
import { deletingMessages } from './messages-of-user.ts'
import { pendingEnd } from './pending-messages.ts'
import { pinEnd } from './pin-end.ts'

export const messages = feature('messages', {
  endpoints: messageEndpoints,
  tasks: [erasingMessages, deletingMessages],
  scheduledJobs: [pendingEnd, pinEnd],
})
