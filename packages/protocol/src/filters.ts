/**
 * The filter and sort language that every query speaks.
 * @see messaging.md 1.9, 4.6
 */
import Type, { type Static } from 'typebox'

export const filterOperators = [
  '$eq',
  '$ne',
  '$gt',
  '$gte',
  '$lt',
  '$lte',
  '$in',
  '$nin',
  '$exists',
  '$contains',
  '$autocomplete',
  '$q',
] as const
export type FilterOperator = (typeof filterOperators)[number]

export type FilterValue = string | number | boolean | null | readonly (string | number | boolean | null)[]
export type FieldCondition = FilterValue | { readonly [Operator in FilterOperator]?: FilterValue }

/** Several keys are AND-ed; `$and`, `$or` and `$nor` take lists of filters. */
export type Filter = {
  readonly [field: string]: FieldCondition | readonly Filter[] | undefined
}

/** Marks shapes in which a list of nothing is no object without fields. */
export const IS_FILTER = 'x-filter'
export const FilterObject = Type.Record(Type.String(), Type.Unknown(), {
  description: 'filter: messaging.md 4.6',
  [IS_FILTER]: true,
})

export const SortOption = Type.Object({
  field: Type.String({ minLength: 1 }),
  direction: Type.Optional(Type.Union([Type.Literal(1), Type.Literal(-1)])),
  type: Type.Optional(Type.Union([Type.Literal('string'), Type.Literal('number'), Type.Literal('boolean')])),
})
export type SortOption = Static<typeof SortOption>

/** Applied left to right; the default direction is 1. */
export const Sort = Type.Array(SortOption)
export type Sort = SortOption[]

/** A query kept by name; a text `{{name}}` in it is replaced by a value that the caller gives [messaging.md 4.3]. */
export const PredefinedFilter = Type.Object({
  filter: FilterObject,
  sort: Type.Optional(Type.Array(Type.Record(Type.String(), Type.Union([Type.String(), Type.Integer()])))),
})
export type PredefinedFilter = Static<typeof PredefinedFilter>
