import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../../platform/database/dialect.ts'
import type { PageQuery } from '../../platform/database/keyset.ts'
import type { ReactionRow, Tables } from '../../platform/database/tables.ts'

type Db = Kysely<Tables>

/** The newest reactions of each message, newest first; one statement for all. */
export async function latestReactions(
  db: Db,
  dialect: Dialect,
  app: string,
  messageIds: readonly string[],
  limit: number,
): Promise<ReactionRow[]> {
  if (messageIds.length === 0) return []
  const { rows } = await sql<ReactionRow>`${dialect.perKey(
    'reactions',
    messageIds,
    sql`where app = ${app} and message_id = k.value order by created_at desc, user_id, type limit ${limit}`,
  )}`.execute(db)
  return rows.sort((a, b) => b.created_at - a.created_at)
}

/** One user's reactions on these messages. */
export async function reactionsOfUser(
  db: Db,
  dialect: Dialect,
  app: string,
  userId: string,
  messageIds: readonly string[],
): Promise<ReactionRow[]> {
  if (messageIds.length === 0) return []
  const { rows } = await sql<ReactionRow>`select * from reactions where app = ${app} and user_id = ${userId}
    and message_id ${dialect.among(messageIds, 'text')} order by created_at desc`.execute(db)
  return rows
}

/** Newest first. */
export function reactionsPage(
  db: Db,
  app: string,
  messageId: string,
  page: { limit: number; offset: number },
): Promise<ReactionRow[]> {
  return db
    .selectFrom('reactions')
    .selectAll()
    .where('app', '=', app)
    .where('message_id', '=', messageId)
    .orderBy('created_at', 'desc')
    .orderBy('user_id')
    .orderBy('type')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
}

/** The reactions of a message that a filter matches, in order. */
export async function findReactions(
  db: Db,
  app: string,
  messageId: string,
  { where, keys, page }: PageQuery,
): Promise<ReactionRow[]> {
  const { rows } = await sql<ReactionRow>`select reactions.* ${keys} from reactions where app = ${app}
    and message_id = ${messageId} and ${where} ${page}`.execute(db)
  return rows
}

export interface ReactionSum {
  type: string
  count: number
  sum_scores: number
  first_at: number
  last_at: number
}

/** Per type: the count, the sum of scores, and the first and last time. */
export async function reactionSums(db: Db, app: string, messageId: string): Promise<ReactionSum[]> {
  const { rows } = await sql<ReactionSum>`select type, count(*) as count, sum(score) as sum_scores,
    min(created_at) as first_at, max(created_at) as last_at from reactions
    where app = ${app} and message_id = ${messageId} group by type order by min(created_at)`.execute(db)
  return rows.map((row) => ({ ...row, count: Number(row.count), sum_scores: Number(row.sum_scores) }))
}

export async function putReaction(db: Db, reaction: ReactionRow) {
  const { score, data, created_at, updated_at } = reaction
  await db
    .insertInto('reactions')
    .values(reaction)
    .onConflict((conflict) =>
      conflict.columns(['app', 'message_id', 'user_id', 'type']).doUpdateSet({ score, data, created_at, updated_at }),
    )
    .execute()
}

/** Returns the deleted reaction; undefined when there was none. */
export function deleteReaction(db: Db, app: string, messageId: string, userId: string, type: string) {
  return db
    .deleteFrom('reactions')
    .where('app', '=', app)
    .where('message_id', '=', messageId)
    .where('user_id', '=', userId)
    .where('type', '=', type)
    .returningAll()
    .executeTakeFirst() as Promise<ReactionRow | undefined>
}

/** Removes a user's reactions of other types on a message; returns the removed types. */
export async function deleteOtherReactions(db: Db, app: string, messageId: string, userId: string, type: string) {
  const rows = await db
    .deleteFrom('reactions')
    .where('app', '=', app)
    .where('message_id', '=', messageId)
    .where('user_id', '=', userId)
    .where('type', '<>', type)
    .returning('type')
    .execute()
  return rows.map((row) => row.type)
}

/** A user's reactions after a position, in order of messages and types, with their channels. */
export async function reactionsAfter(
  db: Db,
  app: string,
  userId: string,
  cid: string | undefined,
  after: { messageId: string; type: string } | undefined,
  limit: number,
): Promise<(ReactionRow & { cid: string })[]> {
  const inside = cid === undefined ? sql`` : sql`and g.cid = ${cid}`
  const further = after ? sql`and (x.message_id, x.type) > (${after.messageId}, ${after.type})` : sql``
  const { rows } = await sql<ReactionRow & { cid: string }>`select x.*, g.cid from reactions x
    join messages g on g.app = x.app and g.id = x.message_id where x.app = ${app} and x.user_id = ${userId} ${inside} ${further}
    order by x.message_id, x.type limit ${limit}`.execute(db)
  return rows
}
