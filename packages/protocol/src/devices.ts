import Type, { type Static } from 'typebox'
import { answer, Time } from './wire.ts'

/** Where somebody wants to be notified [DEV-1, administration.md 8.1]. */
export const Device = Type.Object({
  id: Type.String(),
  push_provider: Type.String(),
  push_provider_name: Type.Optional(Type.String()),
  user_id: Type.String(),
  created_at: Time,
  disabled: Type.Optional(Type.Boolean()),
  disabled_reason: Type.Optional(Type.String()),
  voip: Type.Optional(Type.Boolean()),
  hardware_id: Type.Optional(Type.String()),
})
export type Device = Static<typeof Device>

const device = {
  id: Type.String({ minLength: 1, maxLength: 255 }),
  push_provider: Type.Enum(['apn', 'firebase', 'huawei', 'xiaomi']),
  push_provider_name: Type.Optional(Type.String()),
}
export const DeviceRequest = Type.Object({
  ...device,
  voip_token: Type.Optional(Type.Boolean()),
  hardware_id: Type.Optional(Type.String()),
  user_id: Type.Optional(Type.String()),
})
export const DevicesAnswer = answer({ devices: Type.Array(Device) })

const chatLevels = ['all', 'mentions', 'direct_mentions', 'all_mentions', 'none', 'default'] as const
const oneOf = Type.Optional(Type.Enum(['all', 'none']))
const settable = {
  chat_level: Type.Optional(Type.Enum([...chatLevels])),
  call_level: Type.Optional(Type.Enum(['all', 'none', 'default'])),
  feeds_level: Type.Optional(Type.Enum(['all', 'none', 'default'])),
  chat_preferences: Type.Optional(
    Type.Object({
      default_preference: oneOf,
      direct_mentions: oneOf,
      role_mentions: oneOf,
      group_mentions: oneOf,
      here_mentions: oneOf,
      channel_mentions: oneOf,
      thread_replies: oneOf,
    }),
  ),
  disabled_until: Type.Optional(Time),
}

/** When somebody wants to be notified [administration.md 8.6]; what is absent was not set. */
export const PushPreference = Type.Object(settable)
export type PushPreference = Static<typeof PushPreference>

/** `default` takes a level back; without `channel_cid` it is for everywhere. */
export const PushPreferenceRequest = Type.Object({
  ...settable,
  user_id: Type.Optional(Type.String()),
  channel_cid: Type.Optional(Type.String()),
  remove_disable: Type.Optional(Type.Boolean()),
})
export type PushPreferenceRequest = Static<typeof PushPreferenceRequest>

export const PushPreferencesRequest = Type.Object({
  preferences: Type.Array(PushPreferenceRequest, { minItems: 1, maxItems: 100 }),
})
export const PushPreferencesAnswer = answer({
  user_preferences: Type.Record(Type.String(), PushPreference),
  user_channel_preferences: Type.Record(Type.String(), Type.Record(Type.String(), PushPreference)),
})
