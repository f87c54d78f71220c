import { isInChannel, isMineAlone, type LocalMessage } from '../messages/local-message.ts'
import type { Message } from '../shapes.ts'

/** The inputs of the unread rule besides the message. */
export interface UnreadContext {
  /** The current user; undefined for server-side and anonymous clients, which count nothing. */
  readonly reader: string | undefined
  readonly mutedUserIDs: ReadonlySet<string>
  readonly channelIsMuted: boolean
  /** `undefined` before the channel is loaded: then nothing counts. */
  readonly capabilities: readonly string[] | undefined
}

/** Whether a message counts as unread in its channel [READ-7…READ-14]. */
export function countsAsUnread(message: Message | LocalMessage, context: UnreadContext): boolean {
  const { reader, mutedUserIDs, channelIsMuted, capabilities } = context
  if (reader === undefined) return false
  if (message.shadowed || message.silent) return false
  if (!isInChannel(message) || isMineAlone(message)) return false
  if (message.user?.id === reader || mutedUserIDs.has(message.user?.id ?? '')) return false
  return !channelIsMuted && capabilities !== undefined && capabilities.includes('read-events')
}
