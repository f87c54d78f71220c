import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../../platform/database/dialect.ts'
import type { FutureBanRow, Tables } from '../../platform/database/tables.ts'
import type { Micros } from '../../platform/micros.ts'

type Db = Kysely<Tables>

export async function putFutureBan(db: Db, ban: FutureBanRow) {
  await db
    .insertInto('future_bans')
    .values(ban)
    .onConflict((conflict) => conflict.columns(['app', 'banned_by', 'target_id']).doUpdateSet(ban))
    .execute()
}

export async function deleteFutureBan(db: Db, app: string, bannedBy: string, targetId: string) {
  await db
    .deleteFrom('future_bans')
    .where('app', '=', app)
    .where('banned_by', '=', bannedBy)
    .where('target_id', '=', targetId)
    .execute()
}

/** Which of these users the given user bans from each new channel now. */
export async function futureBansOf(
  db: Db,
  dialect: Dialect,
  app: string,
  bannedBy: string,
  targetIds: readonly string[],
  now: Micros,
): Promise<FutureBanRow[]> {
  const { rows } = await sql<FutureBanRow>`select * from future_bans where app = ${app} and banned_by = ${bannedBy}
    and target_id ${dialect.among(targetIds, 'text')}
    and (expires is null or expires > ${now})`.execute(db)
  return rows
}

/** The matching bans, oldest first, and their total count. */
export async function findFutureBans(
  db: Db,
  app: string,
  {
    bannedBy,
    targetId,
    lastingAt,
  }: { bannedBy?: string | undefined; targetId?: string | undefined; lastingAt?: Micros },
  page: { limit: number; offset: number },
): Promise<{ rows: FutureBanRow[]; total: () => Promise<number> }> {
  let found = db.selectFrom('future_bans').where('app', '=', app)
  if (bannedBy !== undefined) found = found.where('banned_by', '=', bannedBy)
  if (targetId !== undefined) found = found.where('target_id', '=', targetId)
  if (lastingAt !== undefined) found = found.where(sql<boolean>`(expires is null or expires > ${lastingAt})`)
  const rows = await found
    .selectAll()
    .orderBy('created_at')
    .orderBy('banned_by')
    .orderBy('target_id')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  const total = async () => Number((await found.select(sql<number>`count(*)`.as('n')).executeTakeFirstOrThrow()).n)
  return { rows, total }
}
