/**
 * Searching messages.
 * @see messaging.md 8.1
 */
import Type, { type Static } from 'typebox'
import { Channel } from './channels.ts'
import { FilterObject, Sort } from './filters.ts'
import { SEARCH_OFFSET_MAX, SEARCH_PAGE_MAX } from './limits.ts'
import { customOfMessage, Message } from './messages.ts'
import { actor, answer, type Custom, NonEmpty } from './wire.ts'

/** Exactly one of `query` and `message_filter_conditions` is given, and at most one of `offset` and `next`. */
export const SearchPayload = Type.Object({
  /** Which channels to look in. */
  filter_conditions: FilterObject,
  query: Type.Optional(Type.String()),
  message_filter_conditions: Type.Optional(FilterObject),
  /** `relevance` and whatever messages can be filtered by. */
  sort: Type.Optional(Sort),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: SEARCH_PAGE_MAX })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: SEARCH_OFFSET_MAX })),
  /** `next` or `previous` of another answer. */
  next: Type.Optional(NonEmpty),
  ...actor,
})

export const SearchResult = Type.Object({
  message: Type.Object({ ...Message.properties, channel: Channel }, customOfMessage),
})
export type SearchResult = { message: Message & { channel: Channel } & Custom }

/** Not everything that was asked for was looked at. */
export const SearchWarning = Type.Object({
  warning_code: Type.Integer(),
  warning_description: Type.String(),
  channel_search_count: Type.Optional(Type.Integer()),
  channel_search_cids: Type.Optional(Type.Array(Type.String())),
})
export type SearchWarning = Static<typeof SearchWarning>

export const SearchAnswer = answer({
  results: Type.Array(SearchResult),
  next: Type.Optional(NonEmpty),
  previous: Type.Optional(Type.String()),
  results_warning: Type.Optional(SearchWarning),
})
