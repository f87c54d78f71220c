import Type, { type Static } from 'typebox'
import { ChannelConfig, ConfigOverrides } from './channel-types.ts'
import { PushPreference } from './devices.ts'
import { FilterObject, Sort } from './filters.ts'
import {
  CHANNELS_OFFSET_MAX,
  CHANNELS_PAGE_MAX,
  CHANNELS_PER_DELETION,
  COOLDOWN_SECONDS_MAX,
  FILTER_TAG_CHARS,
  FILTER_TAGS,
  MEMBERS_OFFSET_MAX,
  MEMBERS_PAGE_MAX,
  MEMBERS_PER_CALL,
  MESSAGES_PAGE_MAX,
} from './limits.ts'
import { SharedLocation } from './locations.ts'
import { Member, MemberRequest } from './members.ts'
import { Message, MessagePage, MessageRequest, OwnDraft, PendingMessage } from './messages.ts'
import { Read } from './reads.ts'
import { User } from './users.ts'
import {
  actor,
  answer,
  type Custom,
  CutoffTime,
  customBeside,
  hasCustom,
  NonEmpty,
  PartialUpdate,
  TeamName,
  Time,
} from './wire.ts'

/** Words by which the app's server groups channels [messaging.md 4.4]. */
const FilterTags = Type.Array(Type.String({ minLength: 1, maxLength: FILTER_TAG_CHARS }), { maxItems: FILTER_TAGS })

/** The code of a language, as `en` or `zh-TW`. */
export const LANGUAGE = '^[a-z]{2,3}(-[A-Za-z]{2,4})?$'

/** A channel, custom fields (`name`, `image`, …) flat beside these [CHN-1…3, messaging.md 13.3]. */
export const Channel = Type.Object(
  {
    id: Type.String(),
    type: Type.String(),
    cid: Type.String(),
    created_at: Time,
    updated_at: Time,
    frozen: Type.Boolean(),
    disabled: Type.Boolean(),
    created_by: Type.Union([User, Type.Null()]),
    config: ChannelConfig,
    member_count: Type.Integer(),
    message_count: Type.Optional(Type.Integer({ description: 'with `count_messages` alone' })),
    last_message_at: Type.Optional(Time),
    own_capabilities: Type.Optional(
      Type.Array(Type.String(), { description: 'of the receiving user; never in events' }),
    ),
    team: Type.Optional(Type.String()),
    filter_tags: Type.Optional(FilterTags),
    hidden: Type.Optional(Type.Boolean()),
    blocked: Type.Optional(Type.Boolean({ description: 'hidden because one blocked the only other member' })),
    hide_messages_before: Type.Optional(Time),
    muted: Type.Optional(Type.Boolean({ description: 'for the user who muted it' })),
    mute_expires_at: Type.Optional(Time),
    cooldown: Type.Optional(Type.Integer()),
    truncated_at: Type.Optional(Time),
    truncated_by: Type.Optional(User),
    deleted_at: Type.Optional(Time),
    auto_translation_enabled: Type.Optional(Type.Boolean()),
    auto_translation_language: Type.Optional(Type.String()),
    name: Type.Optional(Type.String()),
    image: Type.Optional(Type.String()),
    members: Type.Optional(Type.Array(Member, { description: 'the newest, for a user who was added' })),
  },
  customBeside('created_by_id config_overrides invites membership watcher_count', 'name image'),
)
export type Channel = Static<typeof Channel> & Custom

const channelState = {
  channel: Channel,
  messages: Type.Array(Message, { description: 'oldest first' }),
  pinned_messages: Type.Array(Message),
  members: Type.Array(Member),
  membership: Type.Optional(Member),
  read: Type.Array(Read),
  watchers: Type.Optional(Type.Array(User)),
  watcher_count: Type.Integer(),
  hidden: Type.Optional(Type.Boolean()),
  hide_messages_before: Type.Optional(Time),
  pending_messages: Type.Optional(Type.Array(PendingMessage, { description: 'the own ones' })),
  active_live_locations: Type.Optional(Type.Array(SharedLocation)),
  threads: Type.Array(Type.Unknown()),
  push_preferences: Type.Optional(PushPreference),
  draft: Type.Optional(OwnDraft),
}

/** A channel with its messages, members and read entries [messaging.md 4.2]. */
export const ChannelState = Type.Object(channelState)
export type ChannelState = Static<typeof ChannelState>

const members = Type.Optional(Type.Array(MemberRequest, { maxItems: MEMBERS_PER_CALL }))

/** The writable fields of an existing channel; read-only fields are ignored, whatever they hold [CHN-37]. */
export const ChannelChange = Type.Object(
  {
    invites: members,
    name: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    image: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    team: Type.Optional(TeamName),
    frozen: Type.Optional(Type.Boolean()),
    disabled: Type.Optional(Type.Boolean()),
    cooldown: Type.Optional(Type.Integer({ minimum: 0, maximum: COOLDOWN_SECONDS_MAX })),
    config_overrides: Type.Optional(ConfigOverrides),
    filter_tags: Type.Optional(FilterTags),
    auto_translation_enabled: Type.Optional(Type.Boolean({ description: 'translate every message automatically' })),
    auto_translation_language: Type.Optional(
      Type.String({ pattern: `${LANGUAGE}|^$`, description: 'in this one; without it, in those of the members' }),
    ),
  },
  hasCustom,
)
export type ChannelChange = Static<typeof ChannelChange> & Custom

/** The writable fields of a new channel. Only the app's server may name its creator; from others that is ignored. */
export const ChannelRequest = Type.Object(
  {
    members,
    created_by_id: Type.Optional(Type.Unsafe<string>({ description: 'an id; only the app’s server may set it' })),
    created_by: Type.Optional(Type.Unsafe<{ id: string }>({ description: 'a user; as created_by_id', ...hasCustom })),
    ...ChannelChange.properties,
  },
  hasCustom,
)
export type ChannelRequest = Static<typeof ChannelRequest> & Custom

const rowPage = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 0, maximum: MEMBERS_PAGE_MAX })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: MEMBERS_OFFSET_MAX })),
})

export const QueryChannelRequest = Type.Object({
  data: Type.Optional(ChannelRequest),
  state: Type.Optional(Type.Boolean()),
  watch: Type.Optional(Type.Boolean()),
  presence: Type.Optional(Type.Boolean()),
  hide_for_creator: Type.Optional(Type.Boolean({ description: 'counts only when the channel is made' })),
  messages: Type.Optional(MessagePage),
  members: Type.Optional(rowPage),
  watchers: Type.Optional(rowPage),
  ...actor,
})
export const ChannelStateAnswer = answer(channelState)

/** Numbers and flags as text, as in every address. */
export const GetChannelQuery = Type.Object({
  state: Type.Optional(Type.String({ description: 'yes, unless it says no' })),
  message_limit: Type.Optional(Type.String()),
  member_limit: Type.Optional(Type.String()),
})

export const QueryChannelsRequest = Type.Object({
  filter_conditions: Type.Optional(FilterObject),
  sort: Type.Optional(Sort),
  predefined_filter: Type.Optional(
    Type.String({ minLength: 1, description: 'the name of a filter that the app keeps' }),
  ),
  filter_values: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'to be filled into it' })),
  sort_values: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  limit: Type.Optional(Type.Integer({ minimum: 0, maximum: CHANNELS_PAGE_MAX })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: CHANNELS_OFFSET_MAX })),
  message_limit: Type.Optional(Type.Integer({ minimum: 0, maximum: MESSAGES_PAGE_MAX })),
  member_limit: Type.Optional(Type.Integer({ minimum: 0, maximum: MEMBERS_PAGE_MAX })),
  state: Type.Optional(Type.Boolean()),
  watch: Type.Optional(Type.Boolean()),
  presence: Type.Optional(Type.Boolean()),
  ...actor,
})
export const ChannelsAnswer = answer({
  channels: Type.Array(ChannelState),
  predefined_filter: Type.Optional(
    Type.Object({ name: Type.String(), filter: FilterObject, sort: Sort }, { description: 'as it was filled' }),
  ),
})

export const UpdateChannelRequest = Type.Object({
  data: Type.Optional(ChannelChange),
  add_members: Type.Optional(Type.Array(MemberRequest, { maxItems: MEMBERS_PER_CALL })),
  remove_members: Type.Optional(Type.Array(Type.String(), { maxItems: MEMBERS_PER_CALL })),
  add_moderators: Type.Optional(Type.Array(Type.String(), { maxItems: MEMBERS_PER_CALL })),
  demote_moderators: Type.Optional(Type.Array(Type.String(), { maxItems: MEMBERS_PER_CALL })),
  assign_roles: Type.Optional(
    Type.Array(Type.Object({ user_id: Type.String(), channel_role: Type.String() }), { maxItems: MEMBERS_PER_CALL }),
  ),
  invites: Type.Optional(Type.Array(MemberRequest, { maxItems: MEMBERS_PER_CALL })),
  accept_invite: Type.Optional(Type.Boolean()),
  reject_invite: Type.Optional(Type.Boolean()),
  add_filter_tags: Type.Optional(FilterTags),
  remove_filter_tags: Type.Optional(FilterTags),
  hide_history: Type.Optional(Type.Boolean()),
  hide_history_before: Type.Optional(CutoffTime),
  message: Type.Optional(MessageRequest),
  cooldown: Type.Optional(
    Type.Integer({ minimum: 0, maximum: COOLDOWN_SECONDS_MAX, description: 'seconds; 0 is off' }),
  ),
  skip_push: Type.Optional(Type.Boolean()),
  ...actor,
})
export const UpdateChannelPartialRequest = Type.Object({ ...PartialUpdate.properties, ...actor })
export const UpdateChannelAnswer = answer({
  channel: Channel,
  members: Type.Array(Member),
  message: Type.Optional(Message),
})

export const ChannelAnswer = answer({ channel: Channel })

export const DeleteChannelsRequest = Type.Object({
  cids: Type.Array(Type.String(), { minItems: 1, maxItems: CHANNELS_PER_DELETION }),
  hard_delete: Type.Optional(Type.Boolean()),
  ...actor,
})
/** What became of each channel, by cid; the task erases what they held, where that was asked. */
export const DeleteChannelsAnswer = answer({
  task_id: Type.Optional(Type.String()),
  result: Type.Record(Type.String(), Type.Object({ status: Type.String(), error: Type.Optional(Type.String()) })),
})

/** Without a time everything goes; what is exactly as old as the time stays [CHN-54]. */
export const TruncateChannelRequest = Type.Object({
  truncated_at: Type.Optional(CutoffTime),
  hard_delete: Type.Optional(Type.Boolean({ description: 'erase instead of hide' })),
  skip_push: Type.Optional(Type.Boolean()),
  message: Type.Optional(MessageRequest),
  member_ids: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: MEMBERS_PER_CALL,
      description: 'for these members alone; nothing is erased',
    }),
  ),
  ...actor,
})
export const TruncateChannelAnswer = answer({ channel: Channel, message: Type.Optional(Message) })

export const HideChannelRequest = Type.Object({ clear_history: Type.Optional(Type.Boolean()), ...actor })

/** `typing.start`, `typing.stop` or an event of the app's own [messaging.md 4.15]. */
export const SendEventRequest = Type.Object({
  event: Type.Object({ type: NonEmpty, parent_id: Type.Optional(NonEmpty), ...actor }, hasCustom),
  ...actor,
})

export const SyncRequest = Type.Object({
  channel_cids: Type.Array(Type.String(), { minItems: 1 }),
  last_sync_at: Time,
  ...actor,
})
