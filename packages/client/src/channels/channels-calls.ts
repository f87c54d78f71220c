/** Plain calls about several channels. */
import type { ChatEvent as WireEvent } from '@parley/protocol/events'
import type { Calling } from '../calling.ts'
import type { Answer, CallOptions, UnreadAnswer } from '../shapes.ts'

export function markChannelsRead(
  client: Calling,
  options: { read_by_channel?: Record<string, string>; user_id?: string } = {},
  call: CallOptions = {},
): Promise<Answer> {
  return client.request('POST', '/channels/read', { body: options, ...call })
}

export function getUnreadCount(
  client: Calling,
  userID?: string,
  call: CallOptions = {},
): Promise<Answer<UnreadAnswer>> {
  return client.request('GET', '/unread', { query: { user_id: userID ?? client.userID }, ...call })
}

export function sync(
  client: Calling,
  cids: readonly string[],
  lastSyncAt: string,
  options: { with_inaccessible_cids?: boolean; user_id?: string } = {},
  call: CallOptions = {},
): Promise<Answer<{ events: WireEvent[]; inaccessible_cids?: string[] }>> {
  const { user_id, ...query } = options
  const body = { channel_cids: cids, last_sync_at: lastSyncAt, user_id }
  return client.request('POST', '/sync', { body, query, ...call })
}

export function deleteChannels(
  client: Calling,
  cids: readonly string[],
  options: { hard_delete?: boolean } = {},
  call: CallOptions = {},
): Promise<Answer<{ task_id?: string; result: Record<string, { status: string; error?: string }> }>> {
  return client.request('POST', '/channels/delete', { body: { cids, ...options }, ...call })
}

export function getCallToken(
  client: Calling,
  callID: string,
  options: { user_id?: string } = {},
  call: CallOptions = {},
): Promise<Answer<{ token: string }>> {
  return client.request('POST', `/calls/${encodeURIComponent(callID)}`, { body: options, ...call })
}
