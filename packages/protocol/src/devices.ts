import Type, { type Static } from 'typebox'
import { PUSH_TEMPLATE_CHARS } from './limits.ts'
import { answer, NonEmpty, Time } from './wire.ts'

/** A device on which a user is notified [DEV-1, administration.md 8.1]. */
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
  push_provider_name: Type.Optional(NonEmpty),
}
export const DeviceRequest = Type.Object({
  ...device,
  voip_token: Type.Optional(Type.Boolean()),
  hardware_id: Type.Optional(NonEmpty),
  user_id: Type.Optional(NonEmpty),
})
export const DevicesAnswer = answer({ devices: Type.Array(Device) })

const chatLevels = ['all', 'mentions', 'direct_mentions', 'all_mentions', 'none', 'default'] as const
const oneOf = Type.Optional(Type.Enum(['all', 'none']))
/** The messages a user wants to be notified of, kind by kind. */
export const ChatPreferences = Type.Object({
  default_preference: oneOf,
  direct_mentions: oneOf,
  role_mentions: oneOf,
  group_mentions: oneOf,
  here_mentions: oneOf,
  channel_mentions: oneOf,
  thread_replies: oneOf,
})
const settable = {
  chat_level: Type.Optional(Type.Enum([...chatLevels])),
  call_level: Type.Optional(Type.Enum(['all', 'none', 'default'])),
  feeds_level: Type.Optional(Type.Enum(['all', 'none', 'default'])),
  chat_preferences: Type.Optional(ChatPreferences),
  disabled_until: Type.Optional(Time),
}

/** When a user wants to be notified [administration.md 8.6]; what is absent was not set. */
export const PushPreference = Type.Object(settable)
export type PushPreference = Static<typeof PushPreference>

/** `default` takes a level back; without `channel_cid` it is for everywhere. */
export const PushPreferenceRequest = Type.Object({
  ...settable,
  user_id: Type.Optional(NonEmpty),
  channel_cid: Type.Optional(NonEmpty),
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

const text = Type.Optional(Type.String())
const template = Type.Optional(Type.String({ maxLength: PUSH_TEMPLATE_CHARS }))
const credentials = {
  description: text,
  apn_auth_key: text,
  apn_key_id: text,
  apn_team_id: text,
  apn_topic: text,
  apn_auth_type: Type.Optional(Type.Enum(['token', 'certificate'])),
  apn_p12_cert: text,
  apn_host: text,
  apn_development: Type.Optional(Type.Boolean()),
  apn_notification_template: template,
  firebase_credentials: text,
  firebase_server_key: text,
  firebase_host: text,
  firebase_notification_template: template,
  firebase_data_template: template,
  firebase_apn_template: template,
  huawei_app_id: text,
  huawei_app_secret: text,
  xiaomi_package_name: text,
  xiaomi_app_secret: text,
}
const provider = { type: device.push_provider, name: Type.String({ maxLength: 64 }), ...credentials }

/** An account at a push provider [administration.md 8.2]; its secrets are masked. */
export const PushProvider = Type.Object({
  ...provider,
  disabled_at: Type.Optional(Time),
  disabled_reason: text,
  created_at: Time,
  updated_at: Time,
})
export type PushProvider = Static<typeof PushProvider>

/** A time in `disabled_at` pauses it, null lets it go on. */
export const PushProviderRequest = Type.Object({
  push_provider: Type.Object({
    ...provider,
    disabled_at: Type.Optional(Type.Union([Time, Type.Null()])),
    disabled_reason: text,
  }),
})
export type PushProviderRequest = Static<typeof PushProviderRequest>['push_provider']
export const PushProviderAnswer = answer({ push_provider: PushProvider })
/** The providers without a name, as the settings of an app write them; null takes one away [administration.md 8.3]. */
const paused = { Disabled: Type.Optional(Type.Boolean()) }
export const ApnConfig = Type.Object({
  auth_key: text,
  bundle_id: text,
  team_id: text,
  key_id: text,
  host: text,
  p12_cert: text,
  auth_type: Type.Optional(Type.Enum(['token', 'certificate', ''])),
  development: Type.Optional(Type.Boolean()),
  notification_template: template,
  ...paused,
})
export const FirebaseConfig = Type.Object({
  credentials_json: text,
  server_key: text,
  notification_template: template,
  data_template: template,
  apn_template: template,
  ...paused,
})
export const HuaweiConfig = Type.Object({ id: text, secret: text, ...paused })
export const XiaomiConfig = Type.Object({ package_name: text, secret: text, ...paused })
export const PushConfigs = Type.Object({
  apn_config: Type.Optional(Type.Union([ApnConfig, Type.Null()])),
  firebase_config: Type.Optional(Type.Union([FirebaseConfig, Type.Null()])),
  huawei_config: Type.Optional(Type.Union([HuaweiConfig, Type.Null()])),
  xiaomi_config: Type.Optional(Type.Union([XiaomiConfig, Type.Null()])),
})
export type PushConfigs = Static<typeof PushConfigs>

const enabled = { enabled: Type.Boolean() }
/** How an app pushes, all its settings together [administration.md 8.3]. */
export const PushNotifications = Type.Object({
  version: Type.String(),
  offline_only: Type.Boolean(),
  apn: Type.Object({
    ...enabled,
    development: Type.Boolean(),
    auth_type: text,
    bundle_id: text,
    team_id: text,
    key_id: text,
    host: text,
    notification_template: text,
  }),
  firebase: Type.Object({
    ...enabled,
    notification_template: text,
    data_template: text,
    apn_template: text,
    credentials_json: text,
  }),
  huawei: Type.Object(enabled),
  xiaomi: Type.Object(enabled),
  providers: Type.Optional(Type.Array(PushProvider)),
})
export type PushNotifications = Static<typeof PushNotifications>

export const PushProvidersAnswer = answer({ push_providers: Type.Array(PushProvider) })

/** What a push to a user would look like [administration.md 8.7]. */
export const CheckPushRequest = Type.Object({
  user_id: Type.String({ minLength: 1 }),
  message_id: Type.Optional(NonEmpty),
  apn_template: template,
  firebase_template: template,
  firebase_data_template: template,
  push_provider_type: Type.Optional(device.push_provider),
  push_provider_name: Type.Optional(NonEmpty),
  skip_devices: Type.Optional(Type.Boolean()),
  event_type: text,
})
export type CheckPushRequest = Static<typeof CheckPushRequest>
export const CheckPushAnswer = answer({
  general_errors: Type.Optional(Type.Array(Type.String())),
  device_errors: Type.Optional(
    Type.Record(
      Type.String(),
      Type.Object({ provider: Type.String(), provider_name: Type.String(), error_message: Type.String() }),
    ),
  ),
  skip_devices: Type.Optional(Type.Boolean()),
  rendered_apn_template: text,
  rendered_firebase_template: text,
  rendered_message: Type.Optional(Type.Record(Type.String(), Type.String())),
  event_type: text,
})

/** The events that can be pushed to phones [administration.md 8.4]. */
export const pushEvents = [
  'message.new',
  'message.updated',
  'reaction.new',
  'reaction.updated',
  'notification.reminder_due',
] as const
const pushEvent = Type.Enum([...pushEvents])

/** The push template of one provider for one kind of event; without a template the default is used. */
export const PushTemplate = Type.Object({
  event_type: pushEvent,
  enable_push: Type.Boolean(),
  template: text,
  push_provider_internal_id: Type.String(),
  created_at: Time,
  updated_at: Time,
})
export type PushTemplate = Static<typeof PushTemplate>

/** What is absent stays as it was; an empty template takes it away. */
export const PushTemplateRequest = Type.Object({
  event_type: pushEvent,
  push_provider_type: device.push_provider,
  push_provider_name: Type.Optional(NonEmpty),
  enable_push: Type.Optional(Type.Boolean()),
  template,
})
export type PushTemplateRequest = Static<typeof PushTemplateRequest>
export const PushTemplateAnswer = answer({ template: PushTemplate })
export const PushTemplatesAnswer = answer({ templates: Type.Array(PushTemplate) })

/** Without arguments the stored settings are tested. */
export const CheckSqsRequest = Type.Object({ sqs_url: text, sqs_key: text, sqs_secret: text })
export const CheckSnsRequest = Type.Object({ sns_topic_arn: text, sns_key: text, sns_secret: text })
/** Settings that do not work are no failed call. */
export const QueueCheckAnswer = answer({
  status: Type.Enum(['ok', 'error']),
  error: text,
  data: Type.Optional(Type.Object({})),
})
