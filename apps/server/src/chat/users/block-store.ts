import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../../platform/database/dialect.ts'
import type { BlockRow, Tables } from '../../platform/database/tables.ts'

type Db = Kysely<Tables>

export function blockOf(db: Db, app: string, userId: string, blockedId: string): Promise<BlockRow | undefined> {
  return db
    .selectFrom('blocks')
    .selectAll()
    .where('app', '=', app)
    .where('user_id', '=', userId)
    .where('blocked_id', '=', blockedId)
    .executeTakeFirst()
}

/** The users these users blocked, oldest block first. */
export async function blocksOf(db: Db, dialect: Dialect, app: string, userIds: readonly string[]): Promise<BlockRow[]> {
  if (userIds.length === 0) return []
  const { rows } = await sql<BlockRow>`select * from blocks where app = ${app}
    and user_id ${dialect.among(userIds, 'text')} order by created_at, blocked_id`.execute(db)
  return rows
}

/** The users who blocked a user, newest block first. */
export function blocksOfTarget(db: Db, app: string, blockedId: string, limit: number): Promise<BlockRow[]> {
  return db
    .selectFrom('blocks')
    .selectAll()
    .where('app', '=', app)
    .where('blocked_id', '=', blockedId)
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute()
}

/** Those of the users who blocked the user. */
export async function blockersAmong(
  db: Db,
  dialect: Dialect,
  app: string,
  blockedId: string,
  userIds: readonly string[],
): Promise<string[]> {
  if (userIds.length === 0) return []
  const { rows } = await sql<{ user_id: string }>`select user_id from blocks where app = ${app}
    and blocked_id = ${blockedId} and user_id ${dialect.among(userIds, 'text')}`.execute(db)
  return rows.map((row) => row.user_id)
}

/** A user who is already blocked keeps the time of the first block. */
export async function putBlock(db: Db, block: BlockRow) {
  await db
    .insertInto('blocks')
    .values(block)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function deleteBlock(db: Db, app: string, userId: string, blockedId: string) {
  await db
    .deleteFrom('blocks')
    .where('app', '=', app)
    .where('user_id', '=', userId)
    .where('blocked_id', '=', blockedId)
    .execute()
}
