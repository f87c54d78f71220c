/** Sends read positions to the server. */
import { MARK_UNREAD_WINDOW } from '@parley/protocol/limits'
import type { ChannelContext } from '../channels/channel-context.ts'
import type { ChannelState } from '../channels/channel-state.ts'
import { clientError } from '../chat-error.ts'
import type { ChatEvent } from '../events.ts'
import { latestSet } from '../messages/message-sets.ts'
import type { Answer, CallOptions } from '../shapes.ts'

/**
 * Marks the channel or one of its threads read.
 * @returns null, without a request, if the channel keeps no read state
 */
export async function markRead(
  context: ChannelContext,
  options: { message_id?: string; thread_id?: string; client_id?: string; user_id?: string } = {},
  call: CallOptions = {},
): Promise<Answer<{ event: ChatEvent<'message.read'> | null }> | null> {
  if (!keepsReads(context)) return null
  return context.call('POST', '/read', { body: options, ...call })
}

/**
 * Marks the channel unread from the named message on.
 * @throws ChatError CLIENT_MARK_UNREAD_TOO_OLD — only the newest 100 can be named [READ-17]
 */
export async function markUnread(
  context: ChannelContext,
  options: { message_id?: string; message_timestamp?: string; thread_id?: string; user_id?: string },
  call: CallOptions = {},
): Promise<Answer | null> {
  if (!keepsReads(context)) return null
  if (options.message_id && isOlderThanNewest(context.channel.state, options.message_id, MARK_UNREAD_WINDOW)) {
    const text = `Cannot mark unread messages older than the newest ${MARK_UNREAD_WINDOW} channel messages.`
    throw clientError('CLIENT_MARK_UNREAD_TOO_OLD', `Error marking message unread. ${text}`)
  }
  return context.call('POST', '/unread', { body: options, ...call })
}

/** @throws ChatError CLIENT_CHANNEL_NOT_INITIALIZED */
function keepsReads({ channel, host, checkInitialized }: ChannelContext): boolean {
  if (host.isServerSide) return true
  checkInitialized()
  return channel.data.config?.read_events !== false
}

/** Whether the loaded messages prove that it is too old; otherwise the server decides. */
function isOlderThanNewest(state: ChannelState, messageID: string, count: number): boolean {
  const newest = latestSet(state.sets)?.messages.filter(({ status }) => status === 'received') ?? []
  const at = newest.findIndex(({ id }) => id === messageID)
  return at >= 0 && newest.length - at > count
}
