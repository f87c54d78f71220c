import { SortOption } from '@parley/protocol/filters'
import type { TSchema } from 'typebox'

/** Spells out the sort of a query whose shape has one. */
export function spellOutSort(schema: TSchema, query: unknown) {
  const { properties } = schema as { properties?: { sort?: { items?: TSchema } } }
  if (properties?.sort?.items !== SortOption || typeof query !== 'object' || query === null) return
  if ('sort' in query) query.sort = spelledSort(query.sort)
}

/** A sort in wire format, from `{"created_at": -1}`, or a sort that is no list [messaging.md 1.9]. */
export function spelledSort(sort: unknown): unknown {
  const options = Array.isArray(sort) ? sort : [sort]
  return options.flatMap((option) => {
    const isShort = typeof option === 'object' && option !== null && !('field' in option)
    const fields = isShort ? Object.entries(option) : []
    return fields.length === 0 ? [option] : fields.map(([field, direction]) => ({ field, direction }))
  })
}
