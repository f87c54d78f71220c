import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../../platform/database/dialect.ts'
import type { LiveLocationRow, Tables } from '../../platform/database/tables.ts'
import type { Micros } from '../../platform/micros.ts'

type Db = Kysely<Tables>

export async function putLive(db: Db, row: LiveLocationRow) {
  await db
    .insertInto('live_locations')
    .values(row)
    .onConflict((conflict) => conflict.columns(['app', 'message_id']).doUpdateSet({ end_at: row.end_at }))
    .execute()
}

export async function deleteLive(db: Db, app: string, messageId: string) {
  await db.deleteFrom('live_locations').where('app', '=', app).where('message_id', '=', messageId).execute()
}

export function liveOfUser(db: Db, app: string, userId: string, now: Micros): Promise<LiveLocationRow[]> {
  return db
    .selectFrom('live_locations')
    .selectAll()
    .where('app', '=', app)
    .where('user_id', '=', userId)
    .where('end_at', '>', now)
    .orderBy('end_at')
    .execute()
}

export async function liveInChannels(
  db: Db,
  dialect: Dialect,
  app: string,
  cids: readonly string[],
  now: Micros,
): Promise<LiveLocationRow[]> {
  if (cids.length === 0) return []
  const { rows } = await sql<LiveLocationRow>`select * from live_locations where app = ${app} and end_at > ${now}
    and cid ${dialect.among(cids, 'text')} order by end_at`.execute(db)
  return rows
}

/** Deletes the live locations of an erased channel. */
export async function deleteLiveIn(db: Db, app: string, cid: string) {
  await db.deleteFrom('live_locations').where('app', '=', app).where('cid', '=', cid).execute()
}
