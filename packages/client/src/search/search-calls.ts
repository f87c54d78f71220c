/** Message search and link previews [client.md 1.7, messaging.md 8.1]. */
import type { Calling } from '../calling.ts'
import { clientError } from '../chat-error.ts'
import {
  type Answer,
  type Attachment,
  type CallOptions,
  type ChannelData,
  type Filter,
  type Message,
  type Sort,
  wireSort,
} from '../shapes.ts'

export interface SearchOptions {
  /** 100 at most. */
  limit?: number
  offset?: number
  /** `next` or `previous` of another answer; not together with `offset`. */
  next?: string
  sort?: Sort
  user_id?: string
}

export type SearchAnswer = Answer<{
  results: { message: Message & { channel?: ChannelData } }[]
  next?: string
  previous?: string
  results_warning?: { warning_code: number; warning_description: string }
}>

/**
 * Messages in the channels that match; at most 500 channels are searched [SRCH-1].
 *
 * @param query  search text [SRCH-3], or a filter over messages [SRCH-4]
 * @throws ChatError CLIENT_SEARCH_OFFSET_WITH_NEXT [SRCH-2], CLIENT_SEARCH_QUERY [SRCH-5]
 */
export async function search(
  client: Calling,
  channels: Filter,
  query: string | Filter,
  { sort, ...options }: SearchOptions = {},
  call: CallOptions = {},
): Promise<SearchAnswer> {
  if (options.offset !== undefined && options.next !== undefined)
    throw clientError('CLIENT_SEARCH_OFFSET_WITH_NEXT', 'Cannot specify offset with next')
  const payload = { filter_conditions: channels, ...options, ...queried(query), sort: sort && wireSort(sort) }
  return client.request('GET', '/search', { query: { payload }, ...call })
}

/** The preview of a link, as an attachment [ATT-5]. @throws ChatError DoesNotExistError (16) — it has none */
export function enrichURL(client: Calling, url: string, call: CallOptions = {}): Promise<Answer<Attachment>> {
  return client.request('GET', '/og', { query: { url }, ...call })
}

function queried(query: string | Filter) {
  if (typeof query === 'string') return { query }
  if (typeof query === 'object' && query !== null && !Array.isArray(query)) return { message_filter_conditions: query }
  const got = query === null ? 'null' : Array.isArray(query) ? 'array' : typeof query
  throw clientError('CLIENT_SEARCH_QUERY', `The search query must be a string or a filter object, got ${got}`)
}
