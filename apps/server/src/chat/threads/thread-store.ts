import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../../platform/database/dialect.ts'
import type { PageQuery } from '../../platform/database/keyset.ts'
import { listHolds } from '../../platform/database/list-holds.ts'
import type { Tables, ThreadParticipantRow, ThreadRow } from '../../platform/database/tables.ts'
import type { Micros } from '../../platform/micros.ts'
import { standpoint } from '../reads/may-read.ts'

type Db = Kysely<Tables>

/** A thread with the counts that are computed when it is read. */
export interface ThreadView extends ThreadRow {
  reply_count: number
  participant_count: number
  active_participant_count: number
  parent_deleted_at: Micros | null
}

/** A participant's read position in a thread, and the number of unread replies. */
export interface ThreadRead extends ThreadParticipantRow {
  unread: number
  cid: string
  last_reply_at: Micros
  type: string
  status: string
  blocked: 0 | 1
}

/**
 * Replies of others after the read position of the participant `p`. They are counted on read, so that a reply writes
 * no row per participant.
 */
export const unreadReplies = sql<number>`(select count(*) from messages r where r.app = p.app
  and r.parent_id = p.thread_id and r.created_at > p.last_read and r.user_id <> p.user_id and r.silent = 0
  and r.shadowed = 0 and (r.audience_json is null or ${listHolds('r.audience_json', sql`p.user_id`)})
  and r.deleted_at is null and not exists (select 1 from deleted_for_me x where x.app = p.app
    and x.user_id = p.user_id and x.message_id = r.id) and not exists (select 1 from user_mutes x where x.app = p.app and x.user_id = p.user_id
    and x.target_id = r.user_id and x.created_at <= r.created_at and (x.until is null or x.until > r.created_at))
  and not exists (select 1 from channel_mutes x where x.app = p.app and x.user_id = p.user_id and x.cid = r.cid
    and (x.until is null or x.until >= r.created_at)))`

/** Participants `p` with their thread `t`, its parent `g`, channel `c` and membership `m`, where they may read it. */
const readable = sql`thread_participants p
  join threads t on t.app = p.app and t.id = p.thread_id
  join messages g on g.app = t.app and g.id = t.id and (g.shadowed = 0 or g.user_id = p.user_id)
    and (g.audience_json is null or ${listHolds('g.audience_json', sql`p.user_id`)})
  join channels c on c.app = t.app and c.cid = t.cid and c.deleted_at is null
    and g.created_at >= coalesce(c.truncated_at, 0)
  join members m on m.app = t.app and m.cid = t.cid and m.user_id = p.user_id and m.status <> 'rejected'
    and m.blocked = 0 and g.created_at > coalesce(m.hide_before, 0)`

/** All participants the thread `t` ever had. */
export const participants = sql<number>`(select count(*) from thread_participants x
  where x.app = t.app and x.thread_id = t.id)`

/** Those of them who are still in its channel. */
export const activeParticipants = sql<number>`(select count(*) from thread_participants x
  join members y on y.app = x.app and y.cid = t.cid and y.user_id = x.user_id and y.status <> 'rejected'
  where x.app = t.app and x.thread_id = t.id)`

const view = sql`t.*, g.reply_count, g.deleted_at as parent_deleted_at, ${participants} as participant_count,
  ${activeParticipants} as active_participant_count`

export async function threadById(db: Db, app: string, id: string): Promise<ThreadView | undefined> {
  const { rows } = await sql<ThreadView>`select ${view} from threads t join messages g on g.app = t.app and g.id = t.id
    where t.app = ${app} and t.id = ${id}`.execute(db)
  return rows[0]
}

/** The threads in which a user is a participant, that they may read and that match a filter; sorted. */
export async function findThreads(
  db: Db,
  app: string,
  userId: string,
  { where, keys, page }: PageQuery,
): Promise<ThreadView[]> {
  const { rows } = await sql<ThreadView>`select ${view} ${keys} from ${readable} where p.app = ${app}
    and p.user_id = ${userId} and ${where} ${page}`.execute(db)
  return rows
}

/** The participants of each thread, newest first; one statement for all. */
export async function newestParticipants(
  db: Db,
  dialect: Dialect,
  app: string,
  threadIds: readonly string[],
  limit: number,
): Promise<ThreadParticipantRow[]> {
  if (threadIds.length === 0 || limit === 0) return []
  const { rows } = await sql<ThreadParticipantRow>`${dialect.perKey(
    'thread_participants',
    threadIds,
    sql`where app = ${app} and thread_id = k.value order by created_at desc, user_id limit ${limit}`,
  )}`.execute(db)
  return rows.sort((a, b) => b.created_at - a.created_at)
}

/** The read states of the named participants, newest participant first. */
export async function threadReads(
  db: Db,
  dialect: Dialect,
  app: string,
  named: readonly { thread_id: string; user_id: string }[],
): Promise<ThreadRead[]> {
  if (named.length === 0) return []
  const among = dialect.pairs(
    named.map((row) => row.thread_id),
    named.map((row) => row.user_id),
  )
  const { rows } = await sql<ThreadRead>`select p.*, t.cid, t.last_message_at as last_reply_at, c.type, m.status,
    m.blocked, ${unreadReplies} as unread from (select distinct a, b from ${among}) k, ${readable}
    where p.app = ${app} and p.thread_id = k.a and p.user_id = k.b order by p.created_at desc, p.user_id`.execute(db)
  return rows
}

/**
 * The threads in which users have unread replies, newest reply first.
 *
 * @param withRights also selects the columns that decide whether they may read there
 */
export async function unreadThreads(
  db: Db,
  dialect: Dialect,
  app: string,
  userIds: readonly string[],
  { withRights = false } = {},
): Promise<ThreadRead[]> {
  if (userIds.length === 0) return []
  const rights = withRights ? sql`, ${standpoint}` : sql``
  const users = withRights ? sql`join users w on w.app = p.app and w.id = p.user_id` : sql``
  // In its own step, so that replies are counted only for rows left after the joins.
  const { rows } = await sql<ThreadRead>`with u as materialized (select p.*, t.cid, t.last_message_at as last_reply_at,
    c.type, m.status, m.blocked, ${unreadReplies} as unread ${rights} from ${readable} ${users} where p.app = ${app}
    and p.user_id in (select value from ${dialect.list(userIds, 'text')}) and t.last_message_at > p.last_read)
    select * from u where unread > 0 order by last_reply_at desc, thread_id`.execute(db)
  return rows
}

/**
 * The participants of threads who can see them.
 *
 * @param withRights also selects the columns that decide whether they may read there
 */
export async function participantsOf(
  db: Db,
  dialect: Dialect,
  app: string,
  threadIds: readonly string[],
  { withRights = false } = {},
): Promise<{ thread_id: string; user_id: string }[]> {
  const rights = withRights ? sql`, c.cid, c.type, m.status, ${standpoint}` : sql``
  const users = withRights ? sql`join users w on w.app = p.app and w.id = p.user_id` : sql``
  const { rows } = await sql<{ thread_id: string; user_id: string }>`select p.thread_id, p.user_id ${rights}
    from ${readable} ${users}
    where p.app = ${app} and p.thread_id ${dialect.among(threadIds, 'text')} and m.status <> 'pending'`.execute(db)
  return rows
}

/** Creates the thread with its first reply; a later reply updates its times. */
export async function putThread(db: Db, thread: ThreadRow) {
  const { updated_at, last_message_at } = thread
  await db
    .insertInto('threads')
    .values(thread)
    .onConflict((conflict) => conflict.columns(['app', 'id']).doUpdateSet({ updated_at, last_message_at }))
    .execute()
}

/** Adds a participant; for an existing one, moves the read position and the last reply time. */
export async function putParticipant(db: Db, participant: ThreadParticipantRow) {
  const { last_read, last_read_message_id, last_message_at } = participant
  await db
    .insertInto('thread_participants')
    .values(participant)
    .onConflict((conflict) =>
      conflict
        .columns(['app', 'thread_id', 'user_id'])
        .doUpdateSet({ last_read, last_read_message_id, last_message_at, left_at: null }),
    )
    .execute()
}

/** Sets when these users left their threads in a channel; null when they are in them. */
export async function setLeft(
  db: Db,
  dialect: Dialect,
  app: string,
  cid: string,
  userIds: readonly string[],
  at: Micros | null,
) {
  await sql`update thread_participants set left_at = ${at} where app = ${app}
    and user_id in (select value from ${dialect.list(userIds, 'text')}) and exists (select 1 from threads t
    where t.app = thread_participants.app and t.id = thread_participants.thread_id and t.cid = ${cid})`.execute(db)
}

/** @returns false when the user is no participant of the thread, or has left it */
export async function setThreadRead(
  db: Db,
  app: string,
  threadId: string,
  userId: string,
  position: { last_read: Micros; last_read_message_id: string | null },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('thread_participants')
    .set(position)
    .where('app', '=', app)
    .where('thread_id', '=', threadId)
    .where('user_id', '=', userId)
    .where('left_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function updateThreadRow(
  db: Db,
  app: string,
  id: string,
  { title, data, updated_at }: Pick<ThreadRow, 'title' | 'data' | 'updated_at'>,
) {
  await db.updateTable('threads').set({ title, data, updated_at }).where('app', '=', app).where('id', '=', id).execute()
}

export async function deleteThreads(db: Db, dialect: Dialect, app: string, ids: readonly string[]) {
  const among = dialect.among(ids, 'text')
  await sql`delete from thread_participants where app = ${app} and thread_id ${among}`.execute(db)
  await sql`delete from threads where app = ${app} and id ${among}`.execute(db)
}
