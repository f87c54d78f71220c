import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../../platform/database/dialect.ts'
import { listHolds } from '../../platform/database/list-holds.ts'
import type { ChannelRow, MemberRow, MessageRow, Tables } from '../../platform/database/tables.ts'
import type { Micros } from '../../platform/micros.ts'
import { sentAt } from './extras.ts'
import { keptBy, meantFor } from './message-recipients.ts'

type Db = Kysely<Tables>

/** How many of a user's messages `lastPostOf` compares by sending time, if some were released only later. */
const POSTS_LOOKED_AT = 100

/** Which messages of a channel a reader can see. */
export interface Horizon {
  /** Messages before this time are gone; a message of exactly this time stays. */
  truncatedAt: Micros | null
  /** Messages up to and including this time are hidden from the reader. */
  hideBefore: Micros | null
  /** The reader's id: the reader sees only their own shadowed messages; null if the reader sees all. */
  shadowsOf: string | null
  /** The reader's id: the reader sees restricted messages they sent or received; null if the reader sees all. */
  restrictedFor: string | null
}

/** A page before or after a time, or between two; without either, the newest page. */
export interface Page {
  limit: number
  before?: { at: Micros; inclusive: boolean }
  after?: { at: Micros; inclusive: boolean }
}

export function messageById(db: Db, app: string, id: string): Promise<MessageRow | undefined> {
  return db.selectFrom('messages').selectAll().where('app', '=', app).where('id', '=', id).executeTakeFirst()
}

export async function messagesByIds(
  db: Db,
  dialect: Dialect,
  app: string,
  ids: readonly string[],
): Promise<MessageRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<MessageRow>`select * from messages where app = ${app}
    and id ${dialect.among(ids, 'text')} order by created_at`.execute(db)
  return rows
}

/** Messages shown in the channel, oldest first: the oldest ones after `page.after` if set, else the newest ones. */
export function channelPage(db: Db, app: string, cid: string, page: Page, horizon: Horizon): Promise<MessageRow[]> {
  return pageOf(db, sql`app = ${app} and cid = ${cid} and (parent_id is null or show_in_channel = 1)`, page, horizon)
}

/** The replies of a message, oldest first. */
export function repliesPage(
  db: Db,
  app: string,
  parentId: string,
  page: Page,
  horizon: Horizon,
): Promise<MessageRow[]> {
  return pageOf(db, sql`app = ${app} and parent_id = ${parentId}`, page, horizon)
}

async function pageOf(db: Db, where: RawBuilder<unknown>, page: Page, horizon: Horizon): Promise<MessageRow[]> {
  if (page.limit === 0) return []
  const forward = page.after !== undefined
  const { rows } = await sql<MessageRow>`select * from messages where ${where} ${within(page, horizon)}
    order by created_at ${forward ? sql`asc` : sql`desc`} limit ${page.limit}`.execute(db)
  return forward ? rows : rows.reverse()
}

/** @param table  the alias of the messages table in the query */
function within(
  { before, after }: Page,
  { truncatedAt, hideBefore, shadowsOf, restrictedFor }: Horizon,
  table = 'messages',
): RawBuilder<unknown> {
  const conditions = [
    before && (before.inclusive ? sql`and created_at <= ${before.at}` : sql`and created_at < ${before.at}`),
    after && (after.inclusive ? sql`and created_at >= ${after.at}` : sql`and created_at > ${after.at}`),
    truncatedAt !== null && sql`and created_at >= ${truncatedAt}`,
    hideBefore !== null && sql`and created_at > ${hideBefore}`,
    shadowsOf !== null && sql`and (shadowed = 0 or user_id = ${shadowsOf})`,
    restrictedFor !== null && sql`and ${meantFor(restrictedFor, table)}`,
  ]
  return sql.join(
    conditions.filter((condition) => condition !== false && condition !== undefined),
    sql` `,
  )
}

/**
 * The newest messages of each channel as one reader sees them, oldest first; one statement for all.
 *
 * @param since         since when the reader may see the history, by cid
 * @param unrestricted  the channels in which the reader sees all restricted messages
 */
export async function newestMessages(
  db: Db,
  dialect: Dialect,
  app: string,
  since: ReadonlyMap<string, Micros>,
  limit: number,
  readerId: string | undefined,
  unrestricted: readonly string[],
): Promise<MessageRow[]> {
  if (since.size === 0 || limit === 0) return []
  const { rows } = await sql<MessageRow>`${dialect.perKeyWith(
    'messages',
    since,
    sql`where app = ${app} and cid = k.key and created_at >= k.value and (parent_id is null or show_in_channel = 1)
      ${shownTo(dialect, readerId, unrestricted)} order by created_at desc limit ${limit}`,
  )}`.execute(db)
  return rows.sort((a, b) => a.created_at - b.created_at)
}

/** The condition for what a reader sees; the app's server, an undefined reader, sees everything. */
function shownTo(dialect: Dialect, readerId: string | undefined, unrestricted: readonly string[]) {
  if (readerId === undefined) return sql``
  const seesAll = unrestricted.length > 0 ? sql`or cid ${dialect.among(unrestricted, 'text')}` : sql``
  return sql`and ${notShadowedFor(readerId)} and (${meantFor(readerId)} ${seesAll})`
}

function notShadowedFor(readerId: string) {
  return sql`(shadowed = 0 or user_id = ${readerId})`
}

/** Messages that may need an unread reminder: countable, not deleted, and shown in the channel. */
const remindable = sql`counted = 1 and deleted_at is null and type in ('regular', 'system')
  and (parent_id is null or show_in_channel = 1)`

/** The remindable messages of these channels after one time and up to another, restricted ones included. */
export async function remindableBetween(
  db: Db,
  dialect: Dialect,
  app: string,
  cids: readonly string[],
  { from, to }: { from: Micros; to: Micros },
): Promise<MessageRow[]> {
  const { rows } =
    await sql<MessageRow>`select * from messages where app = ${app} and cid ${dialect.among(cids, 'text')}
    and created_at > ${from} and created_at <= ${to} and ${remindable}`.execute(db)
  return rows
}

/** The newest remindable messages of each channel after an ordinal, restricted ones included; one statement for all. */
export async function newestRemindable(
  db: Db,
  dialect: Dialect,
  app: string,
  after: ReadonlyMap<string, number>,
  limit: number,
): Promise<MessageRow[]> {
  if (after.size === 0) return []
  const { rows } = await sql<MessageRow>`${dialect.perKeyWith(
    'messages',
    after,
    sql`where app = ${app} and cid = k.key and ordinal > k.value and ${remindable} order by ordinal desc limit ${limit}`,
  )}`.execute(db)
  return rows
}

/**
 * The newest replies of each message as one reader sees them, oldest first; one statement for all.
 *
 * @param unrestricted  as for `newestMessages`
 */
export async function newestReplies(
  db: Db,
  dialect: Dialect,
  app: string,
  parentIds: readonly string[],
  limit: number,
  readerId: string | undefined,
  unrestricted: readonly string[],
): Promise<MessageRow[]> {
  if (parentIds.length === 0 || limit === 0) return []
  const { rows } = await sql<MessageRow>`${dialect.perKey(
    'messages',
    parentIds,
    sql`where app = ${app} and parent_id = k.value ${shownTo(dialect, readerId, unrestricted)}
      order by created_at desc limit ${limit}`,
  )}`.execute(db)
  return rows.sort((a, b) => a.created_at - b.created_at)
}

/** The newest pins of each channel as one reader sees them, oldest pin first. */
export async function newestPins(
  db: Db,
  dialect: Dialect,
  app: string,
  since: ReadonlyMap<string, Micros>,
  limit: number,
  now: Micros,
  readerId: string | undefined,
): Promise<MessageRow[]> {
  if (since.size === 0) return []
  const seen = readerId === undefined ? sql`` : sql`and ${notShadowedFor(readerId)} and ${keptBy(readerId)}`
  const { rows } = await sql<MessageRow>`${dialect.perKeyWith(
    'messages',
    since,
    sql`where app = ${app} and cid = k.key and pinned_at is not null and deleted_at is null and created_at >= k.value
      and (pin_expires is null or pin_expires > ${now}) ${seen} order by pinned_at desc limit ${limit}`,
  )}`.execute(db)
  return rows.sort((a, b) => (a.pinned_at ?? 0) - (b.pinned_at ?? 0))
}

/** The pinned messages of a channel that match a filter on the row `g`; a page lies before or after a pinning time. */
export async function findPins(
  db: Db,
  { app, cid }: ChannelRow,
  where: RawBuilder<boolean>,
  order: RawBuilder<unknown>,
  { limit, before, after }: Page,
  horizon: Horizon,
): Promise<MessageRow[]> {
  const place = before
    ? sql`and g.pinned_at ${before.inclusive ? sql`<=` : sql`<`} ${before.at}`
    : after
      ? sql`and g.pinned_at ${after.inclusive ? sql`>=` : sql`>`} ${after.at}`
      : sql``
  const { rows } = await sql<MessageRow>`select g.* from messages g where g.app = ${app} and g.cid = ${cid}
    and g.pinned_at is not null and ${where} ${place} ${within({ limit }, horizon, 'g')}
    order by ${order} limit ${limit}`.execute(db)
  return rows
}

/** The oldest reply of a message that can be unread for a user, however many own ones come before; ignores mutes. */
export function oldestReplyOfOthers(
  db: Db,
  app: string,
  parentId: string,
  userId: string,
): Promise<MessageRow | undefined> {
  return db
    .selectFrom('messages')
    .selectAll()
    .where('app', '=', app)
    .where('parent_id', '=', parentId)
    .where('user_id', '<>', userId)
    .where('silent', '=', 0)
    .where('shadowed', '=', 0)
    .where('deleted_at', 'is', null)
    .where(meantFor(userId))
    .where(keptBy(userId))
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
}

/** When the user last sent one of the messages posted to the channel after `since`. */
export async function lastPostOf(
  db: Db,
  app: string,
  cid: string,
  userId: string,
  since: Micros,
): Promise<Micros | undefined> {
  const newest = (limit: number) =>
    db
      .selectFrom('messages')
      .select(['created_at', 'extras_json'])
      .where('app', '=', app)
      .where('cid', '=', cid)
      .where('user_id', '=', userId)
      .where('created_at', '>', since)
      .orderBy('created_at', 'desc')
      .limit(limit)
      .execute()
  const [last] = await newest(1)
  if (!last || sentAt(last) === last.created_at) return last?.created_at
  // It was released only later, so another message may have been sent after it.
  const latest = Math.max(...(await newest(POSTS_LOOKED_AT)).map(sentAt))
  return latest > since ? latest : undefined
}

/** The newest channel message up to a time. */
export function newestUpTo(db: Db, app: string, cid: string, at: Micros): Promise<MessageRow | undefined> {
  return db
    .selectFrom('messages')
    .selectAll()
    .where('app', '=', app)
    .where('cid', '=', cid)
    .where(sql<boolean>`(parent_id is null or show_in_channel = 1)`)
    .where('created_at', '<=', at)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** When the newest message in the channel and in the thread of a message was posted; 0 if there is none. */
export async function newestBeside(
  db: Db,
  { app, cid, parent_id }: Pick<MessageRow, 'app' | 'cid' | 'parent_id'>,
): Promise<Micros> {
  const newest = (where: RawBuilder<unknown>) =>
    sql`(select max(created_at) from messages where app = ${app} and ${where})`
  const { rows } = await sql<{ in_channel: Micros | null; in_thread: Micros | null }>`select
    ${newest(sql`cid = ${cid} and (parent_id is null or show_in_channel = 1)`)} as in_channel,
    ${newest(sql`parent_id = ${parent_id ?? ''}`)} as in_thread`.execute(db)
  return Math.max(rows[0]!.in_channel ?? 0, rows[0]!.in_thread ?? 0)
}

/** The number of a user's own countable messages after an ordinal, without deleted ones. */
export async function ownCountedAfter(
  db: Db,
  app: string,
  cid: string,
  userId: string,
  ordinal: number,
): Promise<number> {
  const { count } = await db
    .selectFrom('messages')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('app', '=', app)
    .where('cid', '=', cid)
    .where('user_id', '=', userId)
    .where('counted', '=', 1)
    .where('deleted_at', 'is', null)
    .where('ordinal', '>', ordinal)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The number of channel messages newer than a time, counting no further than `limit`. */
export async function newerThan(db: Db, app: string, cid: string, at: Micros, limit: number): Promise<number> {
  const rows = await db
    .selectFrom('messages')
    .select('id')
    .where('app', '=', app)
    .where('cid', '=', cid)
    .where(sql<boolean>`(parent_id is null or show_in_channel = 1)`)
    .where('created_at', '>', at)
    .limit(limit)
    .execute()
  return rows.length
}

/** The number of messages in a channel's history from one time until another. */
export async function countBetween(db: Db, app: string, cid: string, from: Micros, before: Micros): Promise<number> {
  const { count } = await db
    .selectFrom('messages')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('app', '=', app)
    .where('cid', '=', cid)
    .where(sql<boolean>`(parent_id is null or show_in_channel = 1)`)
    .where('deleted_at', 'is', null)
    .where('shadowed', '=', 0)
    .where('created_at', '>=', from)
    .where('created_at', '<', before)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The ordinal of the newest message of a channel before a time; 0 if there is none. */
export async function ordinalBefore(db: Db, app: string, cid: string, before: Micros): Promise<number> {
  const row = await db
    .selectFrom('messages')
    .select('ordinal')
    .where('app', '=', app)
    .where('cid', '=', cid)
    .where(sql<boolean>`(parent_id is null or show_in_channel = 1)`)
    .where('created_at', '<', before)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.ordinal ?? 0
}

export async function updateMessage(db: Db, app: string, id: string, change: Partial<MessageRow>) {
  await db.updateTable('messages').set(change).where('app', '=', app).where('id', '=', id).execute()
}

/**
 * Adds a user to the audience of all messages of restricted visibility in a channel, or removes them from it. Uses
 * only functions that both databases have: each list also names the author, and ids have no characters that JSON
 * escapes.
 *
 * @returns whether any message changed
 */
export async function setAudience(
  db: Db,
  app: string,
  cid: string,
  userId: string,
  seesAll: boolean,
): Promise<boolean> {
  const name = JSON.stringify(userId)
  const list = seesAll
    ? sql`'[' || cast(${`${name},`} as text) || substr(audience_json, 2)`
    : sql`replace(replace(audience_json, ${`${name},`}, ''), ${`,${name}`}, '')`
  const has = listHolds('audience_json', sql`cast(${userId} as text)`)
  const { numAffectedRows } = await sql`update messages set audience_json = ${list} where app = ${app} and cid = ${cid}
    and audience_json is not null and user_id <> ${userId}
    and not ${listHolds('restricted_json', sql`cast(${userId} as text)`)}
    and ${seesAll ? sql`not ${has}` : has}`.execute(db)
  return (numAffectedRows ?? 0n) > 0n
}

/** The memberships of these users in channels that have messages of restricted visibility. */
export async function placesOfRestricted(
  db: Db,
  dialect: Dialect,
  app: string,
  userIds: readonly string[],
): Promise<MemberRow[]> {
  const { rows } = await sql<MemberRow>`select m.* from members m
    where m.app = ${app} and m.user_id ${dialect.among(userIds, 'text')} and exists
      (select 1 from messages x where x.app = m.app and x.cid = m.cid and x.audience_json is not null)`.execute(db)
  return rows
}

/**
 * The messages that show a poll, newest first: in each channel the newest unrestricted one, the newest shadowed one,
 * all restricted ones, and the given one. A user who sees the poll in the channel sees it in one of these.
 */
export async function messagesByPoll(
  db: Db,
  app: string,
  pollId: string,
  messageId: string | undefined,
): Promise<MessageRow[]> {
  const { rows } = await sql<MessageRow>`select * from messages where app = ${app} and id in (
    select id from (select id, audience_json, row_number() over
      (partition by cid, shadowed, audience_json is null order by created_at desc) as place
      from messages where app = ${app} and poll_id = ${pollId} and deleted_at is null) shown
    where place = 1 or audience_json is not null or id = ${messageId ?? ''})
    order by created_at desc`.execute(db)
  return rows
}

/** Which of these polls the messages of these channels show, and when the newest such message was posted. */
export async function pollsAmongMessages(
  db: Db,
  dialect: Dialect,
  app: string,
  cids: readonly string[],
  pollIds: readonly string[],
  reader?: { id: string; unrestricted: readonly string[] },
): Promise<{ cid: string; poll_id: string; newest: Micros }[]> {
  if (pollIds.length === 0) return []
  const { rows } = await sql<{ cid: string; poll_id: string; newest: Micros }>`select cid, poll_id,
    max(created_at) as newest from messages where app = ${app} and poll_id ${dialect.among(pollIds, 'text')}
    and cid ${dialect.among(cids, 'text')} and deleted_at is null
    ${shownTo(dialect, reader?.id, reader?.unrestricted ?? [])} group by cid, poll_id`.execute(db)
  return rows
}

/** Removes a deleted poll from all messages. */
export async function forgetPoll(db: Db, app: string, pollId: string) {
  await db.updateTable('messages').set({ poll_id: null }).where('app', '=', app).where('poll_id', '=', pollId).execute()
}

/** Removes only the row of a message, without its reactions and replies, so that it can be inserted elsewhere. */
export async function removeRow(db: Db, app: string, id: string) {
  await db.deleteFrom('messages').where('app', '=', app).where('id', '=', id).execute()
}

/** Removes messages, their replies, and the reactions to both; returns the replies that the channel showed. */
export async function eraseMessages(
  db: Db,
  dialect: Dialect,
  app: string,
  ids: readonly string[],
): Promise<MessageRow[]> {
  const among = dialect.among(ids, 'text')
  const { rows: shown } = await sql<MessageRow>`select * from messages where app = ${app} and parent_id ${among}
    and show_in_channel = 1`.execute(db)
  const replies = sql`select id from messages where app = ${app} and parent_id ${among}`
  for (const table of ['reactions', 'message_versions'])
    await sql`delete from ${sql.table(table)} where app = ${app} and (message_id ${among}
      or message_id in (${replies}))`.execute(db)
  // The replies shown in the channel still need these rows: they no longer count for users who deleted them already.
  await sql`delete from deleted_for_me where app = ${app} and message_id in (${replies}
    and show_in_channel = 0)`.execute(db)
  await sql`delete from messages where app = ${app} and (id ${among} or parent_id ${among})`.execute(db)
  return shown
}

/**
 * Erases some of a channel's messages from before a time, with their reactions; replies go before their parents.
 * Replies shown in the channel since that time stay, even without their parents.
 *
 * @returns the number of erased messages; 0 if none are left
 */
export async function eraseMessagesPage(
  db: Db,
  dialect: Dialect,
  app: string,
  cid: string,
  before: Micros,
  limit: number,
): Promise<number> {
  const idsOf = async (where: RawBuilder<unknown>) => {
    const { rows } = await sql<{ id: string }>`select id from messages where app = ${app} and ${where}
      limit ${limit}`.execute(db)
    return rows.map((row) => row.id)
  }
  const said = await idsOf(sql`cid = ${cid} and created_at < ${before} and (parent_id is null or show_in_channel = 1)`)
  if (said.length === 0) return 0
  const replies = await idsOf(sql`parent_id ${dialect.among(said, 'text')}
    and (show_in_channel = 0 or created_at < ${before})`)
  const ids = replies.length > 0 ? replies : said
  const among = dialect.among(ids, 'text')
  await sql`delete from reactions where app = ${app} and message_id ${among}`.execute(db)
  await sql`delete from thread_participants where app = ${app} and thread_id ${among}`.execute(db)
  await sql`delete from threads where app = ${app} and id ${among}`.execute(db)
  await sql`delete from message_versions where app = ${app} and message_id ${among}`.execute(db)
  await sql`delete from deleted_for_me where app = ${app} and message_id ${among}`.execute(db)
  await sql`delete from messages where app = ${app} and id ${among}`.execute(db)
  return ids.length
}

/** A position in a user's messages, ordered by channel and time. */
export interface AuthorPlace {
  cid: string
  at: Micros
}

/** A user's messages after a position, deleted ones included; only in one channel if one is given. */
export async function messagesOfAuthor(
  db: Db,
  app: string,
  userId: string,
  { cid, after, until }: { cid?: string | undefined; after: AuthorPlace | undefined; until: Micros },
  limit: number,
): Promise<MessageRow[]> {
  const inChannel = cid === undefined ? sql`` : sql`and cid = ${cid}`
  const further = after ? sql`and (cid, created_at) > (${after.cid}, ${after.at})` : sql``
  const { rows } = await sql<MessageRow>`select * from messages where app = ${app} and user_id = ${userId} ${inChannel}
    ${further} and created_at <= ${until} order by cid, created_at limit ${limit}`.execute(db)
  return rows
}

/** Marks the messages as deleted that are not yet; returns these as they were before. */
export async function markDeleted(
  db: Db,
  dialect: Dialect,
  app: string,
  ids: readonly string[],
  at: Micros,
): Promise<MessageRow[]> {
  const { rows } = await sql<MessageRow>`update messages set deleted_at = ${at}, updated_at = ${at} where app = ${app}
    and id ${dialect.among(ids, 'text')} and deleted_at is null returning *`.execute(db)
  return rows
}

/** The stored type of a deleted message without content; on the wire every deleted message has this type. */
export const PRUNED = 'deleted'

/** Removes text, reactions and mentions of messages and leaves the bare rows. This cannot be undone. */
export async function stripMessages(db: Db, dialect: Dialect, app: string, ids: readonly string[]) {
  const among = dialect.among(ids, 'text')
  await sql`update messages set type = ${PRUNED}, text = '', attachments_json = null, mentions_json = null,
    reaction_groups_json = null, quoted_message_id = null, data = ${'{}'}, text_updated_at = null, pinned_at = null,
    pinned_by = null, pin_expires = null, poll_id = null, command = null, args = null, extras_json = null
    where app = ${app} and id ${among}`.execute(db)
  await sql`delete from reactions where app = ${app} and message_id ${among}`.execute(db)
  await sql`delete from message_versions where app = ${app} and message_id ${among}`.execute(db)
}

/** Restores the messages that were deleted at one time and still have content; returns them. */
export async function unmarkDeleted(
  db: Db,
  dialect: Dialect,
  app: string,
  ids: readonly string[],
  deletedAt: Micros,
  at: Micros,
): Promise<MessageRow[]> {
  const { rows } = await sql<MessageRow>`update messages set deleted_at = null, updated_at = ${at} where app = ${app}
    and id ${dialect.among(ids, 'text')} and deleted_at = ${deletedAt} and type <> ${PRUNED}
    returning *`.execute(db)
  return rows
}
