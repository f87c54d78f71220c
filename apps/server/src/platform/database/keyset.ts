/** Reads pages of lists from the database, from the place on that a cursor names. */
import type { SortOption } from '@parley/protocol/filters'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type Page, type PageAsked, type Place, pageAsked, pageOf, type SortValue } from './cursor.ts'
import type { Dialect } from './dialect.ts'
import {
  type Condition,
  compileFilter,
  type Entity,
  filterCost,
  ordered,
  type SortTerm,
  sortTerms,
} from './filter-compiler.ts'
import type { Reader } from './reader.ts'
import type { Tables } from './tables.ts'

/** A list that is filtered and sorted by fields of an entity. */
export interface Listing {
  /** What is listed, and whose or of what it is: its cursors are none of another list. */
  name: readonly (string | undefined)[]
  entity: Entity
  /** Where the caller gives none. */
  limit: number
  sort: readonly SortOption[]
}

/** Parts of the statement that reads a page. */
export interface PageQuery {
  where: Condition
  /** What the rows are sorted by, to be selected behind their columns. Begins with a comma. */
  keys: RawBuilder<unknown>
  /** The `order by` and the `limit`. */
  page: RawBuilder<unknown>
}

export interface Paged<Row> {
  shown: Row[]
  around: { next?: string; prev?: string }
}

/**
 * One page of what a filter matches, in the requested order.
 *
 * @param reader  the caller, whose query is limited by its cost
 * @param find  reads the rows of the query, which it may narrow further
 * @throws ChatError InputError (4) — a filter, a sort, a field or a cursor that this query does not have
 */
export async function queryPage<Row extends object>(
  reader: Reader,
  listing: Listing,
  request: PageAsked & { filter?: unknown; sort?: readonly SortOption[] },
  find: (db: Kysely<Tables>, query: PageQuery) => Promise<Row[]>,
): Promise<Paged<Row>> {
  const { dialect } = reader
  const { filter, sort } = request
  const { query, paged } = pages(dialect, listing, request)
  const db = reader.for(filterCost(filter).conditions === 0 && !sort?.length)
  return paged(await find(db, query(compileFilter(listing.entity, dialect, filter))))
}

/**
 * The same in two steps: the query of a page and one row more, to know whether there are more, and the page made of them.
 *
 * @throws ChatError InputError (4) — a sort or a cursor that this query does not have
 */
export function pages(
  dialect: Dialect,
  { name, entity, ...defaults }: Listing,
  { filter, sort, ...asked }: PageAsked & { filter?: unknown; sort?: readonly SortOption[] },
) {
  const order = sort?.length ? sort : defaults.sort
  const terms = sortTerms(entity, dialect, order)
  const list = { name, filter, sort: order, keys: terms }
  const page = pageAsked(list, asked, defaults.limit)
  return {
    query: (where: Condition): PageQuery => pageQuery(dialect, terms, where, { ...page, limit: page.limit + 1 }),
    paged<Row extends object>(rows: readonly Row[]): Paged<Row> {
      const { shown, around } = pageOf(list, page, rows, (row) => valuesOf(terms, row))
      return { shown: shown.map((row) => withoutKeys(terms, row)), around }
    },
  }
}

/** The query of as many rows as the limit says, from a place on. */
export function pageQuery(
  dialect: Dialect,
  terms: readonly SortTerm[],
  where: Condition,
  { limit, offset, place }: Omit<Page, 'place'> & { place?: Place | undefined },
): PageQuery {
  const isReversed = place?.side === 'before'
  // By their names: of a parameter inside an expression, PostgreSQL would not know that it is the same as the selected.
  const order = sql.join(terms.map((term, i) => ordered(dialect, term, sql.ref(keyOf(i)), { isReversed })))
  return {
    where: place ? sql<boolean>`${where} and ${beside(dialect, terms, place)}` : where,
    keys: sql`, ${sql.join(terms.map((term, i) => sql`${comparable(term)} as ${sql.ref(keyOf(i))}`))}`,
    page: sql`order by ${order} limit ${limit} ${offset > 0 ? sql`offset ${offset}` : sql``}`,
  }
}

/** The name of a selected sort value. */
const keyOf = (i: number) => `sort_${i}`

/** What a row is sorted by, as its statement selected it. */
export function valuesOf(terms: readonly SortTerm[], row: object): SortValue[] {
  return terms.map(({ kind }, i) => {
    const value = (row as Record<string, unknown>)[keyOf(i)]
    if (value === null) return null
    if (kind === 'text') return value as string
    return kind === 'boolean' ? Boolean(value) : Number(value)
  })
}

export function withoutKeys<Row extends object>(terms: readonly SortTerm[], row: Row): Row {
  const keys = new Set(terms.map((_, i) => keyOf(i)))
  return Object.fromEntries(Object.entries(row).filter(([column]) => !keys.has(column))) as Row
}

/**
 * Whether a row is on the asked side of a place. Null comes last in the list, whatever the direction.
 *
 * The first term alone bounds the rows, so that an index in this order is read from the place on. The rest only
 * chooses among them; SQLite would otherwise look up its alternatives one by one, and sort what it finds.
 */
export function beside(dialect: Dialect, terms: readonly SortTerm[], { side, isIncluded, values }: Place): Condition {
  const isAfter = side === 'after'
  const isHere = terms.reduceRight<Condition>(
    (rest, term, i) => {
      const expression = dialect.unindexed(comparable(term))
      const value = values[i] as SortValue
      if (value === null)
        return isAfter
          ? sql<boolean>`(${expression} is null and ${rest})`
          : sql<boolean>`(${expression} is not null or ${rest})`
      const asked = parameterOf(dialect, term, value)
      const isBeyond = sql<boolean>`${expression} ${comparison(term, isAfter)} ${asked}`
      const orNull = isAfter && !term.isNeverNull ? sql`or ${expression} is null` : sql``
      return sql<boolean>`(${isBeyond} ${orNull} or (${expression} = ${asked} and ${rest}))`
    },
    isIncluded ? sql<boolean>`1 = 1` : sql<boolean>`1 = 0`,
  )
  const first = terms[0]!
  const value = values[0] as SortValue
  const isBounded = value !== null && (first.isNeverNull || !isAfter)
  if (!isBounded) return isHere
  const bound = sql`${comparable(first)} ${comparison(first, isAfter)}= ${parameterOf(dialect, first, value)}`
  return sql<boolean>`(${bound} and ${isHere})`
}

function comparison({ direction }: SortTerm, isAfter: boolean): RawBuilder<unknown> {
  return isAfter === (direction === 1) ? sql`>` : sql`<`
}

/** Numbers as a program reads them: SQLite has greater whole ones. */
function comparable({ kind, sql: expression }: SortTerm): RawBuilder<unknown> {
  return kind === 'number' ? sql`cast(${expression} as double precision)` : expression
}

function parameterOf(dialect: Dialect, { kind }: SortTerm, value: string | number | boolean): RawBuilder<unknown> {
  return kind === 'number' ? sql`cast(${value} as double precision)` : sql`${dialect.value(value)}`
}
