import { blockLists } from './administration/block-lists/block-lists.feature.ts'
import { campaigns } from './administration/campaigns/campaigns.feature.ts'
import { exports } from './administration/exports/exports.feature.ts'
import { imports } from './administration/imports/imports.feature.ts'
import { moderation } from './administration/moderation/moderation.feature.ts'
import { review } from './administration/review/review.feature.ts'
import { segments } from './administration/segments/segments.feature.ts'
import { usage } from './administration/usage/usage.feature.ts'
import { rateLimitEndpoints } from './chat/api/rate-limit-endpoints.ts'
import { taskEndpoints } from './chat/api/task-endpoints.ts'
import { apps } from './chat/apps/apps.feature.ts'
import { bans } from './chat/bans/bans.feature.ts'
import { channels } from './chat/channels/channels.feature.ts'
import { longPollEndpoints } from './chat/connections/long-poll-endpoints.ts'
import { members } from './chat/members/members.feature.ts'
import { messages } from './chat/messages/messages.feature.ts'
import { mutes } from './chat/mutes/mutes.feature.ts'
import { permissions } from './chat/permissions/permissions.feature.ts'
import { reads } from './chat/reads/reads.feature.ts'
import { threads } from './chat/threads/threads.feature.ts'
import { users } from './chat/users/users.feature.ts'
import { type Feature, feature } from './feature.ts'
import { attachments } from './features/attachments/attachments.feature.ts'
import { calls } from './features/calls/calls.feature.ts'
import { commands } from './features/commands/commands.feature.ts'
import { devices } from './features/devices/devices.feature.ts'
import { drafts } from './features/drafts/drafts.feature.ts'
import { gifs } from './features/gifs/gifs.feature.ts'
import { locations } from './features/locations/locations.feature.ts'
import { polls } from './features/polls/polls.feature.ts'
import { push } from './features/push/push.feature.ts'
import { reactions } from './features/reactions/reactions.feature.ts'
import { reminders } from './features/reminders/reminders.feature.ts'
import { search } from './features/search/search.feature.ts'
import { sync } from './features/sync/sync.feature.ts'
import { typing } from './features/typing/typing.feature.ts'
import { webhooks } from './features/webhooks/webhooks.feature.ts'

const platform = feature('platform', {
  endpoints: [...longPollEndpoints, ...rateLimitEndpoints, ...taskEndpoints],
})

/** What every conversation needs. */
export const core: readonly Feature[] = [
  platform,
  apps,
  permissions,
  users,
  bans,
  mutes,
  channels,
  members,
  messages,
  reads,
  threads,
]

/** All that a server consists of; one that is taken out of the list is not there, and the others go on. */
export const features: readonly Feature[] = [
  ...core,
  ...[
    typing,
    reactions,
    polls,
    drafts,
    reminders,
    locations,
    commands,
    attachments,
    search,
    sync,
    devices,
    push,
    webhooks,
    calls,
    gifs,
  ],
  ...[moderation, review, blockLists, segments, campaigns, exports, imports, usage],
]
