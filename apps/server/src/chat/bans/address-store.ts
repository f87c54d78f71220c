import type { Kysely } from 'kysely'
import type { BannedNetworkRow, Tables, UserNetworkRow } from '../../platform/database/tables.ts'
import type { Micros } from '../../platform/micros.ts'

type Db = Kysely<Tables>

export async function putUserNetwork(db: Db, seen: UserNetworkRow) {
  const { seen_at } = seen
  await db
    .insertInto('user_networks')
    .values(seen)
    .onConflict((conflict) => conflict.columns(['app', 'user_id', 'network']).doUpdateSet({ seen_at }))
    .execute()
}

/** The networks a user called from, latest first. */
export async function networksOf(db: Db, app: string, userId: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('user_networks')
    .select('network')
    .where('app', '=', app)
    .where('user_id', '=', userId)
    .orderBy('seen_at', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ network }) => network)
}

export async function dropUserNetworksBefore(db: Db, before: Micros) {
  await db.deleteFrom('user_networks').where('seen_at', '<', before).execute()
}

export function bannedNetworksOf(db: Db, app: string): Promise<BannedNetworkRow[]> {
  return db.selectFrom('banned_networks').selectAll().where('app', '=', app).execute()
}

export async function putBannedNetworks(db: Db, rows: readonly BannedNetworkRow[]) {
  if (rows.length > 0) await db.insertInto('banned_networks').values(rows).execute()
}

/** Deletes the network bans of one user's ban; returns whether there were any. */
export async function deleteBannedNetworks(db: Db, app: string, targetId: string): Promise<boolean> {
  const gone = await db
    .deleteFrom('banned_networks')
    .where('app', '=', app)
    .where('target_id', '=', targetId)
    .executeTakeFirst()
  return gone.numDeletedRows > 0n
}
