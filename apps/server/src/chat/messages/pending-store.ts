import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../../platform/database/dialect.ts'
import type { MessageRow, PendingMessageRow, Tables } from '../../platform/database/tables.ts'
import type { Micros } from '../../platform/micros.ts'

type Db = Kysely<Tables>

export async function insertPending(db: Db, pending: PendingMessageRow) {
  await db.insertInto('pending_messages').values(pending).execute()
}

export function pendingById(db: Db, app: string, id: string): Promise<PendingMessageRow | undefined> {
  return db.selectFrom('pending_messages').selectAll().where('app', '=', app).where('id', '=', id).executeTakeFirst()
}

/** When the user last sent a message to the channel that is still pending, looking back to `since`. */
export async function lastPendingOf(db: Db, app: string, cid: string, userId: string, since: Micros) {
  const row = await db
    .selectFrom('pending_messages')
    .select('created_at')
    .where('app', '=', app)
    .where('user_id', '=', userId)
    .where('cid', '=', cid)
    .where('created_at', '>', since)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.created_at
}

/** Changes a message if it is still pending and `change` returns something to change. */
export async function changePending(
  db: Db,
  app: string,
  id: string,
  change: (row: MessageRow) => Partial<MessageRow> | undefined,
) {
  const pending = await pendingById(db, app, id)
  const row = pending && rowOf(pending)
  const changed = row && change(row)
  if (!changed) return
  const row_json = JSON.stringify({ ...row, ...changed })
  await db.updateTable('pending_messages').set({ row_json }).where('app', '=', app).where('id', '=', id).execute()
}

export function rowOf({ row_json }: PendingMessageRow): MessageRow {
  return JSON.parse(row_json)
}

/** Removes a pending message and returns it; undefined if it is no longer there. */
export function takePending(db: Db, app: string, id: string): Promise<PendingMessageRow | undefined> {
  return db.deleteFrom('pending_messages').where('app', '=', app).where('id', '=', id).returningAll().executeTakeFirst()
}

/** Removes the pending messages of a deleted channel. */
export async function dropPendingIn(db: Db, app: string, cid: string) {
  await db.deleteFrom('pending_messages').where('app', '=', app).where('cid', '=', cid).execute()
}

/** The newest pending messages of a user in each of these channels, oldest first; one statement for all. */
export async function pendingOf(
  db: Db,
  dialect: Dialect,
  app: string,
  userId: string,
  cids: readonly string[],
  limit: number,
): Promise<PendingMessageRow[]> {
  if (cids.length === 0) return []
  const { rows } = await sql<PendingMessageRow>`${dialect.perKey(
    'pending_messages',
    cids,
    sql`where app = ${app} and user_id = ${userId} and cid = k.value order by created_at desc limit ${limit}`,
  )}`.execute(db)
  return rows.sort((a, b) => a.created_at - b.created_at)
}
