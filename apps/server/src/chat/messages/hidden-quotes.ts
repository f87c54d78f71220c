/** What a message quotes may lie in a part of the history that who reads the message does not see [MSG-43]. */
import { type Micros, microsOf } from '../../platform/micros.ts'

interface Quoting {
  quoted_message?: { created_at: string } | null
}

/** Where an event shows messages that may quote another one. */
interface Showing {
  cid?: string
  message?: Quoting
  parent_message?: Quoting
  reminder?: { message?: Quoting }
  thread?: { parent_message?: Quoting; latest_replies?: Quoting[] }
}

/** A message as somebody is shown it who sees nothing of what was said up to a time. */
export function withoutHiddenQuote<Message extends Quoting>(message: Message, hiddenTo: Micros): Message {
  return isHidden(message, hiddenTo) ? { ...message, quoted_message: null } : message
}

/**
 * The same of an event as it is written; one that quotes nothing is not even read.
 *
 * @param hiddenToOf  up to when nothing of a channel is seen; 0 where everything is
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
