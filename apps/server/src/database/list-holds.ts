import { type RawBuilder, sql } from 'kysely'

/**
 * Whether a JSON list of ids, kept as text, holds an id. Ids have no letters that JSON writes differently, so that
 * one function that both databases know says it, and no list is taken apart.
 */
export function listHolds(list: string, id: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`replace(${sql.ref(list)}, '"' || ${id} || '"', '') <> ${sql.ref(list)}`
}
