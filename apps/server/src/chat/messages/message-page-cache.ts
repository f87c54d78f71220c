import type { ChannelRow, MessageRow } from '../../platform/database/tables.ts'
import type { Micros } from '../../platform/micros.ts'

/** Characters kept in all, and as many bytes of what was sent; of a server that nobody talks to, none. */
const CHARS_CACHED = 24 * 1024 * 1024
/** What a page, the rest of a plain message, and a row weigh besides, counted as characters. */
const PAGE_CHARS = 300
const MESSAGE_CHARS = 300
const ROW_CHARS = 1_500

/** A message that says the same to everybody: its JSON, but for the face of its author. */
export interface PlainMessage extends Pick<MessageRow, 'id' | 'cid' | 'user_id' | 'parent_id' | 'created_at'> {
  /** The object without `user`. */
  json: string
}

/** A message of a channel's newest page; one that is not plain is kept as it is stored. */
export type CachedMessage = PlainMessage | MessageRow

/** The newest messages of a channel, oldest first; undefined where not everybody sees the same ones. */
type Page = readonly CachedMessage[] | undefined

interface Kept {
  seq: number
  eventAt: Micros
  limit: number
  messages: Page
  chars: number
}

/**
 * The newest messages of the channels listed last, by channel: lists are asked for far more often than somebody speaks.
 *
 * Whatever changes a message is an event of its channel, so a page is good as long as the number and the time of the
 * newest event are those it was read at. The channel's row, read afresh for each answer, has them; so nobody has to be
 * told to forget, neither here nor on other nodes. What belongs to one reader is never kept.
 */
export class MessagePageCache {
  #pages = new Map<string, Kept>()
  #chars = 0
  #limit: number
  constructor(limit = CHARS_CACHED) {
    this.#limit = limit
  }

  /** @returns the page as it is now, of at least as many messages as asked for; nothing where it is not known */
  get({ app, cid, seq, event_at }: ChannelRow, limit: number): { messages: Page } | undefined {
    const key = `${app}|${cid}`
    const kept = this.#pages.get(key)
    if (!kept || kept.seq !== seq || kept.eventAt !== event_at || kept.limit < limit) return undefined
    // What was asked for last is forgotten last.
    this.#pages.delete(key)
    this.#pages.set(key, kept)
    return kept
  }

  /** @param channel as it was before its messages were read: they may be newer than it says, and never older */
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

/** Whether nobody but its author has a face in it, and every reader sees it in the same way at any time. */
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
