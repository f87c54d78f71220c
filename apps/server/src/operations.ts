import { appEndpoints } from './apps/app-endpoints.ts'
import { attachmentEndpoints } from './attachments/attachment-endpoints.ts'
import { erasingUnnamedFiles } from './attachments/file-retention.ts'
import { blockListEndpoints } from './block-lists/block-list-endpoints.ts'
import { callEndpoints } from './calls/call-endpoints.ts'
import { campaignEndpoints } from './campaigns/campaign-endpoints.ts'
import { campaignStart, campaignStop } from './campaigns/campaign-life.ts'
import { countingReads, countReads } from './campaigns/count-reads.ts'
import { erasingRun } from './campaigns/erase-run.ts'
import { sendingCampaign } from './campaigns/send-campaign.ts'
import { updatingChannels } from './channels/batch-update.ts'
import { channelEndpoints } from './channels/channel-endpoints.ts'
import { channelTypeEndpoints } from './channels/channel-type-endpoints.ts'
import { deletingChannels } from './channels/delete-channel.ts'
import { commandEndpoints } from './commands/command-endpoints.ts'
import { deviceEndpoints } from './devices/device-endpoints.ts'
import { draftEndpoints } from './drafts/draft-endpoints.ts'
import { exportingChannels } from './exports/export-channels.ts'
import { exportEndpoints } from './exports/export-endpoints.ts'
import { exportingUsers } from './exports/export-users.ts'
import { rateLimitEndpoints } from './http/rate-limit-endpoints.ts'
import { importEndpoints } from './imports/import-endpoints.ts'
import { forgettingImport, importing } from './imports/run-import.ts'
import { locationEnd } from './locations/live-locations.ts'
import { locationEndpoints } from './locations/location-endpoints.ts'
import { memberEndpoints } from './members/member-endpoints.ts'
import { erasingMessages } from './messages/erase-messages.ts'
import { messageEndpoints } from './messages/message-endpoints.ts'
import { deletingMessages } from './messages/messages-of-user.ts'
import { pendingEnd } from './messages/pending-messages.ts'
import { pinEnd } from './messages/pin-end.ts'
import { moderationEndpoints } from './moderation/moderation-endpoints.ts'
import { publishingToMuters } from './moderation/mute.ts'
import { permissionEndpoints } from './permissions/permission-endpoints.ts'
import { roleEndpoints } from './permissions/role-endpoints.ts'
import { pollEndpoints } from './polls/poll-endpoints.ts'
import { deliverPush } from './push/deliver-push.ts'
import { pushEndpoints } from './push/push-endpoints.ts'
import { deletingReactions } from './reactions/drop-reactions.ts'
import { reactionEndpoints } from './reactions/reaction-endpoints.ts'
import { readEndpoints } from './reads/read-endpoints.ts'
import { remindOfUnread } from './reads/remind-of-unread.ts'
import { longPollEndpoints } from './realtime/long-poll-endpoints.ts'
import { remind } from './reminders/remind.ts'
import { reminderEndpoints } from './reminders/reminder-endpoints.ts'
import { reviewEndpoints } from './review/review-endpoints.ts'
import type { ScheduledJobKind } from './scheduled-jobs/scheduled-jobs.ts'
import { searchEndpoints } from './search/search-endpoints.ts'
import { countingSegment } from './segments/count-segment.ts'
import { erasingTargets } from './segments/delete-segment.ts'
import { segmentEndpoints } from './segments/segment-endpoints.ts'
import { syncEndpoints } from './sync/sync-endpoints.ts'
import { taskEndpoints } from './tasks/task-endpoints.ts'
import type { TaskKind } from './tasks/tasks.ts'
import { threadEndpoints } from './threads/thread-endpoints.ts'
import { usageEndpoints } from './usage/usage-endpoints.ts'
import { timeAnswers } from './users/response-times.ts'
import { userEndpoints } from './users/user-endpoints.ts'
import { userTasks } from './users/user-tasks.ts'
import { deliverWebhook } from './webhooks/deliver-webhook.ts'

/** What is answered. */
export const endpoints = [
  ...appEndpoints,
  ...userEndpoints,
  ...deviceEndpoints,
  ...pushEndpoints,
  ...channelEndpoints,
  ...channelTypeEndpoints,
  ...callEndpoints,
  ...roleEndpoints,
  ...permissionEndpoints,
  ...memberEndpoints,
  ...messageEndpoints,
  ...reactionEndpoints,
  ...pollEndpoints,
  ...readEndpoints,
  ...threadEndpoints,
  ...draftEndpoints,
  ...reminderEndpoints,
  ...locationEndpoints,
  ...moderationEndpoints,
  ...reviewEndpoints,
  ...commandEndpoints,
  ...blockListEndpoints,
  ...attachmentEndpoints,
  ...searchEndpoints,
  ...syncEndpoints,
  ...longPollEndpoints,
  ...rateLimitEndpoints,
  ...taskEndpoints,
  ...segmentEndpoints,
  ...campaignEndpoints,
  ...exportEndpoints,
  ...importEndpoints,
  ...usageEndpoints,
]

/** What goes on after an answer. */
export const taskKinds = [
  erasingMessages,
  deletingMessages,
  deletingReactions,
  deletingChannels,
  updatingChannels,
  ...userTasks,
  ...[countingSegment, erasingTargets, sendingCampaign, countingReads, erasingRun],
  deliverWebhook,
  publishingToMuters,
  exportingChannels,
  exportingUsers,
  importing,
  forgettingImport,
  erasingUnnamedFiles,
  deliverPush,
] as unknown as TaskKind[]

/** What happens at a set time. */
export const scheduledJobKinds: ScheduledJobKind[] = [
  pendingEnd,
  pinEnd,
  remind,
  remindOfUnread,
  locationEnd,
  campaignStart,
  campaignStop,
  countReads,
  timeAnswers,
]
