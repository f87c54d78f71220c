import { type RawBuilder, sql } from 'kysely'
import type { Database } from './database.server.ts'

/**
 * The database's time, which all nodes of the product share, whatever their own clocks show. It is read within the
 * statement that needs it.
 *
 * @param now replaces it in tests
 * @returns milliseconds since 1970
 */
export function databaseMillis(type: Database['type'], now?: Date): RawBuilder<number> {
  if (now) return sql<number>`cast(${now.getTime()} as bigint)`
  return type === 'postgres'
    ? sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`
    : sql<number>`cast(unixepoch('subsec') * 1000 as integer)`
}

/** The same as a value of timestamp columns, with the precision of a `Date` that is read from them. */
export function databaseNow(type: Database['type']): RawBuilder<Date> {
  return type === 'postgres'
    ? sql<Date>`date_trunc('milliseconds', clock_timestamp())`
    : sql<Date>`strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`
}
