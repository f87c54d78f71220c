import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../../platform/database/dialect.ts'
import type { BanRow, Tables } from '../../platform/database/tables.ts'
import type { Micros } from '../../platform/micros.ts'

type Db = Kysely<Tables>

/**
 * Whether a ban is in the whole app or in an existing channel. A ban in a soft-deleted channel counts again when that
 * channel is recreated.
 */
const isSomewhere = sql<boolean>`(b.cid = '' or exists (select 1 from channels c where c.app = b.app and c.cid = b.cid
  and c.deleted_at is null))`

/** @param cid a channel, or '' for the whole app */
export function banOf(db: Db, app: string, targetId: string, cid: string): Promise<BanRow | undefined> {
  return db
    .selectFrom('bans')
    .selectAll()
    .where('app', '=', app)
    .where('target_id', '=', targetId)
    .where('cid', '=', cid)
    .executeTakeFirst()
}

/** One ban per target and scope: a new one replaces the old [administration.md 6.1]. */
export async function putBan(db: Db, ban: BanRow) {
  await db
    .insertInto('bans')
    .values(ban)
    .onConflict((conflict) => conflict.columns(['app', 'target_id', 'cid']).doUpdateSet(ban))
    .execute()
}

export async function deleteBan(db: Db, { app, target_id, cid }: BanRow) {
  await db.deleteFrom('bans').where('app', '=', app).where('target_id', '=', target_id).where('cid', '=', cid).execute()
}

/** Called when a channel is erased: a channel recreated under its id is a different channel. */
export async function deleteBansIn(db: Db, app: string, cid: string) {
  await db.deleteFrom('bans').where('app', '=', app).where('cid', '=', cid).execute()
}

/** How many active bans a user has, in channels and in the app. */
export async function countBans(db: Db, app: string, targetId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from bans b where b.app = ${app}
    and b.target_id = ${targetId} and b.lapsed = 0 and ${isSomewhere}`.execute(db)
  return Number(rows[0]!.n)
}

/** The bans of these users in a channel that have not expired. */
export async function bansAmong(
  db: Db,
  dialect: Dialect,
  app: string,
  cid: string,
  targetIds: readonly string[],
): Promise<BanRow[]> {
  const { rows } = await sql<BanRow>`select * from bans where app = ${app} and cid = ${cid} and lapsed = 0
    and target_id ${dialect.among(targetIds, 'text')}`.execute(db)
  return rows
}

/** The bans of these users, in channels and in the app, that have not expired. */
export async function bansOfUsers(
  db: Db,
  dialect: Dialect,
  app: string,
  targetIds: readonly string[],
): Promise<BanRow[]> {
  if (targetIds.length === 0) return []
  const { rows } = await sql<BanRow>`select b.* from bans b where b.app = ${app} and b.lapsed = 0
    and b.target_id ${dialect.among(targetIds, 'text')} and ${isSomewhere} order by b.created_at`.execute(db)
  return rows
}

/** Expired bans of all apps that still mark their targets. */
export function bansToLapse(db: Db, now: Micros): Promise<BanRow[]> {
  // The partial index covers exactly these rows; the planner uses it for a literal only.
  return db
    .selectFrom('bans')
    .selectAll()
    .where('expires', '<=', now)
    .where('lapsed', '=', sql.lit(0))
    .limit(500)
    .execute()
}

export async function findBans(
  db: Db,
  app: string,
  where: RawBuilder<boolean>,
  order: RawBuilder<unknown>,
  page: { limit: number; offset: number },
): Promise<BanRow[]> {
  const { rows } = await sql<BanRow>`select b.* from bans b where b.app = ${app} and ${isSomewhere} and ${where}
    order by ${order} limit ${page.limit} offset ${page.offset}`.execute(db)
  return rows
}
