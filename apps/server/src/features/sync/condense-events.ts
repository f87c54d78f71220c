import type { Message, QuotedMessage } from '@parley/protocol/messages'
import type { Poll } from '@parley/protocol/polls'
import type { Thread } from '@parley/protocol/threads'

export interface SyncEvent {
  [field: string]: unknown
  type?: string
  cid?: string
  message?: Message
  thread?: Thread
  poll?: Poll
  reminder?: { message?: Message }
}

/**
 * Prepares logged events for delivery now, in the same order. The log was written before later deletions: a
 * soft-deleted message has no text here either [MSG-36], and a hard-deleted one appears only as its deletion. Of each
 * user's read events only the latest is kept [messaging.md 10.4].
 */
export function condenseEvents(logged: readonly SyncEvent[]): SyncEvent[] {
  const tombstones = new Map<string, Message>()
  const erased = new Set<string>()
  const undeleted = new Set<string>()
  const haveRead = new Set<string>()
  /** Authors whose messages were deleted, as `<cid>|<user id>`, and whether not even a tombstone is left. */
  const silenced = new Map<string, { hard: boolean; at: string }>()
  const events: SyncEvent[] = []
  for (const said of logged.toReversed()) {
    const event = { ...said }
    const { type, cid, message } = event
    if (type === 'message.read') {
      const reader = `${cid}|${event.thread?.parent_message_id}|${(event.user as { id: string }).id}`
      if (haveRead.has(reader)) continue
      haveRead.add(reader)
    }
    if (type === 'user.messages.deleted') {
      const author = `${cid}|${(event.user as { id: string }).id}`
      const before = silenced.get(author)
      const hard = before?.hard === true || event.hard_delete === true
      silenced.set(author, { hard, at: String(event.created_at) })
    }
    for (const each of [message, message?.quoted_message, event.thread?.parent_message]) {
      const end = each && silenced.get(`${cid}|${each.user.id}`)
      if (!end || undeleted.has(each.id)) continue
      if (end.hard) erased.add(each.id)
      if (!tombstones.has(each.id)) tombstones.set(each.id, tombstoneOf(each, end.at))
    }
    if (event.thread) {
      if (erased.has(event.thread.parent_message_id)) continue
      event.thread = threadWithoutDeleted(event.thread, tombstones, erased)
    }
    if (message && type === 'message.undeleted' && !tombstones.has(message.id)) undeleted.add(message.id)
    if (message && type === 'message.deleted') {
      if (event.hard_delete === true) erased.add(message.id)
      if (!tombstones.has(message.id) && !undeleted.has(message.id)) tombstones.set(message.id, message)
    } else if (message && erased.has(message.id)) continue
    else if (message) event.message = withoutDeleted(message, tombstones, erased)
    events.push(event)
  }
  return events.reverse()
}

/** The tombstone of a message, as `message.deleted` carried it. */
function tombstoneOf(message: QuotedMessage, deleted_at: string): Message {
  return { ...message, type: 'deleted', text: '', html: '', attachments: [], mentioned_users: [], deleted_at }
}

function withoutDeleted(message: Message, tombstones: ReadonlyMap<string, Message>, erased: ReadonlySet<string>) {
  const gone = tombstones.get(message.id)
  if (gone) return gone
  const quoted = message.quoted_message && tombstones.get(message.quoted_message.id)
  if (!quoted) return message
  const { quoted_message: _, ...tombstone } = quoted
  return { ...message, quoted_message: erased.has(quoted.id) ? null : tombstone }
}

/** A thread without its own title is titled by its parent's text. */
function threadWithoutDeleted(thread: Thread, tombstones: ReadonlyMap<string, Message>, erased: ReadonlySet<string>) {
  const { parent_message: was, title } = thread
  const parent_message = withoutDeleted(was, tombstones, erased)
  return { ...thread, parent_message, title: title === was.text ? parent_message.text : title }
}
