import type { ConfigOverrides } from '@parley/protocol/channel-types'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../database/dialect.ts'
import type { ChannelRow, Tables } from '../database/tables.ts'
import type { Micros } from '../micros.ts'

type Db = Kysely<Tables>

/** One channel, a deleted one included; undefined when there is none. */
export function channelByCid(db: Db, app: string, cid: string): Promise<ChannelRow | undefined> {
  return db.selectFrom('channels').selectAll().where('app', '=', app).where('cid', '=', cid).executeTakeFirst()
}

/** Those of the channels there are, deleted ones included. */
export async function channelsStored(
  db: Db,
  dialect: Dialect,
  app: string,
  cids: readonly string[],
): Promise<ChannelRow[]> {
  const { rows } = await sql<ChannelRow>`select * from channels where app = ${app}
    and cid ${dialect.among(cids, 'text')}`.execute(db)
  return rows
}

export async function channelsByCids(
  db: Db,
  dialect: Dialect,
  app: string,
  cids: readonly string[],
): Promise<ChannelRow[]> {
  if (cids.length === 0) return []
  const { rows } = await sql<ChannelRow>`select * from channels where app = ${app} and deleted_at is null
    and cid ${dialect.among(cids, 'text')}`.execute(db)
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
export async function setChannelData(db: Db, row: ChannelRow) {
  const { app, cid, created_by, created_at, name, image, team, frozen, disabled, cooldown, data } = row
  const { updated_at, deleted_at, truncated_at, overrides_json } = row
  const { truncated_by, auto_translation_enabled, auto_translation_language } = row
  await db
    .updateTable('channels')
    .set({ created_by, created_at, name, image, team, frozen, disabled, cooldown, data })
    .set({ updated_at, deleted_at, truncated_at, overrides_json })
    .set({ truncated_by, auto_translation_enabled, auto_translation_language })
    .where('app', '=', app)
    .where('cid', '=', cid)
    .execute()
}

/** The newest channels of the app, in which most pages are found; for a long page twice as many as it has. */
const RECENT = 500

/** A condition on the channel `c`, and the order of what it holds for. */
export interface Search {
  where: RawBuilder<boolean>
  order: RawBuilder<unknown>
}

/**
 * The channels a search finds.
 *
 * @param among  where the newest channels are looked at, and where all others
 * @param recent  the same search, when an index has its order: then the newest channels are looked at first, and the
 *   others only when those do not fill the page, so that a list costs the same however many channels somebody has
 */
export async function findChannels(
  among: { newest: Db; all: () => Db | Promise<Db> },
  app: string,
  search: Search,
  recent: Search | undefined,
  page: { limit: number; offset: number },
  columns: RawBuilder<unknown> = sql`c.*`,
): Promise<ChannelRow[]> {
  // Spelled out: for numbers it does not know PostgreSQL plans a list anew each time, longer than it takes to find it.
  const limit = sql`limit ${sql.lit(page.limit)} ${page.offset === 0 ? sql`` : sql`offset ${page.offset}`}`
  const find = (db: Db, source: RawBuilder<unknown>, { where, order }: Search) =>
    sql<ChannelRow>`select ${columns} from ${source} where c.app = ${app} and c.deleted_at is null
      and ${where} order by ${order} ${limit}`.execute(db)
  const newestOnes = Math.max(RECENT, 2 * page.limit)
  if (recent && page.offset + page.limit <= newestOnes) {
    const newest = sql`(select * from channels c where c.app = ${app} order by ${recent.order} limit ${sql.lit(newestOnes)}) c`
    const { rows } = await find(among.newest, newest, recent)
    if (rows.length === page.limit) return rows
  }
  return (await find(await among.all(), sql`channels c`, search)).rows
}

/** Whether a channel type is in use: by channels there are, or whose messages are kept though they are deleted. */
export async function hasChannelsOfType(db: Db, app: string, type: string): Promise<boolean> {
  const { rows } = await sql`select 1 from channels c where c.app = ${app} and c.type = ${type}
    and (c.deleted_at is null or coalesce(c.truncated_at, 0) <> c.deleted_at) limit 1`.execute(db)
  return rows.length > 0
}

/** Channels of a type, in the order of their cids, and whether something said before a time is to be seen there. */
export async function channelsOfType(
  db: Db,
  { app, type }: Pick<ChannelRow, 'app' | 'type'>,
  before: Micros,
  after: string,
  limit: number,
): Promise<{ cid: string; speaks: boolean }[]> {
  const { rows } = await sql<{ cid: string; speaks: boolean | 0 | 1 }>`select c.cid, exists (select 1 from messages m
      where m.app = c.app and m.cid = c.cid and (m.parent_id is null or m.show_in_channel = 1)
      and m.created_at < ${before} and m.created_at >= coalesce(c.truncated_at, 0)) as speaks
    from channels c where c.app = ${app} and c.type = ${type} and c.cid > ${after} and c.deleted_at is null
    order by c.cid limit ${limit}`.execute(db)
  return rows.map(({ cid, speaks }) => ({ cid, speaks: Boolean(speaks) }))
}

/**
 * Some of the channels a user made.
 *
 * @param deletedAt null for those that are there; undefined for all
 */
export async function cidsMadeBy(
  db: Db,
  app: string,
  userId: string,
  deletedAt: Micros | null | undefined,
  limit: number,
): Promise<string[]> {
  const which =
    deletedAt === undefined
      ? sql``
      : deletedAt === null
        ? sql`and deleted_at is null`
        : sql`and deleted_at = ${deletedAt}`
  const { rows } = await sql<{ cid: string }>`select cid from channels where app = ${app} and created_by = ${userId}
    ${which} limit ${limit}`.execute(db)
  return rows.map((row) => row.cid)
}

/** The channels whose overrides name a block list, in the order of their cids. */
export async function channelsNaming(
  db: Db,
  app: string,
  blockList: string,
  after: string,
  limit: number,
): Promise<{ cid: string }[]> {
  const named = `%"blocklist":${JSON.stringify(blockList)}%`
  const { rows } = await sql<{ cid: string }>`select cid from channels where app = ${app} and cid > ${after}
    and overrides_json like ${named} order by cid limit ${limit}`.execute(db)
  return rows
}

/** What channels do otherwise than their types, where it may speak of a role. */
export async function overridesNaming(db: Db, app: string, role: string): Promise<ConfigOverrides[]> {
  const named = `%${JSON.stringify(role)}:[%`
  const { rows } = await sql<{ overrides_json: string }>`select distinct overrides_json from channels
    where app = ${app} and deleted_at is null and overrides_json like ${named}`.execute(db)
  return rows.map(({ overrides_json }) => JSON.parse(overrides_json))
}

/** The channels a condition on the row `c` holds for, in the order of their cids. */
export async function cidsMatching(
  db: Db,
  app: string,
  where: RawBuilder<boolean>,
  after: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ cid: string }>`select c.cid from channels c where c.app = ${app} and c.cid > ${after}
    and c.deleted_at is null and ${where} order by c.cid limit ${limit}`.execute(db)
  return rows.map((row) => row.cid)
}
