/** Calls about several channels. */
import type { Calling } from '../calling.ts'
import type { AnsweredEvent } from '../events.ts'
import type { Answer, CallOptions, UnreadAnswer } from '../shapes.ts'

/** Marks the named channels read (cid → last read message, '' for all messages), or every channel. */
export function markChannelsRead(
  client: Calling,
  options: { read_by_channel?: Record<string, string>; user_id?: string } = {},
  call: CallOptions = {},
): Promise<Answer> {
  return client.request('POST', '/channels/read', { body: options, ...call })
}

/** The user's unread counts: in total, per channel, per channel type and per thread. */
export function getUnreadCount(
  client: Calling,
  userID?: string,
  call: CallOptions = {},
): Promise<Answer<UnreadAnswer>> {
  return client.request('GET', '/unread', { query: { user_id: userID }, ...call })
}

/**
 * The events of the named channels since a time, oldest first [CON-18].
 * @throws ChatError InputError (4): too long ago, or too many events; query the channels instead [CON-25]
 */
export function sync(
  client: Calling,
  cids: readonly string[],
  lastSyncAt: string,
  options: { with_inaccessible_cids?: boolean; user_id?: string } = {},
  call: CallOptions = {},
): Promise<Answer<{ events: AnsweredEvent[]; inaccessible_cids?: string[] }>> {
  const { user_id, ...query } = options
  const body = { channel_cids: cids, last_sync_at: lastSyncAt, user_id }
  return client.request('POST', '/sync', { body, query, ...call })
}

/** Deletes up to 100 channels at once; the answer has the result for each. */
export function deleteChannels(
  client: Calling,
  cids: readonly string[],
  options: { hard_delete?: boolean } = {},
  call: CallOptions = {},
): Promise<Answer<{ task_id?: string; result: Record<string, { status: string; error?: string }> }>> {
  return client.request('POST', '/channels/delete', { body: { cids, ...options }, ...call })
}

/** A token for a video call, which is another product; a server without calls refuses with code 4 [CHN-27]. */
export function getCallToken(
  client: Calling,
  callID: string,
  options: { user_id?: string } = {},
  call: CallOptions = {},
): Promise<Answer<{ token: string }>> {
  return client.request('POST', `/calls/${encodeURIComponent(callID)}`, { body: options, ...call })
}
