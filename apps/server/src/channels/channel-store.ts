import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../database/dialect.ts'
import type { ChannelRow, Tables } from '../database/tables.ts'

type Db = Kysely<Tables>

/** One channel, a deleted one included; undefined when there is none. */
export function channelByCid(db: Db, app: string, cid: string): Promise<ChannelRow | undefined> {
  return db.selectFrom('channels').selectAll().where('app', '=', app).where('cid', '=', cid).executeTakeFirst()
}

export async function channelsByCids(
  db: Db,
  dialect: Dialect,
  app: string,
  cids: readonly string[],
): Promise<ChannelRow[]> {
  if (cids.length === 0) return []
  const { rows } = await sql<ChannelRow>`select * from channels where app = ${app} and deleted_at is null
    and cid in (select value from ${dialect.list(cids, 'text')})`.execute(db)
  return rows
}

/** The one channel of a type that was made from just these members. */
export function channelByMembers(
  db: Db,
  app: string,
  type: string,
  distinctMembers: string,
): Promise<ChannelRow | undefined> {
  return db
    .selectFrom('channels')
    .selectAll()
    .where('app', '=', app)
    .where('type', '=', type)
    .where('distinct_members', '=', distinctMembers)
    .executeTakeFirst()
}

export async function insertChannel(db: Db, channel: ChannelRow) {
  await db.insertInto('channels').values(channel).execute()
}

/** Writes what is not a counter: those are written with the batch. */
export async function setChannelData(
  db: Db,
  { app, cid, name, image, team, frozen, disabled, cooldown, data, updated_at, deleted_at, truncated_at }: ChannelRow,
) {
  await db
    .updateTable('channels')
    .set({ name, image, team, frozen, disabled, cooldown, data, updated_at, deleted_at, truncated_at })
    .where('app', '=', app)
    .where('cid', '=', cid)
    .execute()
}

/** The channels a condition on `c` holds for. */
export async function findChannels(
  db: Db,
  app: string,
  where: RawBuilder<boolean>,
  order: RawBuilder<unknown>,
  page: { limit: number; offset: number },
): Promise<ChannelRow[]> {
  const { rows } = await sql<ChannelRow>`select c.* from channels c where c.app = ${app} and c.deleted_at is null
    and ${where} order by ${order} limit ${page.limit} offset ${page.offset}`.execute(db)
  return rows
}
