import Type, { type Static } from 'typebox'
import { ChannelType } from './channel-types.ts'
import { PushConfigs, PushNotifications } from './devices.ts'
import { PredefinedFilter } from './filters.ts'
import { EventHook, EventHookRequest, PendingCallback, PendingTimeout } from './hooks.ts'
import { HOOK_MS_MAX, TIMEOUT_MINUTES_MAX } from './limits.ts'
import { Grants } from './permissions.ts'
import { answer, DecidingTime, refusesEmpty, Time } from './wire.ts'

/** What may be uploaded [administration.md 1.4]. */
export const UploadConfig = Type.Object({
  /** In bytes; 0 is the largest there is, 100 MB. */
  size_limit: Type.Integer({ minimum: 0 }),
  allowed_file_extensions: Type.Array(Type.String()),
  blocked_file_extensions: Type.Array(Type.String()),
  allowed_mime_types: Type.Array(Type.String({ pattern: '^[^/\\s]+/[^/\\s]+$' })),
  blocked_mime_types: Type.Array(Type.String({ pattern: '^[^/\\s]+/[^/\\s]+$' })),
})
export type UploadConfig = Static<typeof UploadConfig>

const settings = {
  disable_auth_checks: Type.Boolean({ description: 'accept tokens with any signature; never in production' }),
  disable_permissions_checks: Type.Boolean({ description: 'every user may do everything' }),
  multi_tenant_enabled: Type.Boolean(),
  enforce_unique_usernames: Type.Enum(['no', 'app', 'team']),
  user_search_disallowed_roles: Type.Array(Type.String()),
  guest_user_creation_disabled: Type.Boolean(),
  async_url_enrich_enabled: Type.Boolean({ description: 'link previews follow by message.updated' }),
  auto_translation_enabled: Type.Boolean(),
  reminders_interval: Type.Integer({ minimum: 60, maximum: 86_400, description: 'seconds' }),
  reminders_max_members: Type.Integer({ minimum: 0 }),
  reminders_max_per_user: Type.Integer({ minimum: 0 }),
  shared_locations_enabled: Type.Boolean(),
  user_response_time_enabled: Type.Boolean(),
  channel_hide_members_only: Type.Boolean(),
  cdn_expiration_seconds: Type.Integer({
    minimum: 0,
    maximum: TIMEOUT_MINUTES_MAX * 60,
    description: 'life of signed addresses of files',
  }),
  file_upload_config: UploadConfig,
  image_upload_config: UploadConfig,
  image_moderation_enabled: Type.Boolean({ description: 'kept; no engine for pictures is plugged in' }),
  image_moderation_labels: Type.Array(Type.String()),
  image_moderation_block_labels: Type.Array(Type.String()),
  member_custom_on_messages_enabled: Type.Boolean({ description: 'kept; messages show what their channel adds' }),
  moderation_enabled: Type.Boolean({ description: 'whether the configurations of moderators are asked' }),
  moderation_webhook_url: Type.String({ description: 'one more webhook, for moderation events only' }),
  allowed_flag_reasons: Type.Array(Type.String()),
  custom_action_handler_url: Type.String(),
  predefined_filters: Type.Record(Type.String(), PredefinedFilter, {
    description: 'queries of channels by name: these and no others',
  }),
  before_message_send_hook_attempt_timeout_ms: Type.Integer({
    minimum: 0,
    maximum: HOOK_MS_MAX,
    description: '0 for 1000',
  }),
  event_hooks: Type.Array(EventHook, { description: 'where events go besides the sockets' }),
  webhook_url: Type.String({ description: 'one more hook, in the older form' }),
  webhook_events: Type.Array(Type.String(), { description: 'the events that this webhook receives; empty for all' }),
  enable_hook_payload_compression: Type.Boolean(),
  push_config: Type.Object({
    version: Type.Enum(['v1', 'v2', 'v3']),
    offline_only: Type.Boolean({ description: 'connected users are not notified' }),
  }),
  sqs_url: Type.String(),
  sqs_key: Type.String(),
  sqs_secret: Type.String(),
  sns_topic_arn: Type.String(),
  sns_key: Type.String(),
  sns_secret: Type.String(),
}

/** Absent until set. */
const extras = {
  before_message_send_hook_url: Type.String({
    description: 'is asked what to make of every message before it is sent',
  }),
  async_moderation_config: Type.Object(
    {
      timeout_ms: Type.Optional(PendingTimeout),
      callback: Type.Optional(Type.Object({ ...PendingCallback.properties, server_url: Type.Optional(Type.String()) })),
    },
    { description: 'one more hook about waiting messages, in the older form' },
  ),
  moderation_dashboard_preferences: Type.Record(Type.String(), Type.Unknown()),
  datadog_info: Type.Object({
    api_key: Type.Optional(Type.String()),
    site: Type.Optional(Type.String()),
    enabled: Type.Optional(Type.Boolean()),
  }),
}

/** What the administrators of an app set [administration.md 1.2]. */
export const AppSettings = Type.Object({
  ...settings,
  ...Type.Partial(Type.Object(extras)).properties,
  /** Tokens issued before are refused; null for none. */
  revoke_tokens_issued_before: Type.Union([Time, Type.Null()]),
})
export type AppSettings = Static<typeof AppSettings>

const orNull = <Shape extends Type.TSchema>(shape: Shape) => Type.Optional(Type.Union([shape, Type.Null()]))
const changeable = { ...settings, ...extras }
const partialUpload = Type.Partial(UploadConfig)

/**
 * Any part of the settings; null puts one back to its default, what is not known is ignored [administration.md 1.1].
 */
export const UpdateAppRequest = Type.Object({
  ...(Object.fromEntries(Object.entries(changeable).map(([key, shape]) => [key, orNull(shape)])) as {
    [Key in keyof typeof changeable]: Type.TOptional<Type.TUnion<[(typeof changeable)[Key], Type.TNull]>>
  }),
  /** Older callers send a boolean. */
  enforce_unique_usernames: Type.Optional(
    Type.Union([Type.Enum(['no', 'app', 'team']), Type.Boolean(), Type.Literal(''), Type.Null()]),
  ),
  /** 0 leaves it as it is. */
  reminders_interval: orNull(Type.Union([Type.Integer({ minimum: 60, maximum: 86_400 }), Type.Literal(0)])),
  file_upload_config: orNull(partialUpload),
  image_upload_config: orNull(partialUpload),
  /** These and no others; an empty list takes all away. */
  event_hooks: orNull(Type.Array(EventHookRequest, { maxItems: 20 })),
  push_config: orNull(
    Type.Object({
      version: Type.Optional(Type.Enum(['v1', 'v2', 'v3', ''])),
      offline_only: Type.Optional(Type.Boolean()),
    }),
  ),
  ...PushConfigs.properties,
  revoke_tokens_issued_before: Type.Optional(Type.Union([DecidingTime, Type.Null()], refusesEmpty)),
  permission_version: orNull(Type.String()),
  grants: orNull(Grants),
})
export type UpdateAppRequest = Static<typeof UpdateAppRequest>

const { push_config: _, ...shown } = AppSettings.properties
/** All of an app's settings, for its server. */
export const App = Type.Object({
  ...shown,
  push_notifications: PushNotifications,
  revoke_tokens_issued_before: Type.Optional(Time),
  id: Type.Integer({ description: 'which app this is, as a number; calls name it by its key' }),
  name: Type.String(),
  organization: Type.String(),
  placement: Type.String(),
  suspended: Type.Boolean(),
  suspended_explanation: Type.String(),
  permission_version: Type.Literal('v2'),
  policies: Type.Object({}),
  allow_multi_user_devices: Type.Boolean(),
  campaign_enabled: Type.Boolean(),
  use_hook_v2: Type.Boolean(),
  call_types: Type.Object({}),
  grants: Grants,
  channel_configs: Type.Record(Type.String(), ChannelType),
})

/** What a client may know of the app; no secret ever [SET-1, SET-4]. */
export const AppSeen = Type.Object({
  name: Type.String(),
  file_upload_config: UploadConfig,
  image_upload_config: UploadConfig,
  auto_translation_enabled: Type.Boolean(),
  async_url_enrich_enabled: Type.Boolean(),
})

export const AppAnswer = answer({
  app: Type.Union([App, AppSeen]),
  translation_enabled: Type.Boolean({ description: 'messages can be translated on request' }),
})
