import type { Attachment, ChannelState, LocalMessage } from '@parley/client'
import { GROUP_WINDOW_MS } from '../limits.ts'

/** The place of a message in the group of consecutive messages of its author. */
export type GroupPlace = 'only' | 'first' | 'middle' | 'last'

/**
 * The ids of the parts of one message, so that its row is labelled by the parts that are rendered:
 * `aria-labelledby={`${author} ${body}`} aria-describedby={facts}`.
 *
 * @param rowId  unique on the page, the same from render to render
 */
export function messagePartIds(rowId: string) {
  const part = (name: string) => `${rowId}-${name}`
  const facts = { quote: part('quote'), reactions: part('reactions'), replies: part('replies'), about: part('about') }
  return { author: part('author'), body: part('body'), ...facts, facts: Object.values(facts).join(' ') }
}

/** Whether two adjacent messages share a group: same author, same day, little time between, nothing special. */
function sameGroup(older: LocalMessage, newer: LocalMessage): boolean {
  if (isSystem(older) || isSystem(newer)) return false
  return (
    older.user.id === newer.user.id &&
    newer.created_at.getTime() - older.created_at.getTime() < GROUP_WINDOW_MS &&
    older.created_at.toDateString() === newer.created_at.toDateString()
  )
}

export function groupPlace(
  previous: LocalMessage | undefined,
  message: LocalMessage,
  next: LocalMessage | undefined,
): GroupPlace {
  const joinsPrevious = previous !== undefined && sameGroup(previous, message)
  const joinsNext = next !== undefined && sameGroup(message, next)
  if (joinsPrevious) return joinsNext ? 'middle' : 'last'
  return joinsNext ? 'first' : 'only'
}

export function isSystem(message: LocalMessage): boolean {
  return message.type === 'system'
}

export function isDeleted(message: LocalMessage): boolean {
  return message.type === 'deleted' || message.deleted_at !== undefined
}

/** Held back until the product's own server approves it; only its author sees it. */
export function isKeptBack({ pending_messages }: ChannelState, { id }: LocalMessage): boolean {
  return pending_messages.some((pending) => pending.id === id)
}

/** The server answered with a refusal in place of the message, or only this client has it. */
export function wasNeverSent(message: LocalMessage): boolean {
  return message.type === 'error' || (message.status === 'failed' && message.attempt === 'send')
}

/** The preview of a link in the text, as opposed to an attachment added by the user. */
export function isPreview({ og_scrape_url }: Attachment): boolean {
  return Boolean(og_scrape_url)
}
