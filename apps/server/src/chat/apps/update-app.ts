import { AppSettings, type UpdateAppRequest } from '@parley/protocol/apps'
import { inputError } from '../../platform/chat-error.ts'
import { isoOf, microsOf } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import { checkPredefinedFilters } from '../channels/predefined-filter.ts'
import { checkGrants, mergedGrants } from '../permissions/check-grants.ts'
import type { App, StoredSettings } from './app.ts'
import { wholeUploadConfig } from './app-settings.ts'
import { changeApp } from './change-app.ts'
import { isMasked, secretKeys, unmasked } from './masked.ts'
import { checkWebhookUrl, hasQueues, webhookSettings } from './webhook-settings.ts'

/** Settings that are URLs the server calls. */
const addresses = [
  'webhook_url',
  'moderation_webhook_url',
  'before_message_send_hook_url',
  'custom_action_handler_url',
] as const

/**
 * Changes the named settings; null resets one to its default [SET-2, administration.md 1.1].
 *
 * @throws ChatError InputError (4) — an invalid value, or a role or permission that does not exist
 */
export async function updateApp(server: Server, app: App, request: UpdateAppRequest): Promise<void> {
  const { grants, permission_version, enforce_unique_usernames, reminders_interval, ...simple } = request
  const { revoke_tokens_issued_before, file_upload_config, image_upload_config, event_hooks, push_config, ...plain } =
    simple
  if (permission_version && permission_version !== 'v2')
    throw inputError('permission_version', 'only v2 permissions are evaluated')
  if (grants) checkGrants(app, grants)
  for (const key of addresses) if (plain[key]) checkWebhookUrl(key, plain[key])
  const { server_url = '' } = plain.async_moderation_config?.callback ?? {}
  if (server_url !== '') checkWebhookUrl('async_moderation_config.callback.server_url', server_url)
  if (plain.predefined_filters) checkPredefinedFilters(plain.predefined_filters)
  const change: { [key: string]: unknown } = plain
  if (file_upload_config !== undefined)
    change.file_upload_config = file_upload_config && wholeUploadConfig(file_upload_config)
  if (image_upload_config !== undefined)
    change.image_upload_config = image_upload_config && wholeUploadConfig(image_upload_config)
  if (revoke_tokens_issued_before !== undefined)
    change.revoke_tokens_issued_before = timeOf(revoke_tokens_issued_before)
  if (enforce_unique_usernames !== undefined) change.enforce_unique_usernames = uniqueness(enforce_unique_usernames)
  if (reminders_interval !== undefined && reminders_interval !== 0) change.reminders_interval = reminders_interval

  const changed = await changeApp(server, app, async (whole) => {
    const { app: now, now: at, setSettings } = whole
    const settings: { [key: string]: unknown } = { ...now.stored }
    if (event_hooks !== undefined) change.event_hooks = event_hooks && webhookSettings(now.settings, event_hooks, at)
    if (push_config !== undefined) change.push_config = push_config && pushConfig(now.settings.push_config, push_config)
    if (plain.datadog_info) change.datadog_info = unmasked(plain.datadog_info, now.settings.datadog_info)
    for (const [key, value] of Object.entries(change)) {
      if (!Object.hasOwn(AppSettings.properties, key)) continue
      if (secretKeys.has(key) && isMasked(value)) continue
      if (value === null || value === '') delete settings[key]
      else settings[key] = value
    }
    settings.grants = mergedGrants(now.stored.grants, grants)
    await setSettings(settings as StoredSettings)
    for (const extension of server.extensions.apps) await extension.update?.(whole, request)
  })
  if (hasQueues(changed.settings)) server.log.warn({ app: app.id }, 'hooks to SQS and SNS are kept, and told nothing')
}

/** An app's push config, with the requested changes. */
function pushConfig(
  before: AppSettings['push_config'],
  { version, offline_only }: NonNullable<UpdateAppRequest['push_config']>,
): AppSettings['push_config'] {
  return { ...before, ...(version && { version }), ...(offline_only !== undefined && { offline_only }) }
}

/** @throws ChatError InputError (4) — blank, or not a timestamp [messaging.md 1.5] */
function timeOf(text: string | null): string | null {
  if (text === null) return null
  const at = microsOf(text)
  if (at === undefined) throw inputError('revoke_tokens_issued_before', 'must be a time such as 2026-01-31T10:00:00Z')
  return isoOf(at)
}

function uniqueness(value: string | boolean | null): string | null {
  if (typeof value === 'boolean') return value ? 'app' : 'no'
  return value === '' ? null : value
}
