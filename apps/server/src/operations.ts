import { blockListEndpoints } from './administration/block-lists/block-list-endpoints.ts'
import { campaignEndpoints } from './administration/campaigns/campaign-endpoints.ts'
import { campaignStart, campaignStop } from './administration/campaigns/campaign-life.ts'
import { countingReads, countReads } from './administration/campaigns/count-reads.ts'
import { erasingRun } from './administration/campaigns/erase-run.ts'
import { sendingCampaign } from './administration/campaigns/send-campaign.ts'
import { exportingChannels } from './administration/exports/export-channels.ts'
import { exportEndpoints } from './administration/exports/export-endpoints.ts'
import { exportingUsers } from './administration/exports/export-users.ts'
import { importEndpoints } from './administration/imports/import-endpoints.ts'
import { forgettingImport, importing } from './administration/imports/run-import.ts'
import { flagEndpoints } from './administration/moderation/flag-endpoints.ts'
import { reviewEndpoints } from './administration/review/review-endpoints.ts'
import { countingSegment } from './administration/segments/count-segment.ts'
import { erasingTargets } from './administration/segments/delete-segment.ts'
import { segmentEndpoints } from './administration/segments/segment-endpoints.ts'
import { usageEndpoints } from './administration/usage/usage-endpoints.ts'
import { appEndpoints } from './chat/apps/app-endpoints.ts'
import { banEndpoints } from './chat/bans/ban-endpoints.ts'
import { updatingChannels } from './chat/channels/batch-update.ts'
import { channelEndpoints } from './chat/channels/channel-endpoints.ts'
import { channelTypeEndpoints } from './chat/channels/channel-type-endpoints.ts'
import { deletingChannels } from './chat/channels/delete-channel.ts'
import { memberEndpoints } from './chat/members/member-endpoints.ts'
import { erasingMessages } from './chat/messages/erase-messages.ts'
import { messageEndpoints } from './chat/messages/message-endpoints.ts'
import { deletingMessages } from './chat/messages/messages-of-user.ts'
import { pendingEnd } from './chat/messages/pending-messages.ts'
import { pinEnd } from './chat/messages/pin-end.ts'
import { publishingToMuters } from './chat/mutes/mute.ts'
import { muteEndpoints } from './chat/mutes/mute-endpoints.ts'
import { permissionEndpoints } from './chat/permissions/permission-endpoints.ts'
import { roleEndpoints } from './chat/permissions/role-endpoints.ts'
import { readEndpoints } from './chat/reads/read-endpoints.ts'
import { remindOfUnread } from './chat/reads/remind-of-unread.ts'
import { timeAnswers } from './chat/users/response-times.ts'
import { userEndpoints } from './chat/users/user-endpoints.ts'
import { userTasks } from './chat/users/user-tasks.ts'
import { attachmentEndpoints } from './features/attachments/attachment-endpoints.ts'
import { erasingUnnamedFiles } from './features/attachments/file-retention.ts'
import { callEndpoints } from './features/calls/call-endpoints.ts'
import { commandEndpoints } from './features/commands/command-endpoints.ts'
import { deviceEndpoints } from './features/devices/device-endpoints.ts'
import { draftEndpoints } from './features/drafts/draft-endpoints.ts'
import { locationEnd } from './features/locations/live-locations.ts'
import { locationEndpoints } from './features/locations/location-endpoints.ts'
import { pollEndpoints } from './features/polls/poll-endpoints.ts'
import { deliverPush } from './features/push/deliver-push.ts'
import { pushEndpoints } from './features/push/push-endpoints.ts'
import { deletingReactions } from './features/reactions/drop-reactions.ts'
import { reactionEndpoints } from './features/reactions/reaction-endpoints.ts'
import { remind } from './features/reminders/remind.ts'
import { reminderEndpoints } from './features/reminders/reminder-endpoints.ts'
import { searchEndpoints } from './features/search/search-endpoints.ts'
import { syncEndpoints } from './features/sync/sync-endpoints.ts'
import { threadEndpoints } from './features/threads/thread-endpoints.ts'
import { deliverWebhook } from './features/webhooks/deliver-webhook.ts'
import { rateLimitEndpoints } from './platform/http/rate-limit-endpoints.ts'
import { longPollEndpoints } from './platform/realtime/long-poll-endpoints.ts'
import type { ScheduledJobKind } from './platform/scheduled-jobs/scheduled-jobs.ts'
import { taskEndpoints } from './platform/tasks/task-endpoints.ts'
import type { TaskKind } from './platform/tasks/tasks.ts'

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
  ...banEndpoints,
  ...muteEndpoints,
  ...flagEndpoints,
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
