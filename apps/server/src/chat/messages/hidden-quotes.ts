/** Removes quoted messages that lie in a part of the history hidden from the reader [MSG-43]. */
import { type Micros, microsOf } from '../../platform/micros.ts'

interface Quoting {
  quoted_message?: { created_at: string } | null
}

/** The parts of an event with messages that may quote another one. */
interface Showing {
  cid?: string
  message?: Quoting
  parent_message?: Quoting
  reminder?: { message?: Quoting }
  thread?: { parent_message?: Quoting; latest_replies?: Quoting[] }
}

/** A message for a reader from whom the history up to a time is hidden. */
export function withoutHiddenQuote<Message extends Quoting>(message: Message, hiddenTo: Micros): Message {
  return isHidden(message, hiddenTo) ? { ...message, quoted_message: null } : message
}

/**
 * The same for the JSON text of an event; an event without a quoted message is not even parsed.
 *
 * @param hiddenToOf  up to when a channel's history is hidden, by cid; 0 if nothing is
 */
export function withoutHiddenQuotes(text: string, hiddenToOf: (cid: string) => Micros): string {
  if (!text.includes('"quoted_message":{')) return text
  const { message, parent_message, reminder, thread, ...rest }: Showing = JSON.parse(text)
  const hiddenTo = rest.cid === undefined ? 0 : hiddenToOf(rest.cid)
  if (hiddenTo === 0) return text
  const bare = <Shown extends Quoting>(shown: Shown) => withoutHiddenQuote(shown, hiddenTo)
  return JSON.stringify({
    ...rest,
    ...(message && { message: bare(message) }),
    ...(parent_message && { parent_message: bare(parent_message) }),
    ...(reminder && { reminder: { ...reminder, ...(reminder.message && { message: bare(reminder.message) }) } }),
    ...(thread && {
      thread: {
        ...thread,
        ...(thread.parent_message && { parent_message: bare(thread.parent_message) }),
        ...(thread.latest_replies && { latest_replies: thread.latest_replies.map(bare) }),
      },
    }),
  })
}

function isHidden({ quoted_message }: Quoting, hiddenTo: Micros): boolean {
  return quoted_message != null && (microsOf(quoted_message.created_at) ?? 0) <= hiddenTo
}
