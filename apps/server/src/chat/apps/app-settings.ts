import type { AppSettings, UploadConfig } from '@parley/protocol/apps'

const anything: UploadConfig = {
  size_limit: 0,
  allowed_file_extensions: [],
  blocked_file_extensions: [],
  allowed_mime_types: [],
  blocked_mime_types: [],
}

/** Lifetime of a signed file URL [administration.md 1.2]. */
const FORTNIGHT_SECONDS = 14 * 86_400

/** The defaults of an app's settings [administration.md 1.2]. */
export const defaultSettings: AppSettings = {
  disable_auth_checks: false,
  disable_permissions_checks: false,
  multi_tenant_enabled: false,
  enforce_unique_usernames: 'no',
  user_search_disallowed_roles: [],
  guest_user_creation_disabled: false,
  async_url_enrich_enabled: false,
  auto_translation_enabled: false,
  reminders_interval: 300,
  reminders_max_members: 10,
  reminders_max_per_user: 250,
  shared_locations_enabled: true,
  user_response_time_enabled: false,
  channel_hide_members_only: false,
  cdn_expiration_seconds: FORTNIGHT_SECONDS,
  file_upload_config: anything,
  image_upload_config: anything,
  image_moderation_enabled: false,
  image_moderation_labels: [],
  image_moderation_block_labels: [],
  member_custom_on_messages_enabled: false,
  moderation_enabled: true,
  moderation_webhook_url: '',
  allowed_flag_reasons: [],
  custom_action_handler_url: '',
  predefined_filters: {},
  before_message_send_hook_attempt_timeout_ms: 1_000,
  event_hooks: [],
  webhook_url: '',
  webhook_events: [],
  enable_hook_payload_compression: false,
  push_config: { version: 'v2', offline_only: false },
  sqs_url: '',
  sqs_key: '',
  sqs_secret: '',
  sns_topic_arn: '',
  sns_key: '',
  sns_secret: '',
  revoke_tokens_issued_before: null,
}

/** Merges a partial upload config [administration.md 1.1]. */
export function wholeUploadConfig(sent: Partial<UploadConfig>): UploadConfig {
  return { ...anything, ...sent }
}
