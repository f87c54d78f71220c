/** Queries that settle imported channels and threads. */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../../platform/database/dialect.ts'
import type { ChannelRow, MessageRow, Tables, ThreadParticipantRow, ThreadRow } from '../../platform/database/tables.ts'
import type { Micros } from '../../platform/micros.ts'

type Db = Kysely<Tables>
type Inside = Pick<ChannelRow, 'app' | 'cid'>
type Numbered = Pick<MessageRow, 'app' | 'id' | 'user_id' | 'created_at' | 'counted' | 'ordinal' | 'deleted_at'>

const isShown = sql`(parent_id is null or show_in_channel = 1)`

/** The visible messages of a channel after a timestamp, oldest first. */
export async function shownAfter(db: Db, { app, cid }: Inside, after: Micros, limit: number): Promise<Numbered[]> {
  const { rows } = await sql<Numbered>`select app, id, user_id, created_at, counted, ordinal, deleted_at from messages
    where app = ${app} and cid = ${cid} and ${isShown} and created_at > ${after}
    order by created_at limit ${limit}`.execute(db)
  return rows
}

export async function setOrdinals(
  db: Db,
  dialect: Dialect,
  rows: readonly Pick<MessageRow, 'app' | 'id' | 'ordinal'>[],
) {
  await dialect.updateRows(db, 'messages', ['app', 'id'], ['ordinal'], rows)
}

/** Replaces the deleted messages between two ordinals, the second one included, in the list of uncounted messages. */
export async function setUncountedBetween(
  db: Db,
  dialect: Dialect,
  { app, cid }: Inside,
  from: number,
  to: number | undefined,
  gone: readonly { ordinal: number; user_id: string }[],
) {
  const end = to === undefined ? sql`` : sql`and ordinal <= ${to}`
  await sql`delete from uncounted where app = ${app} and cid = ${cid} and ordinal > ${from} ${end}`.execute(db)
  await dialect.insertRows(
    db,
    'uncounted',
    gone.map((message) => ({ app, cid, ...message })),
  )
}

/** How many members a channel has, and how many of them have hidden it. */
export async function memberCounts(db: Db, { app, cid }: Inside): Promise<{ members: number; hiding: number }> {
  const { rows } = await sql<{ members: number; hiding: number }>`select count(*) as members,
    sum(case when hidden = 1 and blocked = 0 then 1 else 0 end) as hiding from members
    where app = ${app} and cid = ${cid}`.execute(db)
  return { members: Number(rows[0]?.members ?? 0), hiding: Number(rows[0]?.hiding ?? 0) }
}

/** When the newest message was sent that moves a channel in lists. */
export async function newestMoving(
  db: Db,
  { app, cid }: Inside,
  since: Micros,
  { withSystem }: { withSystem: boolean },
): Promise<Micros | undefined> {
  const type = withSystem ? sql`` : sql`and type <> 'system'`
  const { rows } = await sql<{ created_at: Micros }>`select created_at from messages where app = ${app} and cid = ${cid}
    and ${isShown} and shadowed = 0 and restricted_json is null ${type} and created_at >= ${since}
    order by created_at desc limit 1`.execute(db)
  return rows[0]?.created_at
}

/** Sets read positions from their times. */
export async function setReadPositions(db: Db, dialect: Dialect, { app, cid, truncated_at }: ChannelRow) {
  const ofMember = (time: RawBuilder<unknown>) => sql`coalesce((select ${time} from members n where n.app = reads.app
    and n.cid = reads.cid and n.user_id = reads.user_id), 0)`
  const hidden = ofMember(sql`n.hide_before`)
  // Messages from before a member joined or accepted are not unread [READ-24].
  const joined = ofMember(sql`coalesce(n.invite_accepted_at, n.created_at)`)
  const truncated = sql.lit((truncated_at ?? 0) - 1)
  const position = dialect.greatest(sql`reads.last_read`, hidden, joined, truncated)
  const newest = (column: 'id' | 'ordinal') => sql`(select m.${sql.ref(column)} from messages m where m.app = reads.app
    and m.cid = reads.cid and (m.parent_id is null or m.show_in_channel = 1) and m.created_at <= ${position}
    order by m.created_at desc limit 1)`
  await sql`update reads set last_read_message_id = ${newest('id')}, ordinal = coalesce(${newest('ordinal')}, 0)
    where app = ${app} and cid = ${cid}`.execute(db)
  await sql`update reads set own_after = (select count(*) from messages x where x.app = reads.app
      and x.user_id = reads.user_id and x.cid = reads.cid and x.counted = 1 and x.deleted_at is null
      and x.ordinal > reads.ordinal)
    + (select count(*) from deleted_for_me d join messages g on g.app = d.app and g.id = d.message_id
      where d.app = reads.app and d.user_id = reads.user_id and d.cid = reads.cid and g.counted = 1
      and g.deleted_at is null and g.user_id <> d.user_id and g.ordinal > reads.ordinal)
    where app = ${app} and cid = ${cid}`.execute(db)
}

/** Hides a channel of two members from a blocker; any other channel stays visible. */
export async function hideFromBlockers(db: Db, { app, cid, member_count }: ChannelRow) {
  const blocks = sql`exists (select 1 from members o join blocks b on b.app = o.app and b.blocked_id = o.user_id
    where o.app = members.app and o.cid = members.cid and b.user_id = members.user_id)`
  const isPair = member_count === 2 ? blocks : sql`1 = 0`
  await sql`update members set hidden = 0, blocked = 0 where app = ${app} and cid = ${cid} and blocked = 1
    and not ${isPair}`.execute(db)
  await sql`update members set hidden = 1, blocked = 1 where app = ${app} and cid = ${cid} and blocked = 0
    and ${isPair}`.execute(db)
}

/** The members of a channel, without invited and banned ones. */
export async function belonging(db: Db, { app, cid }: Inside): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`select user_id from members where app = ${app} and cid = ${cid}
    and status in ('member', 'accepted') and blocked = 0`.execute(db)
  return rows.map(({ user_id }) => user_id)
}

/** The replies of one user in one thread. */
export interface Replies {
  parent_id: string
  user_id: string
  live: number
  gone: number
  first_at: Micros
  last_at: Micros
}

/** The replies in threads by user, the first to reply first. */
export async function repliesIn(db: Db, dialect: Dialect, app: string, ids: readonly string[]): Promise<Replies[]> {
  const { rows } = await sql<Replies>`select parent_id, user_id,
    sum(case when deleted_at is null then 1 else 0 end) as live,
    sum(case when deleted_at is null then 0 else 1 end) as gone, min(created_at) as first_at, max(created_at) as last_at
    from messages where app = ${app} and parent_id is not null and parent_id ${dialect.among(ids, 'text')}
    and shadowed = 0 group by parent_id, user_id order by min(created_at), user_id`.execute(db)
  return rows.map((row) => ({ ...row, live: Number(row.live), gone: Number(row.gone) }))
}

type Parent = Pick<MessageRow, 'id' | 'cid' | 'user_id' | 'updated_at'>

export async function parentsAmong(db: Db, dialect: Dialect, app: string, ids: readonly string[]): Promise<Parent[]> {
  const { rows } = await sql<Parent>`select id, cid, user_id, updated_at from messages where app = ${app}
    and id ${dialect.among(ids, 'text')}`.execute(db)
  return rows
}

export async function setReplyCounts(
  db: Db,
  dialect: Dialect,
  rows: readonly Pick<
    MessageRow,
    'app' | 'id' | 'reply_count' | 'deleted_reply_count' | 'thread_participants_json' | 'updated_at'
  >[],
) {
  const columns = ['reply_count', 'deleted_reply_count', 'thread_participants_json', 'updated_at'] as const
  await dialect.updateRows(db, 'messages', ['app', 'id'], columns, rows)
}

/** An existing thread keeps its own fields. */
export async function putThreads(db: Db, dialect: Dialect, rows: readonly ThreadRow[]) {
  await dialect.putRows(db, 'threads', ['app', 'id'], ['updated_at', 'last_message_at'], rows)
}

/** Existing participants keep their read state. */
export async function putParticipants(db: Db, dialect: Dialect, rows: readonly ThreadParticipantRow[]) {
  await dialect.putRows(db, 'thread_participants', ['app', 'thread_id', 'user_id'], ['last_message_at'], rows)
}
