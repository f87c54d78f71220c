import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../../platform/database/dialect.ts'
import { listHolds } from '../../platform/database/list-holds.ts'
import type { ChannelMuteRow, Tables, UserMuteRow } from '../../platform/database/tables.ts'
import type { Micros } from '../../platform/micros.ts'

type Db = Kysely<Tables>

/** All mutes a user ever had, ended ones too: messages sent while muted stay uncounted. */
export function userMutesOf(db: Db, app: string, userId: string): Promise<UserMuteRow[]> {
  return db
    .selectFrom('user_mutes')
    .selectAll()
    .where('app', '=', app)
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('target_id')
    .execute()
}

export function channelMutesOf(db: Db, app: string, userId: string): Promise<ChannelMuteRow[]> {
  return db
    .selectFrom('channel_mutes')
    .selectAll()
    .where('app', '=', app)
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('cid')
    .execute()
}

/** What these users mute at a given time; one query for each kind. */
export async function lastingMutes(
  db: Db,
  dialect: Dialect,
  app: string,
  userIds: readonly string[],
  now: Micros,
): Promise<{ users: UserMuteRow[]; channels: ChannelMuteRow[] }> {
  const among = dialect.among(userIds, 'text')
  const lasts = sql`app = ${app} and user_id ${among} and (until is null or until > ${now})`
  const users = await sql<UserMuteRow>`select * from user_mutes where ${lasts}
    order by created_at, target_id`.execute(db)
  const channels = await sql<ChannelMuteRow>`select * from channel_mutes where ${lasts}
    order by created_at, cid`.execute(db)
  return { users: users.rows, channels: channels.rows }
}

/** The newest active mutes of a user by others. */
export function mutesOfTarget(
  db: Db,
  app: string,
  targetId: string,
  now: Micros,
  limit: number,
): Promise<UserMuteRow[]> {
  return db
    .selectFrom('user_mutes')
    .selectAll()
    .where('app', '=', app)
    .where('target_id', '=', targetId)
    .where((where) => where.or([where('until', 'is', null), where('until', '>', now)]))
    .orderBy('created_at', 'desc')
    .orderBy('user_id')
    .limit(limit)
    .execute()
}

/** The users who mute a channel or a user now. */
export async function mutersOf(
  db: Db,
  app: string,
  muted: { cid: string } | { target_id: string },
  now: Micros,
): Promise<string[]> {
  const those =
    'cid' in muted ? sql`channel_mutes where cid = ${muted.cid}` : sql`user_mutes where target_id = ${muted.target_id}`
  const { rows } = await sql<{ user_id: string }>`select distinct user_id from ${those} and app = ${app}
    and (until is null or until > ${now})`.execute(db)
  return rows.map((row) => row.user_id)
}

export async function putUserMutes(db: Db, dialect: Dialect, mutes: readonly UserMuteRow[]) {
  const keys = ['app', 'user_id', 'target_id', 'created_at'] as const
  await dialect.putRows(db, 'user_mutes', keys, ['updated_at', 'until'], mutes)
}

export async function putChannelMutes(db: Db, dialect: Dialect, mutes: readonly ChannelMuteRow[]) {
  const columns = ['created_at', 'updated_at', 'until'] as const
  await dialect.putRows(db, 'channel_mutes', ['app', 'user_id', 'cid'], columns, mutes)
}

/** Ends the active mutes of a user. */
export async function endUserMutes(
  db: Db,
  dialect: Dialect,
  app: string,
  userId: string,
  targets: readonly string[],
  now: Micros,
) {
  await sql`update user_mutes set until = ${now}, updated_at = ${now} where app = ${app} and user_id = ${userId}
    and target_id ${dialect.among(targets, 'text')}
    and (until is null or until > ${now})`.execute(db)
}

export async function endChannelMutes(
  db: Db,
  dialect: Dialect,
  app: string,
  userId: string,
  cids: readonly string[],
  now: Micros,
) {
  await sql`update channel_mutes set until = ${now}, updated_at = ${now} where app = ${app} and user_id = ${userId}
    and cid ${dialect.among(cids, 'text')} and (until is null or until > ${now})`.execute(db)
}

/** Called when a channel is erased: a channel recreated under its id is a different channel. */
export async function deleteMutesIn(db: Db, app: string, cid: string) {
  await db.deleteFrom('channel_mutes').where('app', '=', app).where('cid', '=', cid).execute()
}

/** Which of the users ever muted a user or a channel. */
export async function mutersAmong(
  db: Db,
  dialect: Dialect,
  app: string,
  userIds: readonly string[],
): Promise<Set<string>> {
  if (userIds.length === 0) return new Set()
  const among = dialect.list(userIds, 'text')
  const { rows } = await sql<{ user_id: string }>`select value as user_id from ${among} where
    exists (select 1 from user_mutes u where u.app = ${app} and u.user_id = value)
    or exists (select 1 from channel_mutes c where c.app = ${app} and c.user_id = value)`.execute(db)
  return new Set(rows.map((row) => row.user_id))
}

/** How many messages after read positions do not count because of mutes; keys are `<cid>|<user id>`. */
export async function mutedCounts(
  db: Db,
  dialect: Dialect,
  app: string,
  reads: readonly { cid: string; user_id: string }[],
): Promise<Map<string, number>> {
  if (reads.length === 0) return new Map()
  const { rows } = await sql<{ cid: string; user_id: string; muted: number }>`select r.cid, r.user_id,
    ${mutedAfter} as muted from ${dialect.atPlaces('reads', app, reads)} r`.execute(db)
  return new Map(rows.map(({ cid, user_id, muted }) => [`${cid}|${user_id}`, Number(muted)]))
}

/**
 * Countable messages after the read position `r` that were posted in a muted channel or by a muted user; without those
 * its owner deleted for themselves, which the position excludes already.
 */
export const mutedAfter = sql<number>`(select count(*) from messages x where x.app = r.app and x.cid = r.cid
  and x.counted = 1 and x.ordinal > r.ordinal and x.deleted_at is null and x.user_id <> r.user_id
  and (x.audience_json is null or ${listHolds('x.audience_json', sql`r.user_id`)})
  and not exists (select 1 from deleted_for_me d where d.app = x.app and d.user_id = r.user_id and d.message_id = x.id)
  and (
    exists (select 1 from channel_mutes q where q.app = x.app and q.user_id = r.user_id and q.cid = x.cid
      and (q.until is null or q.until >= x.created_at))
    or exists (select 1 from user_mutes q where q.app = x.app and q.user_id = r.user_id and q.target_id = x.user_id
      and q.created_at <= x.created_at and (q.until is null or q.until > x.created_at))))`
