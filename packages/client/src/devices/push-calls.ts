/** Push providers and their tests; only for the application's own server [administration.md 8.2, 8.7]. */
import type { Calling } from '../calling.ts'
import type { Answer, CallOptions } from '../shapes.ts'
import type { PushProviderKind } from './device-calls.ts'

/** The fields of each kind begin with its name, for example `apn_auth_key`. */
export type PushProvider = { type: PushProviderKind; name: string; description?: string } & Record<string, unknown>

export function listPushProviders(
  client: Calling,
  call: CallOptions = {},
): Promise<Answer<{ push_providers: PushProvider[] }>> {
  return client.request('GET', '/push_providers', call)
}

export function upsertPushProvider(
  client: Calling,
  provider: PushProvider,
  call: CallOptions = {},
): Promise<Answer<{ push_provider: PushProvider }>> {
  return client.request('POST', '/push_providers', { body: { push_provider: provider }, ...call })
}

export function deletePushProvider(
  client: Calling,
  { type, name }: { type: PushProviderKind; name: string },
  call: CallOptions = {},
): Promise<Answer> {
  return client.request('DELETE', `/push_providers/${type}/${encodeURIComponent(name)}`, call)
}

export function testPushSettings(
  client: Calling,
  userID: string,
  options: {
    message_id?: string
    apn_template?: string
    firebase_template?: string
    firebase_data_template?: string
    push_provider_type?: PushProviderKind
    push_provider_name?: string
    skip_devices?: boolean
  } = {},
  call: CallOptions = {},
): Promise<Answer<{ general_errors?: string[]; device_errors?: Record<string, unknown> } & Record<string, unknown>>> {
  return client.request('POST', '/check_push', { body: { user_id: userID, ...options }, ...call })
}

/** The result of a test of queue settings; wrong settings are no HTTP error. */
export type QueueCheck = { status: 'ok' | 'error'; error?: string; data?: Record<string, unknown> }

export function testSQSSettings(
  client: Calling,
  settings: { sqs_url?: string; sqs_key?: string; sqs_secret?: string } = {},
  call: CallOptions = {},
): Promise<Answer<QueueCheck>> {
  return client.request('POST', '/check_sqs', { body: settings, ...call })
}

export function testSNSSettings(
  client: Calling,
  settings: { sns_topic_arn?: string; sns_key?: string; sns_secret?: string } = {},
  call: CallOptions = {},
): Promise<Answer<QueueCheck>> {
  return client.request('POST', '/check_sns', { body: settings, ...call })
}
