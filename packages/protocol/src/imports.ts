/** What is imported, line by line, and how an import went [administration.md 10.5, 10.6]. */
import Type, { type Static } from 'typebox'
import { PushPreference } from './devices.ts'
import { MESSAGE_ID_CHARS, REACTION_TYPE_CHARS, TEAMS_PER_USER } from './limits.ts'
import { PrivacySettings } from './users.ts'
import { answer, type Custom, DecidingTime, NonEmpty, TeamName, Time, UserId } from './wire.ts'

const Flag = Type.Optional(Type.Boolean())
const When = Type.Optional(DecidingTime)
const Text = Type.Optional(Type.String())
const MessageId = Type.String({ minLength: 1, maxLength: MESSAGE_ID_CHARS })
const Ids = Type.Optional(Type.Array(NonEmpty, { maxItems: 10_000 }))

/** One of the first two in each line; the members are those of a channel that was made from just them. */
const inChannel = { channel_type: NonEmpty, channel_id: Type.Optional(NonEmpty), channel_member_ids: Ids }

/** The fields of the lines, by the type of each line; the lines come in this order. */
export const importLines = {
  user: Type.Object({
    id: NonEmpty,
    role: Type.Optional(NonEmpty),
    name: Text,
    image: Text,
    created_at: When,
    deleted_at: When,
    deactivated_at: When,
    invisible: Flag,
    language: Type.Optional(Type.String({ maxLength: 10 })),
    teams: Type.Optional(Type.Array(TeamName, { maxItems: TEAMS_PER_USER })),
    teams_role: Type.Optional(Type.Record(Type.String(), Type.String())),
    privacy_settings: Type.Optional(PrivacySettings),
    push_preferences: Type.Optional(
      Type.Object({ chat_level: PushPreference.properties.chat_level, disabled_until: When }),
    ),
    blocked_user_ids: Ids,
    user_mutes: Ids,
    channel_mutes: Ids,
  }),
  device: Type.Object({
    id: Type.String({ minLength: 1, maxLength: 255 }),
    user_id: UserId,
    push_provider_type: Type.Enum(['apn', 'firebase', 'huawei', 'xiaomi']),
    push_provider_name: NonEmpty,
    created_at: When,
  }),
  future_channel_ban: Type.Object({
    created_by: UserId,
    target_id: UserId,
    shadow: Flag,
    reason: Text,
    created_at: When,
  }),
  channel: Type.Object({
    type: NonEmpty,
    created_by: UserId,
    id: Type.Optional(NonEmpty),
    member_ids: Ids,
    name: Text,
    image: Text,
    frozen: Flag,
    disabled: Flag,
    team: Type.Optional(TeamName),
    truncated_at: When,
    banned_users: Ids,
    created_at: When,
  }),
  member: Type.Object({
    ...inChannel,
    user_id: UserId,
    channel_role: Type.Optional(NonEmpty),
    is_moderator: Flag,
    created_at: When,
    last_read: When,
    hide_channel: Flag,
    hide_messages_before: When,
    invited: Flag,
    invited_accepted_at: When,
    invited_rejected_at: When,
    archived_at: When,
  }),
  message: Type.Object({
    ...inChannel,
    id: NonEmpty,
    type: Type.Enum(['regular', 'reply', 'deleted', 'system']),
    user: UserId,
    text: Type.Optional(Type.String({ maxLength: 20_000 })),
    html: Text,
    parent_id: Type.Optional(MessageId),
    show_in_channel: Flag,
    silent: Flag,
    shadowed: Flag,
    quoted_message_id: Type.Optional(MessageId),
    mentioned_users_ids: Ids,
    attachments: Type.Optional(Type.Array(Type.Object({}, { additionalProperties: true }), { maxItems: 30 })),
    pinned_at: When,
    pin_expires: When,
    pinned_by_id: Type.Optional(UserId),
    restricted_visibility: Ids,
    created_at: When,
    deleted_at: When,
  }),
  reaction: Type.Object({
    message_id: MessageId,
    type: Type.String({ minLength: 1, maxLength: REACTION_TYPE_CHARS }),
    user_id: UserId,
    created_at: Time,
    score: Type.Optional(Type.Integer({ minimum: -1_000_000, maximum: 1_000_000 })),
  }),
} as const
export type ImportType = keyof typeof importLines
/** The content of one line, custom fields flat beside the built-in ones. */
export type ImportData<Name extends ImportType = ImportType> = {
  [N in Name]: Static<(typeof importLines)[N]> & Custom
}[Name]

/** What is wrong with a line. */
export const ImportError = Type.Object({
  error: Type.String(),
  line: Type.Integer({ description: 'the first one is 1' }),
  field: Type.Optional(Type.String()),
  item_type: Type.Optional(Type.String()),
  item: Type.Optional(Type.Unknown({ description: 'the content of the line, if it is short' })),
})
export type ImportError = Static<typeof ImportError>

const total = { users: Type.Integer(), channels: Type.Integer(), members: Type.Integer() }
/** How many lines there are of each kind. */
export const ImportStats = Type.Object({
  total: Type.Object({ ...total, messages: Type.Integer(), reactions: Type.Integer(), devices: Type.Integer() }),
})
export type ImportStats = Static<typeof ImportStats>

const ImportState = Type.Enum([
  'uploaded',
  'analyzing',
  'analyze_failed',
  'waiting_confirmation',
  'importing',
  'completed',
  'import_failed',
])
export type ImportState = Static<typeof ImportState>

export const ImportTask = Type.Object({
  id: Type.String(),
  path: Type.String(),
  mode: Type.Enum(['upsert', 'insert']),
  state: ImportState,
  size: Type.Optional(Type.Integer({ description: 'bytes' })),
  result: Type.Optional(Type.Object({ errors: Type.Array(ImportError), stats: ImportStats })),
  history: Type.Array(Type.Object({ prev_state: Type.String(), next_state: Type.String(), created_at: Time })),
  created_at: Time,
  updated_at: Time,
})
export type ImportTask = Static<typeof ImportTask>

export const ImportUrlRequest = Type.Object({ filename: Type.String({ minLength: 1, maxLength: 255 }) })
export const ImportUrlAnswer = answer({
  path: Type.String({ description: 'what the import is started with' }),
  upload_url: Type.String({ description: 'takes the file by PUT, once, without a token' }),
})
export const ImportRequest = Type.Object({
  path: NonEmpty,
  mode: Type.Optional(
    Type.Enum(['upsert', 'insert'], { description: 'upsert (default) changes what is there, insert leaves it' }),
  ),
  merge_custom: Type.Optional(Type.Boolean({ description: 'custom fields that are there and not named stay' })),
})
export const ImportAnswer = answer({ import_task: ImportTask })
export const ImportsQuery = Type.Object({ limit: Type.Optional(Type.String()), offset: Type.Optional(Type.String()) })
export const ImportsAnswer = answer({ import_tasks: Type.Array(ImportTask) })
