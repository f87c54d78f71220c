/**
 * The wire's filter and sort language as SQL: one compiler for every query there is.
 *
 * An entity names its fields; what is not named is custom data, looked up by path as a parameter. Nothing a
 * caller writes becomes SQL text.
 *
 * @see messaging.md 1.9, 4.6
 */
import { type FilterOperator, filterOperators, type SortOption } from '@parley/protocol/filters'
import { FILTER_BYTES, FILTER_CONDITIONS, FILTER_DEPTH, FILTER_WORDS } from '@parley/protocol/limits'
import { type RawBuilder, sql } from 'kysely'
import { inputError } from '../chat-error.ts'
import { microsOf } from '../micros.ts'
import type { Dialect, JsonType } from './dialect.ts'
import { isUnspaced, spaced } from './words.ts'

export type Condition = RawBuilder<boolean>

/** A column, or an expression, with the type of its values and the operators it takes. */
export interface ColumnField {
  kind: 'text' | 'number' | 'time' | 'flag'
  sql: RawBuilder<unknown>
  operators: readonly FilterOperator[]
  /** A page sorted by it can begin at a place in an index. */
  isNeverNull?: boolean
  /** Whether its value has a word, where an index knows; the others are taken apart row by row. */
  hasWord?: (word: string, isBeginning: boolean) => Condition
}

/** A field with a meaning of its own. */
export interface SpecialField {
  kind: 'special'
  operators: readonly FilterOperator[]
  /** @throws ChatError InputError (4) — the value has the wrong type */
  compile(operator: FilterOperator, value: unknown): Condition
}

export interface Entity {
  /** What the filter is called in errors: `filter_conditions`. */
  filterName: string
  fields: Readonly<Record<string, ColumnField | SpecialField>>
  /** Expressions to sort by, beyond the columns above. */
  sorts?: Readonly<Record<string, Sortable>>
  /** The JSON column of custom fields; undefined for an entity that has none. */
  custom: string | undefined
  /** Makes the order total: together the columns are unique. */
  tieBreak: readonly SortTerm[]
}

/** An expression to sort by, with the type of its values. */
export type Sortable = Pick<ColumnField, 'sql' | 'isNeverNull'> & { kind: ColumnField['kind'] | 'boolean' }

export interface SortTerm extends Sortable {
  direction: 1 | -1
  /** It has no nulls to be put last; written as the columns of an index are. */
  breaksTies?: boolean
}

/** Conditions joined in one row. */
const JOINED_MAX = 50

const comparisons: readonly FilterOperator[] = ['$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$in', '$nin']
export const operators = {
  equality: ['$eq', '$in'],
  flag: ['$eq'],
  comparisons,
  comparisonsAndExists: [...comparisons, '$exists'],
  text: [...comparisons, '$exists', '$autocomplete', '$q'],
} as const satisfies Record<string, readonly FilterOperator[]>

/** A column of names or ids. */
export function textColumn(column: string): ColumnField {
  return { kind: 'text', sql: sql.ref(column), operators: operators.equality }
}

/** A column of moments that is never null. */
export function timeColumn(column: string): ColumnField {
  return { kind: 'time', sql: sql.ref(column), operators: operators.comparisons, isNeverNull: true }
}

/** A column of moments that filters may also look for, or for the lack of them. */
export function timeOrNoneColumn(column: string): ColumnField {
  return { ...timeColumn(column), operators: operators.comparisonsAndExists, isNeverNull: false }
}

export function numberColumn(column: string): ColumnField {
  return { kind: 'number', sql: sql.ref(column), operators: operators.comparisons }
}

/** What is true or not: a column, or what follows from others. */
export function flagColumn(column: string | RawBuilder<unknown>): ColumnField {
  return { kind: 'flag', sql: typeof column === 'string' ? sql.ref(column) : column, operators: operators.flag }
}

/** A column that makes an order total, alone or with others. */
export function tieBreak(
  column: string,
  { kind = 'text', direction = 1 }: Partial<Pick<SortTerm, 'kind' | 'direction'>> = {},
): SortTerm {
  return { kind, sql: sql.ref(column), direction, isNeverNull: true, breaksTies: true }
}

/**
 * @param maxBytes of its JSON; more for a filter that is bounded otherwise
 * @throws ChatError InputError (4) — naming the field that is wrong
 */
export function compileFilter(entity: Entity, dialect: Dialect, filter: unknown, maxBytes = FILTER_BYTES): Condition {
  if (filter === undefined || filter === null) return sql<boolean>`1 = 1`
  if (Buffer.byteLength(JSON.stringify(filter)) > maxBytes)
    throw inputError(entity.filterName, `the filter has more than ${maxBytes} bytes`)
  const compiled = compileObject(entity, dialect, filter, 1)
  // Of an app's server, which lists more than a caller may write, the bytes alone are counted.
  if (maxBytes <= FILTER_BYTES) checkCost(entity, filter)
  return compiled
}

/** What a filter asks of every row it is tried on. */
export interface FilterCost {
  conditions: number
  /** Those it looks for in texts. */
  words: number
}

/** The cost of a filter, whether or not it can be compiled. */
export function filterCost(filter: unknown): FilterCost {
  const cost = { conditions: 0, words: 0 }
  addCost(cost, filter)
  return cost
}

function addCost(cost: FilterCost, filter: unknown) {
  if (Array.isArray(filter)) for (const branch of filter) addCost(cost, branch)
  if (!isObject(filter)) return
  for (const [name, condition] of Object.entries(filter)) {
    if (name.startsWith('$')) addCost(cost, condition)
    else if (!isObject(condition)) cost.conditions += 1
    else
      for (const [operator, value] of Object.entries(condition)) {
        cost.conditions += 1
        if ((operator === '$q' || operator === '$autocomplete') && typeof value === 'string')
          cost.words += spaced(value).split(' ').filter(Boolean).length
      }
  }
}

function checkCost({ filterName }: Entity, filter: unknown) {
  const { conditions, words } = filterCost(filter)
  if (conditions > FILTER_CONDITIONS)
    throw inputError(
      filterName,
      `the filter has ${conditions} conditions, more than ${FILTER_CONDITIONS}; use $in for lists`,
    )
  if (words > FILTER_WORDS)
    throw inputError(filterName, `the filter looks for ${words} words in texts, more than ${FILTER_WORDS}`)
}

function compileObject(entity: Entity, dialect: Dialect, filter: unknown, depth: number): Condition {
  if (!isObject(filter))
    throw inputError(
      entity.filterName,
      `expected object for field "${entity.filterName}" but got ${Array.isArray(filter) ? 'array' : typeof filter}`,
    )
  if (depth > FILTER_DEPTH) throw inputError(entity.filterName, `the filter is nested deeper than ${FILTER_DEPTH}`)
  const conditions = Object.entries(filter).map(([key, value]) => {
    if (key === '$and') return all(branches(entity, dialect, key, value, depth))
    if (key === '$or') return any(branches(entity, dialect, key, value, depth))
    if (key === '$nor') return not(any(branches(entity, dialect, key, value, depth)))
    if (key.startsWith('$')) throw inputError(key, `unknown operator ${key}`)
    return compileField(entity, dialect, key, value)
  })
  return all(conditions)
}

function branches(entity: Entity, dialect: Dialect, key: string, value: unknown, depth: number): Condition[] {
  if (!Array.isArray(value) || value.length === 0) throw inputError(key, `${key} takes a list of filters`)
  return value.map((branch) => compileObject(entity, dialect, branch, depth + 1))
}

function compileField(entity: Entity, dialect: Dialect, name: string, condition: unknown): Condition {
  const named = isObject(condition) ? Object.entries(condition) : [['$eq', condition] as const]
  if (named.length === 0) return sql<boolean>`1 = 1`
  return all(
    named.map(([operator, value]) => {
      if (!(filterOperators as readonly string[]).includes(operator))
        throw inputError(name, `unknown operator ${operator} for field "${name}"`)
      return compileOperator(entity, dialect, name, operator as FilterOperator, value)
    }),
  )
}

function compileOperator(
  entity: Entity,
  dialect: Dialect,
  name: string,
  operator: FilterOperator,
  value: unknown,
): Condition {
  const field = Object.hasOwn(entity.fields, name) ? entity.fields[name] : undefined
  if (!field) return compileCustom(entity, dialect, name, operator, value)
  if (!field.operators.includes(operator))
    throw inputError(name, `operator ${operator} is not supported for field "${name}"`)
  if (field.kind === 'special') return field.compile(operator, value)
  if (field.hasWord && (operator === '$autocomplete' || operator === '$q'))
    return everyWord(name, value, (word) => field.hasWord!(word, operator === '$autocomplete'))
  return compare(dialect, name, comparand(dialect, field.kind, field.sql), operator, value, (item) =>
    columnValue(name, field, item),
  )
}

/** The value a column is compared with. */
function columnValue(name: string, { kind }: ColumnField, value: unknown): unknown {
  if (kind === 'flag') {
    if (typeof value !== 'boolean') throw wrongType(name, 'a boolean')
    return value ? 1 : 0
  }
  if (kind === 'number') {
    if (typeof value !== 'number' || !Number.isFinite(value)) throw wrongType(name, 'a number')
    return sql`cast(${value} as double precision)`
  }
  if (typeof value !== 'string') throw wrongType(name, kind === 'time' ? 'a time' : 'a string')
  if (kind === 'text') return value
  const at = microsOf(value)
  if (at === undefined) throw wrongType(name, 'a time')
  return at
}

/** What is compared: for its equality, and for its order. */
interface Comparand {
  expression: RawBuilder<unknown>
  ordered: RawBuilder<unknown>
}

function comparand(dialect: Dialect, kind: ColumnField['kind'] | JsonType, expression: RawBuilder<unknown>): Comparand {
  return { expression, ordered: kind === 'text' ? dialect.textOrder(expression) : expression }
}

function compare(
  dialect: Dialect,
  name: string,
  { expression, ordered }: Comparand,
  operator: FilterOperator,
  value: unknown,
  read: (item: unknown) => unknown,
): Condition {
  switch (operator) {
    case '$eq':
      return value === null ? sql<boolean>`${expression} is null` : sql<boolean>`${expression} = ${read(value)}`
    case '$ne':
      return value === null
        ? sql<boolean>`${expression} is not null`
        : sql<boolean>`(${expression} is null or ${expression} <> ${read(value)})`
    case '$gt':
      return sql<boolean>`${ordered} > ${read(value)}`
    case '$gte':
      return sql<boolean>`${ordered} >= ${read(value)}`
    case '$lt':
      return sql<boolean>`${ordered} < ${read(value)}`
    case '$lte':
      return sql<boolean>`${ordered} <= ${read(value)}`
    case '$in':
      return isIn(expression, listOf(name, operator, value), read)
    case '$nin':
      return not(isIn(expression, listOf(name, operator, value), read))
    case '$exists':
      if (typeof value !== 'boolean') throw wrongType(name, 'a boolean')
      return value ? sql<boolean>`${expression} is not null` : sql<boolean>`${expression} is null`
    case '$autocomplete':
      return everyWord(name, value, (word) => sql<boolean>`${dialect.words(expression)} like ${begun(word)}`)
    case '$q':
      return everyWord(
        name,
        value,
        (word) => sql<boolean>`${dialect.words(expression)} like ${isUnspaced(word) ? begun(word) : `% ${word} %`}`,
      )
    case '$contains':
      throw inputError(name, `operator $contains is not supported for field "${name}"`)
    default:
      return operator satisfies never
  }
}

const PATH = /^[^\s."'`$\\][^\s"'`\\]{0,254}$/

function isPath(name: string): boolean {
  return PATH.test(name) && !name.split('.').includes('')
}

function compileCustom(
  entity: Entity,
  dialect: Dialect,
  name: string,
  operator: FilterOperator,
  value: unknown,
): Condition {
  const { custom } = entity
  if (custom === undefined || !isPath(name)) throw inputError(name, `"${name}" is no field one can filter by`)
  const path = name.split('.')
  const at = (as: JsonType) => dialect.jsonValue(custom, path, as)
  const exists = dialect.jsonExists(custom, path)
  const equals = (item: unknown): Condition => {
    if (item === null) return not(exists)
    if (isScalar(item)) return sql<boolean>`${at(jsonTypeOf(item))} = ${dialect.value(item)}`
    // Objects have no order of keys to compare them by.
    if (!Array.isArray(item) || !item.every(isPlain)) throw wrongType(name, 'a plain value, or a list of such')
    return dialect.jsonEquals(custom, path, item)
  }
  switch (operator) {
    case '$eq':
      return equals(value)
    case '$ne':
      return not(equals(value))
    case '$exists':
      if (typeof value !== 'boolean') throw wrongType(name, 'a boolean')
      return value ? exists : not(exists)
    case '$contains':
      if (!isScalar(value)) throw wrongType(name, 'a string, number or boolean')
      return dialect.jsonArrayHas(custom, path, [value])
    case '$in':
    case '$nin': {
      const list = listOf(name, operator, value)
      if (!list.every((item) => item === null || isScalar(item))) throw wrongType(name, 'a list of plain values')
      const some = any([
        dialect.jsonIsAmong(custom, path, list.filter(isScalar)),
        dialect.jsonArrayHas(custom, path, list),
        ...(list.includes(null) ? [not(exists)] : []),
      ])
      return operator === '$in' ? some : not(some)
    }
    case '$autocomplete':
    case '$q':
      return compare(dialect, name, comparand(dialect, 'text', at('text')), operator, value, (item) => item)
    default: {
      if (!isScalar(value)) throw wrongType(name, 'a string or number')
      const type = jsonTypeOf(value)
      const compared = comparand(dialect, type, at(type))
      return compare(dialect, name, compared, operator, value, (item) => dialect.value(item as string))
    }
  }
}

/**
 * The `order by` of a sort; null comes last in both directions, and ties are broken.
 *
 * @param unindexed for a query that finds its rows by other means and sorts them after
 */
export function compileSort(
  entity: Entity,
  dialect: Dialect,
  sort: readonly SortOption[],
  { unindexed = false } = {},
): RawBuilder<unknown> {
  const terms = sortTerms(entity, dialect, sort)
  return sql.join(
    terms.map((term) => {
      const isByOther = unindexed && !term.breaksTies
      return ordered(dialect, term, isByOther ? dialect.unindexed(term.sql) : term.sql)
    }),
  )
}

/** What rows are sorted by, up to what breaks ties; texts in byte order, the same in both databases. */
export function sortTerms(entity: Entity, dialect: Dialect, sort: readonly SortOption[]): SortTerm[] {
  const named = sort.flatMap(({ field, direction = 1, type }) =>
    sortablesOf(entity, dialect, field, type).map((sortable): SortTerm => ({ ...sortable, direction })),
  )
  return [...named, ...entity.tieBreak].map((term) =>
    term.kind === 'text' ? { ...term, sql: dialect.textOrder(term.sql) } : term,
  )
}

/**
 * One term of an `order by`.
 *
 * @param expression  what the term is called there
 * @param isReversed  the whole order is read from its end, with nulls first
 */
export function ordered(
  dialect: Dialect,
  { direction, breaksTies }: SortTerm,
  expression: RawBuilder<unknown>,
  { isReversed = false } = {},
): RawBuilder<unknown> {
  if (breaksTies) return (direction === -1) === isReversed ? expression : sql`${expression} desc`
  return isReversed
    ? dialect.nullsFirst(expression, direction === 1 ? -1 : 1)
    : dialect.nullsLast(expression, direction)
}

/** What a field is sorted by: an own field of no stated type by its numbers, and then by its texts. */
function sortablesOf(entity: Entity, dialect: Dialect, name: string, type: SortOption['type']): Sortable[] {
  const own = entity.sorts && Object.hasOwn(entity.sorts, name) ? entity.sorts[name] : undefined
  if (own) return [own]
  const field = Object.hasOwn(entity.fields, name) ? entity.fields[name] : undefined
  if (field?.kind === 'special') throw inputError('sort', `cannot sort by "${name}"`)
  if (field) return [{ kind: field.kind, sql: field.sql, isNeverNull: field.isNeverNull ?? false }]
  const { custom } = entity
  if (custom === undefined || !isPath(name)) throw inputError('sort', `cannot sort by "${name}"`)
  const value = (kind: JsonType): Sortable => ({ kind, sql: dialect.jsonValue(custom, name.split('.'), kind) })
  if (type === undefined) return [value('number'), value('text')]
  return [value(type === 'string' ? 'text' : type)]
}

function everyWord(name: string, value: unknown, compile: (word: string) => Condition): Condition {
  if (typeof value !== 'string') throw wrongType(name, 'a string')
  const words = spaced(value).split(' ').filter(Boolean)
  // No name consists of punctuation alone.
  return words.length === 0 && value.trim() !== '' ? any([]) : all(words.map(compile))
}

/** What a text with a word beginning like this is like. Words hold no sign that means something to `like`. */
function begun(word: string): string {
  return isUnspaced(word) ? `%${word}%` : `% ${word}%`
}

function isIn(expression: RawBuilder<unknown>, list: readonly unknown[], read: (item: unknown) => unknown): Condition {
  const values = list.filter((item) => item !== null).map(read)
  const among = values.length === 0 ? sql<boolean>`1 = 0` : sql<boolean>`${expression} in (${sql.join(values)})`
  return list.includes(null) ? any([among, sql<boolean>`${expression} is null`]) : among
}

export function listOf(name: string, operator: string, value: unknown): unknown[] {
  if (!Array.isArray(value)) throw inputError(name, `operator ${operator} of field "${name}" takes a list`)
  return value
}

export function wrongType(name: string, wanted: string) {
  return inputError(name, `field "${name}" takes ${wanted}`)
}

function all(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? sql<boolean>`1 = 1` : joined(conditions, sql` and `)
}

function any(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? sql<boolean>`1 = 0` : joined(conditions, sql` or `)
}

/** SQLite takes a row of conditions for a tree as deep as the row is long, and refuses one of a thousand. */
function joined(conditions: readonly Condition[], operator: RawBuilder<unknown>): Condition {
  if (conditions.length <= JOINED_MAX) return sql<boolean>`(${sql.join(conditions, operator)})`
  const half = Math.ceil(conditions.length / 2)
  const halves = [conditions.slice(0, half), conditions.slice(half)].map((part) => joined(part, operator))
  return sql<boolean>`(${sql.join(halves, operator)})`
}

/**
 * What cannot be decided, since there is no value, does not hold; so its opposite does. Only here: around what is
 * looked for, `coalesce` would keep an index from being used.
 */
function not(condition: Condition): Condition {
  return sql<boolean>`not coalesce(${condition}, ${sql.lit(false)})`
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What can be compared whole: scalars, null and lists of such. */
function isPlain(value: unknown): boolean {
  return value === null || isScalar(value) || (Array.isArray(value) && value.every(isPlain))
}

function isScalar(value: unknown): value is string | number | boolean {
  return (
    typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
  )
}

function jsonTypeOf(value: string | number | boolean): JsonType {
  return typeof value === 'string' ? 'text' : typeof value === 'number' ? 'number' : 'boolean'
}
