/** The messages in the answer for a channel. */

import { PINNED_IN_STATE } from '@parley/protocol/limits'
import type { Message } from '@parley/protocol/messages'
import type { User } from '@parley/protocol/users'
import type { Batch } from '../../platform/database/batch.ts'
import type { ChannelRow, MemberRow, MessageRow } from '../../platform/database/tables.ts'
import type { Piece } from '../../platform/http/send-answer.ts'
import type { Micros } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import { type UserSummaries, userSummariesFrom, userSummariesOf } from '../users/user-summaries.ts'
import { composeMessages } from './compose-messages.ts'
import { shownSince } from './message-access.ts'
import { type CachedMessage, canBePlain, isForAll, isPlain, type PlainMessage } from './message-page-cache.ts'
import { countBetween, messagesByIds, newestMessages, newestPins, ordinalBefore } from './message-store.ts'
import { messageWire } from './message-wire.ts'

/** The reader of the messages of several channels. */
export interface Reader {
  /** Undefined for the app's server. */
  id: string | undefined
  /** Since when the reader may see the history, by cid. */
  since: ReadonlyMap<string, Micros>
  /** The channels in which the reader sees all restricted messages. */
  unrestricted: readonly string[]
  /** The ids of messages that are different for this reader: with a draft or reminder, or deleted for them. */
  own: ReadonlySet<string>
}

/** A channel's messages in an answer. */
export interface MessagesShown {
  /** Their JSON, without the brackets of the array. */
  messages: Piece[]
  pinned: Message[]
}

/**
 * The newest messages and pins of several channels as one reader sees them, by cid. The number of queries does
 * not grow with the channels.
 *
 * @param channels the rows read for this answer
 * @param pages    pages already read for some channels, in place of their newest messages
 */
export async function messagesOfChannels(
  server: Server,
  app: string,
  channels: readonly ChannelRow[],
  limit: number,
  reader: Reader,
  pages?: ReadonlyMap<string, readonly MessageRow[]>,
): Promise<Map<string, MessagesShown>> {
  const { read, dialect } = server.database
  const cids = channels.map((channel) => channel.cid)
  const [shown, pins] = await Promise.all([
    pages ?? newestFor(server, app, channels, limit, reader),
    newestPins(read, dialect, app, reader.since, PINNED_IN_STATE, server.clock.micros(), reader.id),
  ])
  const messages = [...shown.values()].flat()
  const plain = messages.filter(isPlain)
  const own = new Set(plain.map((message) => message.id).filter((id) => reader.own.has(id)))
  const rows = [
    ...messages.filter((message): message is MessageRow => !isPlain(message)),
    ...(await messagesByIds(read, dialect, app, [...own])),
  ]
  const composed = await composeMessages(server, app, [...rows, ...pins], reader.id)
  const texts = new Map(rows.map((row, i) => [row.id, JSON.stringify(composed[i])]))
  const pinned = Map.groupBy(composed.slice(rows.length), (message) => message.cid)
  const userSummaries = await userSummariesOf(
    server,
    app,
    plain.map((message) => message.user_id),
  )
  const runsFor = (page: readonly CachedMessage[]) =>
    page.some(({ id }) => own.has(id))
      ? page.map((message) => (isPlain(message) && !own.has(message.id) ? textWith(userSummaries, message) : message))
      : runsOf(server, page, userSummaries)
  // A missing message was deleted for good after the page was read.
  const piecesOf = (page: readonly CachedMessage[]) =>
    runsFor(page).flatMap((run) => (isPiece(run) ? run : (texts.get(run.id) ?? [])))
  return new Map(
    cids.map((cid) => [cid, { messages: withCommas(piecesOf(shown.get(cid) ?? [])), pinned: pinned.get(cid) ?? [] }]),
  )
}

/** The number of messages in the channel's history from one time on, or until another. */
export function messagesBetween(
  { db }: Batch,
  { app, cid }: ChannelRow,
  from: Micros,
  before: Micros = Number.MAX_SAFE_INTEGER,
): Promise<number> {
  return countBetween(db, app, cid, from, before)
}

/** The ordinal of the last countable message posted before a time; 0 if there is none. */
export function lastCountedBefore({ db }: Batch, { app, cid }: ChannelRow, before: Micros): Promise<number> {
  return ordinalBefore(db, app, cid, before)
}

/** The newest messages of each channel that the reader may see, oldest first. */
async function newestFor(
  server: Server,
  app: string,
  channels: readonly ChannelRow[],
  limit: number,
  { id, since, unrestricted }: Reader,
): Promise<Map<string, readonly CachedMessage[]>> {
  if (limit === 0) return new Map()
  const { read, dialect } = server.database
  const pages = await newestPages(server, app, channels, limit)
  const closed = new Map([...since].filter(([cid]) => pages.get(cid) === undefined))
  const rows = await newestMessages(read, dialect, app, closed, limit, id, unrestricted)
  const visible = new Map<string, readonly CachedMessage[]>(Map.groupBy(rows, (row) => row.cid))
  for (const [cid, page] of pages) if (page) visible.set(cid, partOf(page, since.get(cid)!, limit))
  return visible
}

/** The part of a page a reader may see: the page itself if that is all of it, since its bytes may be cached. */
function partOf(page: readonly CachedMessage[], since: Micros, limit: number): readonly CachedMessage[] {
  const isAll = page.length <= limit && page.every((message) => message.created_at >= since)
  return isAll ? page : page.filter((message) => message.created_at >= since).slice(-limit)
}

/** The newest messages of each channel, oldest first; undefined if readers see different ones. */
async function newestPages(server: Server, app: string, channels: readonly ChannelRow[], limit: number) {
  const pages = new Map<string, readonly CachedMessage[] | undefined>()
  const unknown: ChannelRow[] = []
  for (const channel of channels) {
    const kept = server.pages.get(channel, limit)
    if (kept) pages.set(channel.cid, kept.messages)
    else unknown.push(channel)
  }
  if (unknown.length === 0) return pages

  const since = new Map(unknown.map((channel) => [channel.cid, shownSince(channel, undefined)]))
  const { read, dialect } = server.database
  const rows = await newestMessages(read, dialect, app, since, limit, undefined, [])
  const places = rows.filter(canBePlain)
  const members = new Map(
    (await server.channels.membersAt(app, places)).map((row) => [`${row.cid}|${row.user_id}`, row]),
  )
  const byCid = Map.groupBy(rows, (row) => row.cid)
  const userSummaries = userSummariesFrom(server, app, new Map())
  for (const channel of unknown) {
    const newest = byCid.get(channel.cid) ?? []
    const page = newest.every(isForAll)
      ? newest.map((row) =>
          canBePlain(row) ? plainOf(row, members.get(`${row.cid}|${row.user_id}`), userSummaries) : row,
        )
      : undefined
    server.pages.put(channel, limit, page)
    pages.set(channel.cid, page)
  }
  return pages
}

function plainOf(row: MessageRow, member: MemberRow | undefined, userSummaries: UserSummaries): PlainMessage {
  const { id, cid, user_id, parent_id, created_at } = row
  const { user: _, ...message } = messageWire(row, { userSummaries, now: 0, member, viewerId: undefined })
  return { id, cid, user_id, parent_id, created_at, json: JSON.stringify(message) }
}

type Run = Piece | CachedMessage

interface SentPage {
  /** The summaries of the plain messages' authors, in order. */
  userSummaries: readonly User[]
  runs: readonly Run[]
}

const sentPages = new WeakMap<readonly CachedMessage[], SentPage>()

/**
 * A page in runs: consecutive plain messages are bytes, built again only when a user summary in the page changes;
 * other messages stay rows.
 */
function runsOf(server: Server, page: readonly CachedMessage[], userSummaries: UserSummaries): readonly Run[] {
  const plain = page.filter(isPlain)
  const now = plain.map((message) => userSummaries.of(message.user_id))
  const sent = sentPages.get(page)
  if (sent && now.every((userSummary, i) => userSummary === sent.userSummaries[i])) return sent.runs

  const runs: Run[] = []
  let texts: string[] = []
  const endRun = () => {
    if (texts.length > 0) runs.push(Buffer.from(texts.join(',')))
    texts = []
  }
  for (const message of page) {
    const text = isPlain(message) && textWith(userSummaries, message)
    // File and image URLs are rewritten in each response, so messages with such URLs stay out of the shared bytes.
    if (text && server.files.staysAsItIs(text)) texts.push(text)
    else {
      endRun()
      runs.push(text || message)
    }
  }
  endRun()
  sentPages.set(page, { userSummaries: now, runs })
  return runs
}

function isPiece(run: Run): run is Piece {
  return typeof run === 'string' || Buffer.isBuffer(run)
}

function withCommas(pieces: readonly Piece[]): Piece[] {
  return pieces.flatMap((piece, i) => (i === 0 ? piece : [',', piece]))
}

function textWith(userSummaries: UserSummaries, { user_id, json }: PlainMessage): string {
  return `{"user":${userSummaryText(userSummaries.of(user_id))},${json.slice(1)}`
}

const userSummaryTexts = new WeakMap<User, string>()

/** The JSON of a user summary, which many messages share; built again only when the user changes. */
function userSummaryText(userSummary: User): string {
  let text = userSummaryTexts.get(userSummary)
  if (text === undefined) {
    text = JSON.stringify(userSummary)
    userSummaryTexts.set(userSummary, text)
  }
  return text
}
