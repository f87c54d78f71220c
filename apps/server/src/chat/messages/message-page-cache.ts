import type { ChannelRow, MessageRow } from '../../platform/database/tables.ts'
import type { Micros } from '../../platform/micros.ts'

/** The most characters cached in all, and as many bytes of sent pages; a server without requests uses none. */
const CHARS_CACHED = 24 * 1024 * 1024
/** The overhead of a page, a plain message and a row, counted as characters. */
const PAGE_CHARS = 300
const MESSAGE_CHARS = 300
const ROW_CHARS = 1_500

/** A message that is the same for every reader: its JSON without the user summary of its author. */
export interface PlainMessage extends Pick<MessageRow, 'id' | 'cid' | 'user_id' | 'parent_id' | 'created_at'> {
  /** The object without `user`. */
  json: string
}

/** A message of a channel's newest page; one that is not plain is cached as its row. */
export type CachedMessage = PlainMessage | MessageRow

/** The newest messages of a channel, oldest first; undefined if readers see different ones. */
type Page = readonly CachedMessage[] | undefined

interface Kept {
  seq: number
  eventAt: Micros
  limit: number
  messages: Page
  chars: number
}

/**
 * The newest messages of recently listed channels, by channel: clients list channels far more often than users post.
 *
 * Every change of a message is an event of its channel, so a page is valid while the sequence number and the time of
 * the newest event are those it was read at. The channel's row, read again for each answer, has both, so nodes need no
 * invalidation messages. Data of a single reader is never cached.
 */
export class MessagePageCache {
  #pages = new Map<string, Kept>()
  #chars = 0
  #limit: number
  constructor(limit = CHARS_CACHED) {
    this.#limit = limit
  }

  /** @returns the valid page, read with at least this limit; undefined if there is none */
  get({ app, cid, seq, event_at }: ChannelRow, limit: number): { messages: Page } | undefined {
    const key = `${app}|${cid}`
    const kept = this.#pages.get(key)
    if (!kept || kept.seq !== seq || kept.eventAt !== event_at || kept.limit < limit) return undefined
    // The page used last is evicted last.
    this.#pages.delete(key)
    this.#pages.set(key, kept)
    return kept
  }

  /** @param channel as it was before its messages were read: the messages may be newer than it, but never older */
  put({ app, cid, seq, event_at }: ChannelRow, limit: number, messages: Page) {
    const key = `${app}|${cid}`
    this.#forget(key)
    const chars = (messages ?? []).reduce((sum, message) => sum + charsOf(message), PAGE_CHARS)
    this.#pages.set(key, { seq, eventAt: event_at, limit, messages, chars })
    this.#chars += chars
    for (const oldest of this.#pages.keys()) {
      if (this.#chars <= this.#limit) break
      this.#forget(oldest)
    }
  }

  clear() {
    this.#pages.clear()
    this.#chars = 0
  }

  #forget(key: string) {
    this.#chars -= this.#pages.get(key)?.chars ?? 0
    this.#pages.delete(key)
  }
}

function charsOf(message: CachedMessage): number {
  if (isPlain(message)) return MESSAGE_CHARS + message.json.length
  return ROW_CHARS + message.text.length + message.data.length + (message.attachments_json?.length ?? 0)
}

export function isPlain(message: CachedMessage): message is PlainMessage {
  return 'json' in message
}

/** Whether it shows no user summary but its author's, and is the same for every reader at any time. */
export function canBePlain(row: MessageRow): boolean {
  return (
    row.reaction_groups_json === null &&
    row.mentions_json === null &&
    row.thread_participants_json === null &&
    row.quoted_message_id === null &&
    row.poll_id === null &&
    row.pinned_at === null &&
    isForAll(row)
  )
}

export function isForAll({ shadowed, restricted_json }: MessageRow): boolean {
  return shadowed === 0 && restricted_json === null
}
