import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../../platform/database/dialect.ts'
import type { Tables, UserRow } from '../../platform/database/tables.ts'
import type { Micros } from '../../platform/micros.ts'

type Db = Kysely<Tables>

/** The users with these ids, deleted ones included. */
export async function usersByIds(db: Db, dialect: Dialect, app: string, ids: readonly string[]): Promise<UserRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<UserRow>`select * from users where app = ${app}
    and id ${dialect.among(ids, 'text')}`.execute(db)
  return rows
}

/** The same with a lock, for a replace: no other write changes them until it commits. */
export async function lockedUsers(db: Db, dialect: Dialect, app: string, ids: readonly string[]): Promise<UserRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<UserRow>`select * from users where app = ${app}
    and id ${dialect.among(ids, 'text')} order by id ${dialect.forUpdate}`.execute(db)
  return rows
}

/** Users who have one of these names, by comparison key. */
export async function usersByNameKeys(
  db: Db,
  dialect: Dialect,
  app: string,
  keys: readonly string[],
): Promise<UserRow[]> {
  const { rows } = await sql<UserRow>`select * from users where app = ${app} and deleted_at is null
    and name_key ${dialect.among(keys, 'text')}`.execute(db)
  return rows
}

/** Writes complete users, new and existing ones. */
export async function putUsers(db: Db, dialect: Dialect, users: readonly UserRow[]) {
  const columns = Object.keys(users[0] ?? {}) as (keyof UserRow)[]
  await dialect.putRows(db, 'users', ['app', 'id'], columns, users)
}

/** Users with recorded response times, unordered. */
export function answerers(db: Db, app: string, limit: number): Promise<UserRow[]> {
  return db.selectFrom('users').selectAll().where('app', '=', app).where('answers', '>', 0).limit(limit).execute()
}

export async function setAnswers(db: Db, dialect: Dialect, users: readonly UserRow[]) {
  await dialect.updateRows(db, 'users', ['app', 'id'], ['answers', 'answer_micros'], users)
}

/** One statement, however many users are active. */
export async function setLastActive(db: Db, dialect: Dialect, app: string, ids: readonly string[], at: Micros) {
  await sql`update users set last_active = ${at} where app = ${app}
    and id ${dialect.among(ids, 'text')}`.execute(db)
}

export async function deleteUser(db: Db, app: string, id: string) {
  await db.deleteFrom('users').where('app', '=', app).where('id', '=', id).execute()
}

/** The next channel, by cid, that a user belongs to, wrote in or voted in; undefined when there is none after `cid`. */
export async function nextTraced(db: Db, app: string, userId: string, cid: string): Promise<string | undefined> {
  const next = (table: 'members' | 'messages') =>
    sql`select min(cid) as cid from ${sql.table(table)} where app = ${app} and user_id = ${userId} and cid > ${cid}`
  const answered = sql`select min(m.cid) as cid from poll_votes v
    join messages m on m.app = v.app and m.poll_id = v.poll_id
    where v.app = ${app} and v.user_id = ${userId} and v.answer_text is not null and m.cid > ${cid}`
  const { rows } = await sql<{ cid: string | null }>`select min(cid) as cid
    from (${next('members')} union all ${next('messages')} union all ${answered}) t`.execute(db)
  return rows[0]?.cid ?? undefined
}

/** A user's own rows, and rows about the user, that no other user needs once the user is hard-deleted. */
const traces = [
  ['drafts', 'user_id'],
  ['blocks', 'user_id'],
  ['blocks', 'blocked_id'],
  ['user_mutes', 'user_id'],
  ['user_mutes', 'target_id'],
  ['channel_mutes', 'user_id'],
  ['bans', 'target_id'],
  ['user_networks', 'user_id'],
  ['future_bans', 'target_id'],
  ['future_bans', 'banned_by'],
  ['flags', 'user_id'],
  ['flags', 'target_id'],
  ['review_items', 'creator_id'],
  ['review_actions', 'target_user_id'],
  ['thread_participants', 'user_id'],
  ['pending_messages', 'user_id'],
  ['devices', 'user_id'],
  ['push_preferences', 'user_id'],
  ['ephemeral_messages', 'user_id'],
  ['deleted_for_me', 'user_id'],
  ['reminders', 'user_id'],
  ['live_locations', 'user_id'],
  ['deliveries', 'user_id'],
  ['unread_reminders', 'user_id'],
  ['usage_users', 'user_id'],
  // Former texts of other users' messages that this user had edited.
  ['message_versions', 'written_by'],
] as const satisfies (readonly [keyof Tables, string])[]

export async function deleteTraces(db: Db, app: string, userId: string) {
  for (const [table, column] of traces)
    await sql`delete from ${sql.table(table)} where app = ${app} and ${sql.ref(column)} = ${userId}`.execute(db)
  await sql`update bans set banned_by = null where app = ${app} and banned_by = ${userId}`.execute(db)
}
