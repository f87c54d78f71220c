import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../../platform/database/dialect.ts'
import { listHolds } from '../../platform/database/list-holds.ts'
import type { ChannelRow, MemberRow, ReadRow, Tables } from '../../platform/database/tables.ts'
import type { Micros } from '../../platform/micros.ts'
import { mutedAfter, withoutMuted } from '../mutes/muted-unread.ts'
import { standpoint } from './may-read.ts'

type Db = Kysely<Tables>

/** A read row with its unread count, worked out from the channel's counter. */
export interface ReadState extends ReadRow {
  unread: number
  seq: number
  type: string
  team: string | null
  last_message_at: Micros | null
  status: string
  /** The member blocked the only other member. */
  blocked: 0 | 1
  /** The member does not see messages up to this time. */
  hide_before: Micros | null
  /** Messages count from this time on. */
  joined: Micros
}

/** Messages after a read position `r` that do not count: deleted ones, and those restricted to other users. */
const setAside = sql<number>`(select count(*) from uncounted u
  where u.app = r.app and u.cid = r.cid and u.ordinal > r.ordinal and u.user_id <> r.user_id)
  + (select count(*) from messages x where x.app = r.app and x.cid = r.cid and x.counted = 1 and x.ordinal > r.ordinal
  and x.audience_json is not null and x.deleted_at is null and not ${listHolds('x.audience_json', sql`r.user_id`)})`

/**
 * Countable messages after the read position, minus those set aside and the reader's own.
 * A send touches no read row but its author's, so its cost is the same in a channel of 10 and of 10,000.
 */
const unread = sql<number>`c.counted - r.ordinal - r.own_after - (${setAside})`

/** A user's unread count in the channel `c`; 0 when they have not joined it, or a block hides it from them. */
export function unreadIn(userId: string): RawBuilder<number> {
  return sql<number>`coalesce((select ${unread} - ${mutedAfter} from reads r
    join members m on m.app = r.app and m.cid = r.cid and m.user_id = r.user_id
    where r.app = c.app and r.cid = c.cid and r.user_id = ${userId}
      and m.status in ('member', 'accepted') and m.blocked = 0), 0)`
}

/**
 * @param members looked up first, on their own: inside the join, the planner knows too little to find the short plan
 * @param withRights also selects the columns that `readable` needs
 */
function readStates(members: RawBuilder<unknown>, { withRights = false } = {}): RawBuilder<ReadState> {
  const rights = withRights ? sql`, ${standpoint}` : sql``
  const users = withRights ? sql`join users w on w.app = m.app and w.id = m.user_id` : sql``
  return sql<ReadState>`with m as materialized (${members})
    select r.*, c.seq, c.type, c.team, c.last_message_at, m.status, m.blocked, m.hide_before,
      coalesce(m.invite_accepted_at, m.created_at) as joined, ${unread} as unread ${rights} from m
    join reads r on r.app = m.app and r.cid = m.cid and r.user_id = m.user_id
    join channels c on c.app = m.app and c.cid = m.cid and c.deleted_at is null ${users}`
}

/** The read states of users in all their channels, or the named ones; without rejected invitations. */
export async function readsOfUsers(
  db: Db,
  dialect: Dialect,
  app: string,
  userIds: readonly string[],
  { cids, withRights = false }: { cids?: readonly string[] | undefined; withRights?: boolean } = {},
): Promise<ReadState[]> {
  const inChannels = cids ? sql`and cid ${dialect.among(cids, 'text')}` : sql``
  const { rows } = await readStates(
    sql`select * from members where app = ${app} and user_id ${dialect.among(userIds, 'text')}
      and status <> 'rejected' ${inChannels}`,
    { withRights },
  ).execute(db)
  return withoutMuted(db, dialect, rows.map(whole))
}

/** The read states of the named members of each channel; keys are `<cid>|<user id>`. */
export async function readsOfMembers(
  db: Db,
  dialect: Dialect,
  app: string,
  members: readonly { cid: string; user_id: string }[],
): Promise<Map<string, ReadState>> {
  if (members.length === 0) return new Map()
  const { rows } = await readStates(sql`select m.* from ${dialect.atPlaces('members', app, members)} m`).execute(db)
  const reads = await withoutMuted(db, dialect, rows.map(whole))
  return new Map(reads.map((row) => [`${row.cid}|${row.user_id}`, row]))
}

/** The same for members of channels that are already loaded; a channel list shows hundreds of them. */
export async function readsOfListed(
  db: Db,
  dialect: Dialect,
  channels: ReadonlyMap<string, ChannelRow>,
  members: readonly MemberRow[],
): Promise<Map<string, ReadState>> {
  const listed = new Map(members.map((member) => [`${member.cid}|${member.user_id}`, member]))
  if (listed.size === 0) return new Map()
  const { rows } = await sql<ReadRow & { aside: number }>`select r.*, ${setAside} as aside
    from ${dialect.atPlaces('reads', members[0]!.app, members)} r`.execute(db)
  const reads = rows.map(({ aside, ...row }) => {
    const { status, blocked, hide_before, invite_accepted_at, created_at } = listed.get(`${row.cid}|${row.user_id}`)!
    const { counted, seq, type, team, last_message_at } = channels.get(row.cid)!
    return whole({
      ...row,
      seq,
      type,
      team,
      last_message_at,
      status,
      blocked,
      hide_before,
      joined: invite_accepted_at ?? created_at,
      unread: counted - row.ordinal - row.own_after - Number(aside),
    })
  })
  return new Map((await withoutMuted(db, dialect, reads)).map((row) => [`${row.cid}|${row.user_id}`, row]))
}

export function readOf(db: Db, app: string, cid: string, userId: string): Promise<ReadRow | undefined> {
  return db
    .selectFrom('reads')
    .selectAll()
    .where('app', '=', app)
    .where('cid', '=', cid)
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

export async function insertReads(db: Db, dialect: Dialect, reads: readonly ReadRow[]) {
  await dialect.insertRows(db, 'reads', reads)
}

/** The tables with members' positions; a member who returns starts again without them. */
const positions = ['reads', 'deliveries'] as const

export async function deleteReads(db: Db, dialect: Dialect, app: string, cid: string, userIds: readonly string[]) {
  for (const table of positions)
    await sql`delete from ${sql.table(table)} where app = ${app} and cid = ${cid}
      and user_id ${dialect.among(userIds, 'text')}`.execute(db)
}

export async function deleteReadsOf(db: Db, app: string, cid: string) {
  for (const table of positions) await db.deleteFrom(table).where('app', '=', app).where('cid', '=', cid).execute()
}

/**
 * Marks everything read for all members. Forgets the deleted messages up to `goneUpTo`, which are older than any
 * message that is left; the others may still be marked unread.
 */
export async function readAllOf(db: Db, { app, cid, counted }: ChannelRow, at: Micros, goneUpTo: number) {
  await db
    .updateTable('reads')
    .set({ last_read: at, last_read_message_id: null, ordinal: counted, own_after: 0 })
    .where('app', '=', app)
    .where('cid', '=', cid)
    .execute()
  await dropUncounted(db, app, cid, goneUpTo)
}

async function dropUncounted(db: Db, app: string, cid: string, upTo: number) {
  await db.deleteFrom('uncounted').where('app', '=', app).where('cid', '=', cid).where('ordinal', '<=', upTo).execute()
}

/**
 * Messages up to an ordinal are purged, and no longer unread for any member. `own_after` keeps only messages after the
 * ordinal: the member's own, and those that the member deleted for themselves.
 */
export async function purgeUpTo(db: Db, { app, cid }: ChannelRow, ordinal: number) {
  await sql`update reads set ordinal = ${ordinal}, own_after = case when own_after = 0 then 0 else
      (select count(*) from messages m where m.app = reads.app and m.cid = reads.cid and m.counted = 1
        and m.ordinal > ${ordinal} and m.deleted_at is null and (m.user_id = reads.user_id or
          (m.audience_json is null or ${listHolds('m.audience_json', sql`reads.user_id`)}) and exists
          (select 1 from deleted_for_me d where d.app = m.app and d.user_id = reads.user_id and d.message_id = m.id)))
      + (select count(*) from uncounted u where u.app = reads.app and u.cid = reads.cid and u.ordinal > ${ordinal}
        and u.user_id = reads.user_id) end
    where app = ${app} and cid = ${cid} and ordinal < ${ordinal}`.execute(db)
  await dropUncounted(db, app, cid, ordinal)
}

/** Leaves nothing unread for some members; the read position that others see stays. */
export async function nothingUnreadFor(db: Db, dialect: Dialect, channel: ChannelRow, ids: readonly string[]) {
  await db
    .updateTable('reads')
    .set({ ordinal: channel.counted, own_after: 0 })
    .where('app', '=', channel.app)
    .where('cid', '=', channel.cid)
    .where(sql<boolean>`user_id ${dialect.among(ids, 'text')}`)
    .execute()
}

/** A backdated message does not count for members who joined since its date: it is marked read for them. */
export async function readBySince(db: Db, { app, cid }: ChannelRow, ordinal: number, since: Micros) {
  await sql`update reads set ordinal = ${ordinal}, own_after = 0 where app = ${app} and cid = ${cid}
    and ordinal < ${ordinal} and user_id in (select m.user_id from members m where m.app = ${app} and m.cid = ${cid}
      and coalesce(m.invite_accepted_at, m.created_at) >= ${since})`.execute(db)
}

/** How many of a user's own countable messages after an ordinal were deleted. */
export async function ownUncountedAfter(
  db: Db,
  app: string,
  cid: string,
  userId: string,
  ordinal: number,
): Promise<number> {
  const { count } = await db
    .selectFrom('uncounted')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('app', '=', app)
    .where('cid', '=', cid)
    .where('user_id', '=', userId)
    .where('ordinal', '>', ordinal)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The id of the first message after an ordinal that can be unread for a user; ignores mutes. */
export async function firstUnreadAfter(
  db: Db,
  { app, cid }: ChannelRow,
  userId: string,
  ordinal: number,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`select x.id from messages x where x.app = ${app} and x.cid = ${cid}
    and x.counted = 1 and x.ordinal > ${ordinal} and x.deleted_at is null and x.user_id <> ${userId}
    and (x.audience_json is null or ${listHolds('x.audience_json', sql`cast(${userId} as text)`)})
    and not exists (select 1 from deleted_for_me d where d.app = x.app and d.user_id = ${userId} and d.message_id = x.id)
    order by x.ordinal limit 1`.execute(db)
  return rows[0]?.id
}

/** Records that countable messages of one channel were deleted, or restored. */
export async function setUncounted(
  db: Db,
  dialect: Dialect,
  messages: readonly { app: string; cid: string; ordinal: number; user_id: string }[],
  gone: boolean,
) {
  const [first] = messages
  if (!first) return
  if (gone)
    await db
      .insertInto('uncounted')
      .values(messages.map(({ app, cid, ordinal, user_id }) => ({ app, cid, ordinal, user_id })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  else {
    const ordinals = messages.map(({ ordinal }) => ordinal)
    await sql`delete from uncounted where app = ${first.app} and cid = ${first.cid}
      and ordinal ${dialect.among(ordinals, 'bigint')}`.execute(db)
  }
}

/** PostgreSQL counts in bigint, which comes back as a number here; a count never falls below 0. */
function whole(row: ReadState): ReadState {
  return { ...row, joined: Number(row.joined), unread: Math.max(0, Number(row.unread)) }
}
