import type { LocalMessage, ReadState } from '@parley/client'

/** The line above the first new message. Its place is decided once and does not change [interface.md 7.5]. */
export interface NewMessagesLine {
  /** The first new message, if its id is known. */
  firstId: string | undefined
  /** The last message read at that time, if known; more may have been read since. */
  lastReadId?: string | undefined
  /** Every message younger than this is new. */
  after: Date
  count: number
  /** Why the line was drawn: the channel was opened, or messages arrived unseen. */
  made: 'opening' | 'live'
}

/** The line when a channel is opened; none if nothing is unread. */
export function lineAtOpening(read: ReadState | undefined): NewMessagesLine | undefined {
  if (!read || read.unread_messages === 0) return undefined
  return {
    firstId: read.first_unread_message_id,
    lastReadId: read.last_read_message_id,
    after: read.last_read,
    count: read.unread_messages,
    made: 'opening',
  }
}

/**
 * The message below the line; undefined while it is not loaded.
 *
 * @param messages  the loaded ones, oldest first; `hasOlder` when there are more before them
 */
export function firstNew(
  line: NewMessagesLine,
  { messages, hasOlder }: { messages: readonly LocalMessage[]; hasOlder: boolean },
  me: string | undefined,
): LocalMessage | undefined {
  const named = line.firstId && messages.find(({ id }) => id === line.firstId)
  if (named) return named
  const at = messages.findIndex((message) => message.created_at > line.after)
  // If the oldest loaded message is new, the first new one may lie before it.
  if (at < 0 || (at === 0 && hasOlder)) return undefined
  return messages.slice(at).find((message) => message.user.id !== me)
}
