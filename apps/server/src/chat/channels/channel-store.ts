import type { ConfigOverrides } from '@parley/protocol/channel-types'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../../platform/database/dialect.ts'
import type { ChannelRow, Tables } from '../../platform/database/tables.ts'
import type { Micros } from '../../platform/micros.ts'

type Db = Kysely<Tables>

/** One channel, deleted or not; undefined when there is none. */
export function channelByCid(db: Db, app: string, cid: string): Promise<ChannelRow | undefined> {
  return db.selectFrom('channels').selectAll().where('app', '=', app).where('cid', '=', cid).executeTakeFirst()
}

/** The channels that exist, deleted ones included. */
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

/** The channel of a type that was created from exactly these members. */
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

/** Writes everything but the counters: those are written with the batch. */
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

/** The app's newest channels, which contain most pages; twice the page size for a long page. */
const RECENT = 500

/** A condition on the channel `c`, and the order of the results. */
export interface Search {
  where: RawBuilder<boolean>
  order: RawBuilder<unknown>
}

/**
 * The channels a search matches.
 *
 * @param among  the condition for the newest channels, and for all others
 * @param recent  the same search when an index has its order: the newest channels are searched first, and the others
 *   only when those do not fill the page, so a list costs the same however many channels a user has
 */
export async function findChannels(
  among: { newest: Db; all: () => Db | Promise<Db> },
  app: string,
  search: Search,
  recent: Search | undefined,
  page: { limit: number; offset: number },
  columns: RawBuilder<unknown> = sql`c.*`,
): Promise<ChannelRow[]> {
  // Written as literals: with bound numbers PostgreSQL plans the query again each time, which takes longer than running
  // it.
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

/** Whether any channel uses the type, or a deleted channel whose messages are kept. */
export async function hasChannelsOfType(db: Db, app: string, type: string): Promise<boolean> {
  const { rows } = await sql`select 1 from channels c where c.app = ${app} and c.type = ${type}
    and (c.deleted_at is null or coalesce(c.truncated_at, 0) <> c.deleted_at) limit 1`.execute(db)
  return rows.length > 0
}

/** Channels of a type by cid, and whether each has visible messages from before a time. */
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
 * Some of the channels a user created.
 *
 * @param deletedAt null for channels that are not deleted; undefined for all
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

/** The channels whose overrides name a block list, ordered by cid. */
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

/** Channel overrides that may name a role. */
export async function overridesNaming(db: Db, app: string, role: string): Promise<ConfigOverrides[]> {
  const named = `%${JSON.stringify(role)}:[%`
  const { rows } = await sql<{ overrides_json: string }>`select distinct overrides_json from channels
    where app = ${app} and deleted_at is null and overrides_json like ${named}`.execute(db)
  return rows.map(({ overrides_json }) => JSON.parse(overrides_json))
}

/** The channels that match a condition on the row `c`, ordered by cid. */
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
