/** One message to very many; for the app's server alone [administration.md 12.2]. */
import Type, { type Static } from 'typebox'
import { FilterObject, Sort } from './filters.ts'
import {
  ATTACHMENTS_PER_MESSAGE,
  CAMPAIGN_DESCRIPTION_CHARS,
  CAMPAIGN_ID_CHARS,
  CAMPAIGN_NAME_CHARS,
  CAMPAIGN_SEGMENTS,
  CAMPAIGN_TEXT_CHARS,
  CAMPAIGN_USERS,
  CAMPAIGN_USERS_PAGE_MAX,
  CAMPAIGNS_PAGE_MAX,
  CHANNEL_TEMPLATE_ID_CHARS,
  MEMBERS_PER_CALL,
} from './limits.ts'
import { Attachment } from './messages.ts'
import { Segment } from './segments.ts'
import { User } from './users.ts'
import { answer, CutoffTime, cursors, DecidingTime, NonEmpty, SomeTeamName, Time, UserId } from './wire.ts'

export const CampaignStatus = Type.Enum(['draft', 'scheduled', 'in_progress', 'stopped', 'completed'])
export type CampaignStatus = Static<typeof CampaignStatus>

const fields = Type.Record(Type.String(), Type.Unknown())

/** Texts may hold `{{ sender.name }}`, `{{ receiver.name }}` and `{{ channel.name }}`; what is missing is empty. */
export const MessageTemplate = Type.Object({
  text: Type.String({ maxLength: CAMPAIGN_TEXT_CHARS }),
  attachments: Type.Optional(Type.Array(Attachment, { maxItems: ATTACHMENTS_PER_MESSAGE })),
  custom: Type.Optional(fields),
  poll_id: Type.Optional(NonEmpty),
  searchable: Type.Optional(Type.Boolean()),
})
export type MessageTemplate = Static<typeof MessageTemplate>

/** The channel of each receiver; without an id it is the one that was made from its members. */
export const ChannelTemplate = Type.Object({
  type: NonEmpty,
  id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: CHANNEL_TEMPLATE_ID_CHARS,
      description: 'may name the receiver: `{{receiver.id}}-news`',
    }),
  ),
  team: Type.Optional(SomeTeamName),
  members: Type.Optional(Type.Array(NonEmpty, { maxItems: MEMBERS_PER_CALL })),
  members_template: Type.Optional(
    Type.Array(
      Type.Object({ user_id: NonEmpty, channel_role: Type.Optional(NonEmpty), custom: Type.Optional(fields) }),
      { maxItems: MEMBERS_PER_CALL },
    ),
  ),
  custom: Type.Optional(fields),
})
export type ChannelTemplate = Static<typeof ChannelTemplate>

const SenderMode = Type.Enum(['', 'exclude', 'include'], { description: 'empty: a member of new channels alone' })
const SenderVisibility = Type.Enum(['', 'hidden', 'archived'], { description: 'of new channels, for the sender' })

/** How far it has come; times that have not come are `0001-01-01T00:00:00Z`. */
export const CampaignStats = Type.Object({
  progress: Type.Number({ minimum: 0, maximum: 1 }),
  stats_started_at: Time,
  stats_completed_at: Time,
  stats_users_sent: Type.Integer({ description: 'receivers; of a channel all members but the sender' }),
  stats_users_read: Type.Integer({ description: 'counted now and then while a week goes by' }),
  stats_channels_created: Type.Integer(),
  stats_messages_sent: Type.Integer(),
})

export const Campaign = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  sender_id: Type.String(),
  sender: Type.Optional(User),
  segment_ids: Type.Array(Type.String()),
  segments: Type.Array(Segment),
  user_ids: Type.Array(Type.String()),
  users: Type.Array(User, { description: 'one page of them' }),
  message_template: MessageTemplate,
  channel_template: Type.Optional(ChannelTemplate),
  create_channels: Type.Boolean(),
  show_channels: Type.Boolean(),
  sender_mode: SenderMode,
  sender_visibility: SenderVisibility,
  skip_push: Type.Boolean(),
  skip_webhook: Type.Boolean(),
  status: CampaignStatus,
  stats: CampaignStats,
  scheduled_for: Type.Optional(Time),
  stop_at: Type.Optional(Time),
  created_at: Time,
  updated_at: Time,
})
export type Campaign = Static<typeof Campaign>

/** The writable fields of a campaign; creating one needs `sender_id` and `message_template`. */
const writableFields = {
  name: Type.Optional(Type.String({ maxLength: CAMPAIGN_NAME_CHARS })),
  description: Type.Optional(Type.String({ maxLength: CAMPAIGN_DESCRIPTION_CHARS })),
  sender_id: Type.Optional(NonEmpty),
  segment_ids: Type.Optional(Type.Array(NonEmpty, { maxItems: CAMPAIGN_SEGMENTS })),
  user_ids: Type.Optional(Type.Array(UserId, { maxItems: CAMPAIGN_USERS })),
  message_template: Type.Optional(MessageTemplate),
  channel_template: Type.Optional(ChannelTemplate),
  create_channels: Type.Optional(Type.Boolean()),
  show_channels: Type.Optional(Type.Boolean()),
  sender_mode: Type.Optional(SenderMode),
  sender_visibility: Type.Optional(SenderVisibility),
  skip_push: Type.Optional(Type.Boolean()),
  skip_webhook: Type.Optional(Type.Boolean()),
}
const CampaignData = Type.Object(writableFields)
export type CampaignData = Static<typeof CampaignData>

export const QueryCampaignsRequest = Type.Object({
  filter: Type.Optional(FilterObject),
  sort: Type.Optional(Sort),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: CAMPAIGNS_PAGE_MAX })),
  user_limit: Type.Optional(Type.Integer({ minimum: 1, maximum: CAMPAIGN_USERS_PAGE_MAX })),
  ...cursors,
})
export const CampaignsAnswer = answer({ campaigns: Type.Array(Campaign), ...cursors })

/** A campaign to be made, or with `query` a query [CAM-7]. */
export const CreateCampaignRequest = Type.Object({
  ...writableFields,
  id: Type.Optional(Type.String({ minLength: 1, maxLength: CAMPAIGN_ID_CHARS })),
  query: Type.Optional(QueryCampaignsRequest),
})
export const UpdateCampaignRequest = CampaignData

/** The pages beside that of its users. */
const users = Type.Object(cursors)
/** Of a campaign that was made; of a query the campaigns it found. */
export const CreateCampaignAnswer = answer({
  campaign: Type.Optional(Campaign),
  users: Type.Optional(users),
  campaigns: Type.Optional(Type.Array(Campaign)),
  ...cursors,
})
export const GetCampaignQuery = Type.Object({ limit: Type.Optional(Type.String()), ...cursors })
export const CampaignAnswer = answer({ campaign: Campaign, users })
/** Its fields are repeated beside it, where some clients look for them. */
export const FlatCampaignAnswer = answer({ ...Campaign.properties, campaign: Campaign })

export const StartCampaignRequest = Type.Object({
  scheduled_for: Type.Optional(DecidingTime),
  stop_at: Type.Optional(DecidingTime),
})

/** Starts it later. */
export const ScheduleCampaignRequest = Type.Object({
  scheduled_for: CutoffTime,
  stop_at: Type.Optional(DecidingTime),
})
/** Those who get its message now, as a trial. */
export const TestCampaignRequest = Type.Object({
  users: Type.Array(UserId, { minItems: 1, maxItems: MEMBERS_PER_CALL }),
})

/** Delivered to webhooks only: its sending began, or ended [administration.md 12.2]. */
export const CampaignEvent = Type.Object({ created_at: Time, campaign: Campaign })
