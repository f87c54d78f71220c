import { type RawBuilder, sql } from 'kysely'
import type { Database } from './database.server.ts'

/**
 * What time it is for all nodes of the product: the database's time, whatever the clock of a machine says. It is asked
 * within the statement that needs it.
 *
 * @param now takes its place, for stories
 * @returns milliseconds since 1970
 */
export function databaseMillis(type: Database['type'], now?: Date): RawBuilder<number> {
  if (now) return sql<number>`cast(${now.getTime()} as bigint)`
  return type === 'postgres'
    ? sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`
    : sql<number>`cast(unixepoch('subsec') * 1000 as integer)`
}

/** The same as a value of the columns that hold a moment; no more exact than a `Date` that is read from them. */
export function databaseNow(type: Database['type']): RawBuilder<Date> {
  return type === 'postgres'
    ? sql<Date>`date_trunc('milliseconds', clock_timestamp())`
    : sql<Date>`strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`
}
