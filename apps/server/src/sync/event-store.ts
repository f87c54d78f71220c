import { SYNC_EVENTS_MAX } from '@parley/protocol/limits'
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../database/dialect.ts'
import { listHolds } from '../database/list-holds.ts'
import type { EventRow, Tables } from '../database/tables.ts'
import type { Micros } from '../micros.ts'

type Db = Kysely<Tables>

/** What happened in channels after a moment as one user may see it, oldest first; one more than may be synced. */
export async function eventsSince(
  db: Db,
  dialect: Dialect,
  app: string,
  cids: readonly string[],
  userId: string,
  since: Micros,
): Promise<EventRow[]> {
  if (cids.length === 0) return []
  const { rows } = await sql<EventRow>`select * from events where app = ${app} and at > ${since}
    and cid in (select value from ${dialect.list(cids, 'text')}) and (user_id is null or user_id = ${userId})
    and (users_json is null or ${listHolds('users_json', sql`cast(${userId} as text)`)})
    order by at, cid, seq limit ${SYNC_EVENTS_MAX + 1}`.execute(db)
  return rows
}

/** A channel's events after a number, oldest first, for a node that missed some. */
export function eventsAfter(db: Db, app: string, cid: string, seq: number): Promise<EventRow[]> {
  return db
    .selectFrom('events')
    .selectAll()
    .where('app', '=', app)
    .where('cid', '=', cid)
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(SYNC_EVENTS_MAX)
    .execute()
}

/** Forgets what is older than the log is kept for. */
export async function dropEventsBefore(db: Db, at: Micros) {
  await db.deleteFrom('events').where('at', '<', at).execute()
}
