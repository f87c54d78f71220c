/** A user's push devices and push preferences [administration.md 8.1, 8.6]. */
import type { Calling } from '../calling.ts'
import type { ClientContext } from '../client-context.ts'
import type { Answer, CallOptions } from '../shapes.ts'

export type PushProviderKind = 'apn' | 'firebase' | 'huawei' | 'xiaomi'

/** [DEV-1] */
export interface Device {
  id: string
  push_provider: PushProviderKind
  push_provider_name?: string
  user_id: string
  disabled?: boolean
  disabled_reason?: string
  created_at: string
}

export type PushLevel = 'all' | 'mentions' | 'direct_mentions' | 'all_mentions' | 'none' | 'default'

/** For one channel if `channel_cid` is given, else for all channels without preferences of their own. */
export interface PushPreference {
  user_id?: string
  channel_cid?: string
  chat_level?: PushLevel
  chat_preferences?: Record<string, unknown>
  /** No pushes until then, at any level. */
  disabled_until?: string
  remove_disable?: boolean
}

/**
 * Adds a device; the same id again changes it. At most 25 a user: the oldest is removed [DEV-3].
 *
 * @param userID        the device's user, for a client with the secret; without it, the current user
 * @param providerName  the name of the provider, if there are several of that kind
 */
export function addDevice(
  client: Calling,
  id: string,
  provider: PushProviderKind,
  userID?: string,
  providerName?: string,
  call: CallOptions = {},
): Promise<Answer> {
  const body = { id, push_provider: provider, push_provider_name: providerName, user_id: userID }
  return client.request('POST', '/devices', { body, ...call })
}

/** [DEV-2] */
export function getDevices(
  client: Calling,
  userID?: string,
  call: CallOptions = {},
): Promise<Answer<{ devices: Device[] }>> {
  return client.request('GET', '/devices', { query: { user_id: userID }, ...call })
}

/** @throws ChatError DoesNotExistError (16) [DEV-4] */
export function removeDevice(client: Calling, id: string, userID?: string, call: CallOptions = {}): Promise<Answer> {
  return client.request('DELETE', '/devices', { query: { id, user_id: userID }, ...call })
}

/**
 * Sets the user's own preferences; with the secret, each entry names its user. `client.user.push_preferences` has those
 * for all channels from then on, and `user.updated` is dispatched.
 */
export function setPushPreferences(
  client: ClientContext,
  preferences: readonly PushPreference[],
  call: CallOptions = {},
): Promise<
  Answer<{
    user_preferences: Record<string, PushPreference>
    user_channel_preferences: Record<string, Record<string, PushPreference>>
  }>
> {
  type Told = Awaited<ReturnType<typeof setPushPreferences>>
  const request = () => client.request<Told>('POST', '/push_preferences', { body: { preferences }, ...call })
  return client.asks({}, call, request, (answer, events) => {
    const me = client.me()
    const push_preferences = answer.user_preferences?.[me?.id ?? '']
    const isTold = events.some((event) => event.type === 'user.updated' && event.user.push_preferences !== undefined)
    // The server may have published the event already, and a newer one since.
    if (push_preferences && !isTold) client.tell({ type: 'user.updated', user: { ...me, push_preferences } })
    return answer
  })
}
