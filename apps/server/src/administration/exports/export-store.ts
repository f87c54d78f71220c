/** Queries of exports, in pages; each page begins after the last row of the one before. */
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../../platform/database/dialect.ts'
import type { MemberRow, MessageRow, ReactionRow, Tables } from '../../platform/database/tables.ts'
import type { Micros } from '../../platform/micros.ts'

type Db = Kysely<Tables>

/** A time span of messages, both ends inclusive. */
export interface Span {
  since: Micros
  until: Micros
}

/** A member with their read state. */
export interface ExportedMember extends MemberRow {
  last_read: Micros | null
}

/** The visible messages of a channel, oldest first. */
export async function messagesAfter(
  db: Db,
  app: string,
  cid: string,
  after: Micros,
  { since, until }: Span,
  limit: number,
): Promise<MessageRow[]> {
  const { rows } = await sql<MessageRow>`select * from messages where app = ${app} and cid = ${cid}
    and (parent_id is null or show_in_channel = 1) and created_at > ${after} and created_at >= ${since}
    and created_at <= ${until} order by created_at limit ${limit}`.execute(db)
  return rows
}

/** The replies to some messages that are shown only in their threads. */
export async function repliesAfter(
  db: Db,
  dialect: Dialect,
  app: string,
  parentIds: readonly string[],
  after: Pick<MessageRow, 'parent_id' | 'created_at'> | undefined,
  { since, until }: Span,
  limit: number,
): Promise<MessageRow[]> {
  const further = after ? sql`and (parent_id, created_at) > (${after.parent_id}, ${after.created_at})` : sql``
  const { rows } = await sql<MessageRow>`select * from messages where app = ${app}
    and parent_id ${dialect.among(parentIds, 'text')} and show_in_channel = 0 ${further}
    and created_at >= ${since} and created_at <= ${until} order by parent_id, created_at limit ${limit}`.execute(db)
  return rows
}

export async function reactionsOn(
  db: Db,
  dialect: Dialect,
  app: string,
  messageIds: readonly string[],
  after: Pick<ReactionRow, 'message_id' | 'user_id' | 'type'> | undefined,
  limit: number,
): Promise<ReactionRow[]> {
  const further = after
    ? sql`and (message_id, user_id, type) > (${after.message_id}, ${after.user_id}, ${after.type})`
    : sql``
  const { rows } = await sql<ReactionRow>`select * from reactions where app = ${app}
    and message_id ${dialect.among(messageIds, 'text')} ${further} order by message_id, user_id, type
    limit ${limit}`.execute(db)
  return rows
}

/** The members of a channel, ordered by id. */
export async function membersAfter(
  db: Db,
  app: string,
  cid: string,
  after: string,
  limit: number,
): Promise<ExportedMember[]> {
  const { rows } = await sql<ExportedMember>`select m.*, r.last_read from members m
    left join reads r on r.app = m.app and r.cid = m.cid and r.user_id = m.user_id
    where m.app = ${app} and m.cid = ${cid} and m.user_id > ${after} order by m.user_id limit ${limit}`.execute(db)
  return rows
}

/** The memberships of a user, ordered by channel. */
export async function membershipsAfter(
  db: Db,
  app: string,
  userId: string,
  after: string,
  limit: number,
): Promise<ExportedMember[]> {
  const { rows } = await sql<ExportedMember>`select m.*, r.last_read from members m
    left join reads r on r.app = m.app and r.cid = m.cid and r.user_id = m.user_id
    where m.app = ${app} and m.user_id = ${userId} and m.cid > ${after} order by m.cid limit ${limit}`.execute(db)
  return rows
}

export async function writtenBy(
  db: Db,
  app: string,
  userId: string,
  after: Pick<MessageRow, 'cid' | 'created_at'> | undefined,
  limit: number,
): Promise<MessageRow[]> {
  const further = after ? sql`and (cid, created_at) > (${after.cid}, ${after.created_at})` : sql``
  const { rows } = await sql<MessageRow>`select * from messages where app = ${app} and user_id = ${userId} ${further}
    order by cid, created_at limit ${limit}`.execute(db)
  return rows
}

export async function reactionsBy(
  db: Db,
  app: string,
  userId: string,
  after: Pick<ReactionRow, 'message_id' | 'type'> | undefined,
  limit: number,
): Promise<ReactionRow[]> {
  const further = after ? sql`and (message_id, type) > (${after.message_id}, ${after.type})` : sql``
  const { rows } = await sql<ReactionRow>`select * from reactions where app = ${app} and user_id = ${userId} ${further}
    order by message_id, type limit ${limit}`.execute(db)
  return rows
}

/** The channels and times of quoted messages. */
export async function placesOf(
  db: Db,
  dialect: Dialect,
  app: string,
  ids: readonly string[],
): Promise<Pick<MessageRow, 'id' | 'cid' | 'created_at'>[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<Pick<MessageRow, 'id' | 'cid' | 'created_at'>>`select id, cid, created_at from messages
    where app = ${app} and id ${dialect.among(ids, 'text')}`.execute(db)
  return rows
}

/** Whether a user is a member of some channels, or wrote or reacted in one. */
export async function channelsNameUser(
  db: Db,
  dialect: Dialect,
  app: string,
  userId: string,
  cids: readonly string[],
): Promise<boolean> {
  const here = dialect.among(cids, 'text')
  const { rows } = await sql<{ told: number }>`select 1 as told where
    exists (select 1 from members where app = ${app} and user_id = ${userId} and cid ${here})
    or exists (select 1 from messages where app = ${app} and user_id = ${userId} and cid ${here})
    or exists (select 1 from reactions r join messages m on m.app = r.app and m.id = r.message_id
      where r.app = ${app} and r.user_id = ${userId} and m.cid ${here})`.execute(db)
  return rows.length > 0
}
