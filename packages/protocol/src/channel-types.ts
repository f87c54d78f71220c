import Type, { type Static } from 'typebox'
import { Command } from './commands.ts'
import { ChatPreferences } from './devices.ts'
import { Grants } from './permissions.ts'
import { answer, Time } from './wire.ts'

const flags = {
  typing_events: Type.Boolean(),
  read_events: Type.Boolean(),
  connect_events: Type.Boolean(),
  custom_events: Type.Boolean(),
  delivery_events: Type.Boolean(),
  search: Type.Boolean(),
  reactions: Type.Boolean(),
  replies: Type.Boolean(),
  quotes: Type.Boolean(),
  mutes: Type.Boolean(),
  uploads: Type.Boolean(),
  url_enrichment: Type.Boolean(),
  push_notifications: Type.Boolean(),
  reminders: Type.Boolean(),
  polls: Type.Boolean(),
  count_messages: Type.Boolean(),
  user_message_reminders: Type.Boolean(),
  shared_locations: Type.Boolean(),
  mark_messages_pending: Type.Boolean(),
  skip_last_msg_update_for_system_msgs: Type.Boolean(),
}
const blocklistBehavior = Type.Enum(['flag', 'block', 'shadow_block'])
const pushLevel = Type.Enum(['all', 'all_mentions', 'mentions', 'direct_mentions', 'none'])
const score = Type.Optional(Type.Number({ minimum: 0, maximum: 1 }))
const threshold = Type.Optional(Type.Object({ flag: score, block: score }))
/** The score from which an external classifier's finding counts. */
const automodThresholds = Type.Object({ explicit: threshold, spam: threshold, toxic: threshold })
const rules = {
  thin_events_above: Type.Integer({ minimum: 0 }),
  max_message_length: Type.Integer({ minimum: 1, maximum: 20_000 }),
  message_retention: Type.String({ pattern: '^(infinite|[1-9][0-9]{0,4})$', description: '`infinite`, or days' }),
  automod: Type.Enum(['disabled', 'simple', 'AI']),
  automod_behavior: Type.Enum(['flag', 'block']),
}
const extras = {
  push_level: Type.Optional(pushLevel),
  chat_preferences: Type.Optional(ChatPreferences),
  automod_thresholds: Type.Optional(automodThresholds),
  blocklist: Type.Optional(Type.String()),
  blocklist_behavior: Type.Optional(blocklistBehavior),
  blocklists: Type.Optional(Type.Array(Type.Object({ blocklist: Type.String(), behavior: blocklistBehavior }))),
  allowed_flag_reasons: Type.Optional(Type.Array(Type.String())),
}

/** What a channel type allows, as a channel shows it [messaging.md 11.1, administration.md 2.2]. */
export const ChannelConfig = Type.Object({
  name: Type.String(),
  ...flags,
  ...rules,
  ...extras,
  commands: Type.Array(Command),
  /** Modifiers of this channel alone: `create-reaction` adds, `!add-links` takes away. */
  grants: Type.Optional(Grants),
  created_at: Time,
  updated_at: Time,
})
export type ChannelConfig = Static<typeof ChannelConfig>

const legacyPolicy = Type.Object({}, { additionalProperties: true })
const { grants: _, ...configFields } = ChannelConfig.properties

/** A channel type with its grants, as its administrators see it; answers to changes name the commands only. */
export const ChannelType = Type.Object({
  ...configFields,
  commands: Type.Union([Type.Array(Command), Type.Array(Type.String())]),
  grants: Type.Optional(Grants),
  permissions: Type.Optional(Type.Array(legacyPolicy)),
})
export type ChannelType = Static<typeof ChannelType>

export const ChannelTypeAnswer = answer(ChannelType.properties)
export const ChannelTypesAnswer = answer({ channel_types: Type.Record(Type.String(), ChannelType) })

const orNull = <Shape extends Type.TSchema>(shape: Shape) => Type.Optional(Type.Union([shape, Type.Null()]))
type OrNull<Shapes> = {
  [Key in keyof Shapes]: Shapes[Key] extends Type.TSchema
    ? Type.TOptional<Type.TUnion<[Shapes[Key], Type.TNull]>>
    : never
}
const nullable = <Shapes extends Record<string, Type.TSchema>>(shapes: Shapes) =>
  Object.fromEntries(Object.entries(shapes).map(([key, shape]) => [key, orNull(shape)])) as OrNull<Shapes>

const changes = {
  ...nullable({ ...flags, ...rules }),
  push_level: orNull(pushLevel),
  chat_preferences: orNull(ChatPreferences),
  automod_thresholds: orNull(automodThresholds),
  blocklist: orNull(Type.String()),
  blocklist_behavior: orNull(Type.Union([blocklistBehavior, Type.Literal('')])),
  blocklists: orNull(Type.Array(Type.Object({ blocklist: Type.String(), behavior: blocklistBehavior }))),
  allowed_flag_reasons: orNull(Type.Array(Type.String())),
  /** By their names, or as answers show them. */
  commands: orNull(Type.Array(Type.Union([Type.String(), Type.Object({ name: Type.String() })]))),
  permissions: orNull(Type.Array(legacyPolicy)),
  grants: orNull(Grants),
}

/** What is not sent keeps its value; null puts it back to its default [administration.md 2.1]. */
export const UpdateChannelTypeRequest = Type.Object(changes)
export type UpdateChannelTypeRequest = Static<typeof UpdateChannelTypeRequest>
export const CreateChannelTypeRequest = Type.Object({ name: Type.String(), ...changes })
export type CreateChannelTypeRequest = Static<typeof CreateChannelTypeRequest>

/** What one channel does otherwise than its type; the whole is replaced each time [administration.md 2.4]. */
export const ConfigOverrides = Type.Object(
  {
    typing_events: Type.Optional(Type.Boolean()),
    reactions: Type.Optional(Type.Boolean()),
    replies: Type.Optional(Type.Boolean()),
    quotes: Type.Optional(Type.Boolean()),
    uploads: Type.Optional(Type.Boolean()),
    url_enrichment: Type.Optional(Type.Boolean()),
    user_message_reminders: Type.Optional(Type.Boolean()),
    shared_locations: Type.Optional(Type.Boolean()),
    count_messages: Type.Optional(Type.Boolean()),
    max_message_length: Type.Optional(rules.max_message_length),
    commands: Type.Optional(Type.Array(Type.String())),
    blocklist: Type.Optional(Type.String()),
    blocklist_behavior: Type.Optional(blocklistBehavior),
    push_level: Type.Optional(pushLevel),
    chat_preferences: Type.Optional(ChatPreferences),
    grants: Type.Optional(Grants),
  },
  { additionalProperties: false },
)
export type ConfigOverrides = Static<typeof ConfigOverrides>
