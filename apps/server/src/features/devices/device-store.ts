import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../../platform/database/dialect.ts'
import type { DeviceRow, PushPreferenceRow, Tables } from '../../platform/database/tables.ts'
import type { Micros } from '../../platform/micros.ts'

type Db = Kysely<Tables>

/** The devices of these users, the first to come first; one query for all. */
export async function devicesOf(
  db: Db,
  dialect: Dialect,
  app: string,
  userIds: readonly string[],
): Promise<DeviceRow[]> {
  const { rows } = await sql<DeviceRow>`select * from devices where app = ${app}
    and user_id ${dialect.among(userIds, 'text')} order by created_at, id`.execute(db)
  return rows
}

/** A device has one owner: one that is known already is taken over. */
export async function putDevice(db: Db, device: DeviceRow) {
  await db
    .insertInto('devices')
    .values(device)
    .onConflict((conflict) => conflict.columns(['app', 'id']).doUpdateSet(device))
    .execute()
}

/** @returns false when the user has no such device */
export async function deleteDevice(db: Db, app: string, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('devices')
    .where('app', '=', app)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Nothing is sent any more to a device that was added at that time; it may have been added again since. */
export async function setDisabled(db: Db, app: string, id: string, addedAt: Micros, reason: string) {
  await db
    .updateTable('devices')
    .set({ disabled_reason: reason })
    .where('app', '=', app)
    .where('id', '=', id)
    .where('created_at', '=', addedAt)
    .execute()
}

/** Drops all but the newest devices of a user. */
export async function purgeExpiredDevices(db: Db, app: string, userId: string, keep: number) {
  await sql`delete from devices where app = ${app} and user_id = ${userId} and id not in (
    select id from devices where app = ${app} and user_id = ${userId} order by created_at desc, id desc limit ${keep})`.execute(
    db,
  )
}

/** What these users set, in channels and everywhere. */
export async function preferencesOf(
  db: Db,
  dialect: Dialect,
  app: string,
  userIds: readonly string[],
  cids: readonly string[] | 'all' = 'all',
): Promise<PushPreferenceRow[]> {
  const among = cids === 'all' ? sql`` : sql`and cid ${dialect.among(cids, 'text')}`
  const { rows } = await sql<PushPreferenceRow>`select * from push_preferences where app = ${app}
    and user_id ${dialect.among(userIds, 'text')} ${among} order by cid`.execute(db)
  return rows
}

export async function putPreference(db: Db, preference: PushPreferenceRow) {
  await db
    .insertInto('push_preferences')
    .values(preference)
    .onConflict((conflict) => conflict.columns(['app', 'user_id', 'cid']).doUpdateSet(preference))
    .execute()
}

/** A channel is erased, and the one made again under its id another one. */
export async function deletePreferencesIn(db: Db, app: string, cid: string) {
  await db.deleteFrom('push_preferences').where('app', '=', app).where('cid', '=', cid).execute()
}
