import { type RawBuilder, sql } from 'kysely'

/**
 * Whether a JSON list of ids, stored as text, contains an id. JSON escapes no character of an id, so a function of both
 * databases can search the text without parsing it.
 */
export function listHolds(list: string, id: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`replace(${sql.ref(list)}, '"' || ${id} || '"', '') <> ${sql.ref(list)}`
}
