import type { Channel } from '@parley/protocol/channels'
import { SEARCH_CHANNELS_MAX, SEARCH_PAGE_MAX } from '@parley/protocol/limits'
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
import { type Page, type Place, pageAsked, pageOf } from '../../platform/database/cursor.ts'
import { type Dialect, marks } from '../../platform/database/dialect.ts'
import {
  compileFilter,
  type Entity,
  filterCost,
  type SortTerm,
  sortTerms,
  wrongType,
} from '../../platform/database/filter-compiler.ts'
import { beside, pageQuery, valuesOf, withoutKeys } from '../../platform/database/keyset.ts'
import type { MessageRow, Tables } from '../../platform/database/tables.ts'
import { spaced, type Wanted, wantedOf } from '../../platform/database/words.ts'
import type { Server } from '../../server.ts'
import { findMessages, type MessageQuery } from './search-store.ts'
import { type Match, type ReadMatches, weighed, weighedKeys } from './weighed-pages.ts'
import { windowsBefore } from './windows.ts'

/** Channels with no more messages than this in total are scanned one by one. */
const FEW_MESSAGES = 20_000
/** Of a longer text, this many characters decide where it is sorted. */
const SORTED_CHARS = 256

const byRelevance = [
  { field: 'relevance', direction: -1 as const },
  { field: 'id', direction: 1 as const },
]

/**
 * Messages matching a search, in the channels matching a filter, as far as the caller may read them [SRCH-1, SRCH-7].
 *
 * The newest are the most relevant, but messages that contain several query terms as a phrase come first.
 *
 * @throws ChatError InputError (4) — not exactly one of query and message filter is given, or `offset` beside `next`
 *   [SRCH-6]
 */
export async function searchMessages(
  server: Server,
  caller: Caller,
  payload: Static<typeof SearchPayload>,
): Promise<{ results: SearchResult[]; next?: string; previous?: string; results_warning?: SearchWarning }> {
  const { filter_conditions, query, message_filter_conditions, limit, offset, next } = payload
  if (Object.keys(filter_conditions).length === 0)
    throw inputError('filter_conditions', 'filter_conditions must name the channels to search in')
  if (offset !== undefined && next !== undefined) throw inputError('offset', 'Cannot specify offset with next')
  const sought = soughtBy(payload)
  const { dialect } = server.database
  const terms = sortTerms(searchedEntity(dialect, server.clock.micros()), dialect, sought.sort)
  const list = {
    name: ['search', caller.app.id, caller.user?.id],
    filter: { filter_conditions, query, message_filter_conditions },
    sort: sought.sort,
    keys: isWeighed(sought) ? weighedKeys(terms) : terms,
  }
  const asked = {
    ...(limit !== undefined && { limit }),
    ...(offset !== undefined && { offset }),
    ...(next !== undefined && { next }),
  }
  const page = pageAsked(list, asked, SEARCH_PAGE_MAX)
  const found = await searchableChannels(server, caller, filter_conditions, SEARCH_CHANNELS_MAX + 1)
  const searched = found.slice(0, SEARCH_CHANNELS_MAX)
  const isVain = searched.length === 0 || sought.isVain
  const read = isVain ? [] : await matches(server, caller, searched, sought, terms, page)
  const { shown: matched, around } = pageOf(list, page, read, ({ values }) => values)
  const shown = matched.map(({ row }) => row)
  return {
    results: await resultsOf(server, caller, shown),
    ...(around.next !== undefined && { next: around.next }),
    ...(around.prev !== undefined && { previous: around.prev }),
    ...(found.length > searched.length && { results_warning: warningOf(searched) }),
  }
}

/** A parsed search: terms for the index, all else for the filter. */
interface Sought {
  words: Wanted[]
  /** The query contains no term. */
  isVain: boolean
  /** The phrases of the query. */
  phrases: string[]
  filter: Fields
  sort: NonNullable<Static<typeof SearchPayload>['sort']>
}

type Fields = Readonly<Record<string, unknown>>

function soughtBy({ query = '', message_filter_conditions, sort }: Static<typeof SearchPayload>): Sought {
  if ((query === '') === (message_filter_conditions === undefined))
    throw inputError('query', 'give exactly one of query and message_filter_conditions')
  const { asked, filter } = takeWords(message_filter_conditions ?? { text: { $q: query } })
  const words = asked.map(({ text, beginnings }) => wantedOf(text, { beginnings }))
  return {
    words: words.flat(),
    isVain: asked.some(({ text }, i) => words[i]!.length === 0 && text.trim() !== ''),
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

/** Whether messages with the phrases of the query come first. */
function isWeighed({ words, sort: [first] }: Sought): boolean {
  return first?.field === 'relevance' && first.direction === -1 && words.length > 1
}

/** The messages of a page, and one more if there is one. */
function matches(
  server: Server,
  caller: Caller,
  searched: readonly SearchedChannel[],
  sought: Sought,
  terms: readonly SortTerm[],
  page: Page,
): Promise<Match[]> {
  const { words, phrases, filter, sort } = sought
  const reader = readerOf(server, caller)
  const { dialect } = reader
  const entity = searchedEntity(dialect, server.clock.micros())
  const channels = searched.map(({ access }) => access)
  const cids = channels.map(({ channel }) => channel.cid)
  const matching = sql<boolean>`${visible(dialect, caller, channels)} and ${compileFilter(entity, dialect, filter)}`
  const few = searched.reduce((sum, { counted }) => sum + counted, 0) <= FEW_MESSAGES
  const inChannels = few ? [cids.map(marks.channel)] : []
  const [first] = sort
  const isByTime = first?.direction === -1 && (first.field === 'created_at' || first.field === 'relevance')
  const eventAt = Math.max(...searched.map((channel) => channel.eventAt))

  const read: ReadMatches = async ({ limit, offset = 0, place, within }) => {
    const where = within ? sql<boolean>`${matching} and ${beside(dialect, terms, within)}` : matching
    const isNewestFirst = isByTime && place?.side !== 'before'
    const query = { app: caller.app.id, cids, words, marks: inChannels, isNewestFirst }
    // The newest matches of terms come from the index, in its order; anything else may scan every message.
    const db = reader.for(isNewestFirst && filterCost(filter).conditions === 0)
    const rows =
      isNewestFirst && !few
        ? await newestOf(db, dialect, { query, terms, where, place, limit: offset + limit, eventAt })
        : await findMessages(db, dialect, query, pageQuery(dialect, terms, where, { limit, offset, place }))
    return rows
      .slice(isNewestFirst && !few ? offset : 0)
      .map((row) => ({ row: withoutKeys(terms, row), values: valuesOf(terms, row) }))
  }
  return isWeighed(sought) ? weighed(read, phrases, terms, page) : read({ ...page, limit: page.limit + 1 })
}

interface Newest {
  query: MessageQuery
  terms: readonly SortTerm[]
  where: RawBuilder<boolean>
  place: Place | undefined
  limit: number
  /** When the newest message of the channels was sent. */
  eventAt: number
}

/** The newest matches: of the last day, then of weeks, of months, and of all time, until there are enough. */
async function newestOf(
  db: Kysely<Tables>,
  dialect: Dialect,
  { query, terms, where, place, limit, eventAt }: Newest,
): Promise<MessageRow[]> {
  const rows: MessageRow[] = []
  const windows = windowsBefore(place ? Math.min(eventAt, Number(place.values[0])) : eventAt)
  let window = windows.next({ found: 0, wanted: limit })
  while (!window.done) {
    const { marks, before } = window.value
    const inWindow = before === undefined ? where : sql<boolean>`${where} and g.created_at < ${before}`
    const page = { limit: limit - rows.length, offset: 0, place }
    const found = await findMessages(db, dialect, { ...query, marks }, pageQuery(dialect, terms, inWindow, page))
    rows.push(...found)
    if (rows.length === limit) break
    window = windows.next({ found: found.length, wanted: limit - rows.length })
  }
  return rows
}

function searchedEntity(dialect: Dialect, now: number): Entity {
  return {
    ...messageEntity(dialect, now),
    filterName: 'message_filter_conditions',
    sorts: {
      relevance: { kind: 'time', sql: dialect.matchCreatedAt, isNeverNull: true },
      created_at: { kind: 'time', sql: dialect.matchCreatedAt, isNeverNull: true },
      text: { kind: 'text', sql: sql`substr(g.text, 1, ${SORTED_CHARS})` },
    },
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
