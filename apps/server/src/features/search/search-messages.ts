import type { Channel } from '@parley/protocol/channels'
import { SEARCH_CHANNELS_MAX, SEARCH_DEPTH_MAX, SEARCH_PAGE_MAX } from '@parley/protocol/limits'
import type { SearchPayload, SearchResult, SearchWarning } from '@parley/protocol/search'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Static } from 'typebox'
import type { Caller } from '../../chat/api/caller.ts'
import { readerOf } from '../../chat/api/reader.ts'
import type { Access } from '../../chat/channels/channel-access.ts'
import { channelsShown } from '../../chat/channels/channels-shown.ts'
import { type SearchedChannel, searchableChannels } from '../../chat/channels/searchable-channels.ts'
import { composeMessages } from '../../chat/messages/compose-messages.ts'
import { shownSince } from '../../chat/messages/message-access.ts'
import { messageEntity } from '../../chat/messages/message-filter.ts'
import { keptBy, meantFor, restrictedFor } from '../../chat/messages/message-recipients.ts'
import { inputError } from '../../platform/chat-error.ts'
import { pageOf, type RowsAsked, reading, rowsOf } from '../../platform/database/cursor.ts'
import { type Dialect, marks } from '../../platform/database/dialect.ts'
import {
  compileFilter,
  compileSort,
  type Entity,
  filterCost,
  wrongType,
} from '../../platform/database/filter-compiler.ts'
import type { MessageRow, Tables } from '../../platform/database/tables.ts'
import { isUnspaced, spaced, type Wanted, wantedOf } from '../../platform/database/words.ts'
import type { Server } from '../../server.ts'
import { findMessages, type MessageQuery } from './search-store.ts'
import { windowsBefore } from './windows.ts'

/** Channels with no more messages than this in total are scanned one by one. */
const FEW_MESSAGES = 20_000
/** Among this many of the newest matches, those with an exact phrase come first. */
const WEIGHED = 100

const byRelevance = [
  { field: 'relevance', direction: -1 as const },
  { field: 'id', direction: 1 as const },
]

/**
 * Messages matching a search, in the channels matching a filter, as far as the caller may read them [SRCH-1, SRCH-7].
 *
 * The newest are the most relevant, but messages that contain several query terms as a phrase come first.
 *
 * @throws ChatError InputError (4) — not exactly one of query and message filter is given, `offset` beside `next`
 *   [SRCH-6], or `next` leads too deep [SRCH-8]
 */
export async function searchMessages(
  server: Server,
  caller: Caller,
  payload: Static<typeof SearchPayload>,
): Promise<{ results: SearchResult[]; next?: string; previous?: string; results_warning?: SearchWarning }> {
  const page = pageAsked(payload)
  const sought = soughtBy(payload)
  const found = await searchableChannels(server, caller, payload.filter_conditions, SEARCH_CHANNELS_MAX + 1)
  const searched = found.slice(0, SEARCH_CHANNELS_MAX)
  const isVain = searched.length === 0 || sought === 'nothing'
  const rows = isVain ? [] : await matches(server, caller, searched, sought, page)
  const { shown, around } = pageOf(rows, page, SEARCH_DEPTH_MAX)
  return {
    results: await resultsOf(server, caller, shown),
    ...(around.next !== undefined && { next: around.next }),
    ...(around.prev !== undefined && { previous: around.prev }),
    ...(found.length > searched.length && { results_warning: warningOf(searched) }),
  }
}

function pageAsked({ filter_conditions, limit, offset, next }: Static<typeof SearchPayload>): RowsAsked {
  if (Object.keys(filter_conditions).length === 0)
    throw inputError('filter_conditions', 'filter_conditions must name the channels to search in')
  if (offset !== undefined && next !== undefined) throw inputError('offset', 'Cannot specify offset with next')
  const rows = rowsOf({ ...(limit !== undefined && { limit }), ...(next !== undefined && { next }) }, SEARCH_PAGE_MAX)
  if (rows.offset >= SEARCH_DEPTH_MAX)
    throw inputError('next', `a search gives ${SEARCH_DEPTH_MAX} messages at most; narrow it to find others`)
  return next === undefined ? { ...rows, offset: offset ?? 0 } : rows
}

/** A parsed search: terms for the index, all else for the filter. */
interface Sought {
  words: Wanted[]
  /** The phrases of the query. */
  phrases: string[]
  filter: Fields
  sort: NonNullable<Static<typeof SearchPayload>['sort']>
}

type Fields = Readonly<Record<string, unknown>>

/** @returns 'nothing' if the query contains no term */
function soughtBy({ query = '', message_filter_conditions, sort }: Static<typeof SearchPayload>): Sought | 'nothing' {
  if ((query === '') === (message_filter_conditions === undefined))
    throw inputError('query', 'give exactly one of query and message_filter_conditions')
  const { asked, filter } = takeWords(message_filter_conditions ?? { text: { $q: query } })
  const words = asked.map(({ text, beginnings }) => wantedOf(text, { beginnings }))
  if (asked.some(({ text }, i) => words[i]!.length === 0 && text.trim() !== '')) return 'nothing'
  return {
    words: words.flat(),
    phrases: asked.map(({ text }) => spaced(text).trim()),
    filter,
    sort: sort?.length ? sort : byRelevance,
  }
}

/** Removes required terms from a filter and returns them. */
function takeWords(filter: Fields): { asked: { text: string; beginnings: boolean }[]; filter: Fields } {
  const { text, $and, ...others } = filter
  if (!isFields(text) && !Array.isArray($and)) return { asked: [], filter }
  const { $q, $autocomplete, ...conditions } = isFields(text) ? text : {}
  const inner = Array.isArray($and)
    ? $and.map((part) => (isFields(part) ? takeWords(part) : { asked: [], filter: part }))
    : []
  const asked = Object.entries({ $q, $autocomplete }).flatMap(([operator, value]) => {
    if (value === undefined) return []
    if (typeof value !== 'string') throw wrongType('text', 'a string')
    return { text: value, beginnings: operator === '$autocomplete' }
  })
  return {
    asked: [...asked, ...inner.flatMap((part) => part.asked)],
    filter: {
      ...others,
      ...(text !== undefined && { text: isFields(text) ? conditions : text }),
      ...($and !== undefined && { $and: Array.isArray($and) ? inner.map((part) => part.filter) : $and }),
    },
  }
}

/** The messages of a page, and one more if there is one. */
function matches(
  server: Server,
  caller: Caller,
  searched: readonly SearchedChannel[],
  { words, phrases, filter, sort }: Sought,
  page: RowsAsked,
): Promise<MessageRow[]> {
  const reader = readerOf(server, caller)
  const { dialect } = reader
  const now = server.clock.micros()
  const entity = searchedEntity(dialect, now)
  const channels = searched.map(({ access }) => access)
  const cids = channels.map(({ channel }) => channel.cid)
  const where = sql<boolean>`${visible(dialect, caller, channels)} and ${compileFilter(entity, dialect, filter)}`
  const few = searched.reduce((sum, { counted }) => sum + counted, 0) <= FEW_MESSAGES
  const inChannels = few ? [cids.map(marks.channel)] : []
  const [first] = sort
  const isNewestFirst = first?.direction === -1 && (first.field === 'created_at' || first.field === 'relevance')
  const order = compileSort(entity, dialect, sort)
  const query = { app: caller.app.id, cids, words, where, order, isNewestFirst }
  // The newest matches of terms come from the index, in its order; anything else may scan every message.
  const db = reader.for(isNewestFirst && filterCost(filter).conditions === 0)
  if (!isNewestFirst) return findMessages(db, dialect, { ...query, marks: inChannels, ...reading(page) })
  const newest = (limit: number) =>
    few
      ? findMessages(db, dialect, { ...query, marks: inChannels, limit, offset: 0 })
      : newestOf(db, dialect, query, limit, Math.max(...searched.map(({ eventAt }) => eventAt)))
  return first.field === 'relevance' && words.length > 1
    ? weighed(newest, phrases, page)
    : newest(page.offset + page.limit + 1).then((rows) => rows.slice(page.offset))
}

/**
 * The newest matches: of the last day, then of weeks, of months, and of all time, until there are enough.
 *
 * @param until  time of the newest message in these channels
 */
async function newestOf(
  db: Kysely<Tables>,
  dialect: Dialect,
  query: Omit<MessageQuery, 'marks' | 'limit' | 'offset'>,
  limit: number,
  until: number,
): Promise<MessageRow[]> {
  const rows: MessageRow[] = []
  const windows = windowsBefore(until)
  let window = windows.next({ found: 0, wanted: limit })
  while (!window.done) {
    const { marks, before } = window.value
    const where = before === undefined ? query.where : sql<boolean>`${query.where} and g.created_at < ${before}`
    const found = await findMessages(db, dialect, { ...query, where, marks, limit: limit - rows.length, offset: 0 })
    rows.push(...found)
    if (rows.length === limit) break
    window = windows.next({ found: found.length, wanted: limit - rows.length })
  }
  return rows
}

/** A page of the newest, with exact phrase matches first. */
async function weighed(
  newest: (limit: number) => Promise<MessageRow[]>,
  phrases: readonly string[],
  { limit, offset }: RowsAsked,
): Promise<MessageRow[]> {
  const rows = await newest(Math.max(WEIGHED, offset + limit + 1))
  const hasPhrases = ({ text }: MessageRow) => {
    const words = spaced(text)
    return phrases.every((phrase) => words.includes(isUnspaced(phrase) ? phrase : ` ${phrase}`))
  }
  const { true: first = [], false: others = [] } = Object.groupBy(rows.slice(0, WEIGHED), (row) => `${hasPhrases(row)}`)
  return [...first, ...others, ...rows.slice(WEIGHED)].slice(offset, offset + limit + 1)
}

function searchedEntity(dialect: Dialect, now: number): Entity {
  return {
    ...messageEntity(dialect, now),
    filterName: 'message_filter_conditions',
    sorts: { relevance: dialect.matchCreatedAt, created_at: dialect.matchCreatedAt },
  }
}

/** Visible messages meant for the caller, within the history the caller may see of each channel. */
function visible(dialect: Dialect, { user }: Caller, channels: readonly Access[]): RawBuilder<boolean> {
  const limited = channels.flatMap(({ channel, member }) => {
    const since = shownSince(channel, member)
    return since > 0 ? { cid: channel.cid, since } : []
  })
  const past = dialect.pairs(
    limited.map(({ cid }) => cid),
    limited.map(({ since }) => `${since}`),
  )
  const own = user?.id ?? ''
  const restricted = channels.filter((access) => restrictedFor(access) !== null).map(({ channel }) => channel.cid)
  const open = sql`not (g.cid in (select value from ${dialect.list(restricted, 'text')}))`
  return sql<boolean>`g.deleted_at is null and g.type <> 'system' and (g.shadowed = 0 or g.user_id = ${own})
    ${user ? sql`and ${keptBy(own, 'g')}` : sql``}
    ${restricted.length === 0 ? sql`` : sql`and (${meantFor(own, 'g')} or ${open})`}
    ${limited.length === 0 ? sql`` : sql`and not exists (select 1 from ${past} where a = g.cid and g.created_at < cast(b as bigint))`}`
}

async function resultsOf(server: Server, caller: Caller, rows: readonly MessageRow[]): Promise<SearchResult[]> {
  const app = caller.app.id
  const messages = await composeMessages(server, app, rows, caller.user?.id)
  const cids = [...new Set(rows.map((row) => row.cid))]
  const channels: Map<string, Channel> = await channelsShown(server, server.database.read, app, cids)
  // A channel deleted concurrently takes its messages along.
  return messages.flatMap((message) => {
    const channel = channels.get(message.cid)
    return channel ? { message: { ...message, channel } } : []
  })
}

function warningOf(channels: readonly SearchedChannel[]): SearchWarning {
  return {
    warning_code: 1,
    warning_description: `Only the ${channels.length} channels with the newest activity were searched`,
    channel_search_count: channels.length,
    channel_search_cids: channels.map(({ access }) => access.channel.cid),
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
