import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../../platform/database/dialect.ts'
import type { MemberRow, Place, Tables } from '../../platform/database/tables.ts'
import type { Micros } from '../../platform/micros.ts'

type Db = Kysely<Tables>

export function memberOf(db: Db, app: string, cid: string, userId: string): Promise<MemberRow | undefined> {
  return db
    .selectFrom('members')
    .selectAll()
    .where('app', '=', app)
    .where('cid', '=', cid)
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

/** The users who are members of the channel. */
export async function membersAmong(
  db: Db,
  dialect: Dialect,
  app: string,
  cid: string,
  userIds: readonly string[],
): Promise<MemberRow[]> {
  if (userIds.length === 0) return []
  const { rows } = await sql<MemberRow>`select * from members where app = ${app} and cid = ${cid}
    and user_id ${dialect.among(userIds, 'text')}`.execute(db)
  return rows
}

/** The newest members of each channel, oldest first, at most `limit` per channel; one statement for all. */
export async function newestMembers(
  db: Db,
  dialect: Dialect,
  app: string,
  cids: readonly string[],
  page: { limit: number; offset: number },
): Promise<MemberRow[]> {
  if (cids.length === 0 || page.limit === 0) return []
  const { rows } = await sql<MemberRow>`${dialect.perKey(
    'members',
    cids,
    sql`where app = ${app} and cid = k.value order by created_at desc, user_id desc
      limit ${page.limit} offset ${page.offset}`,
  )}`.execute(db)
  return rows.sort((a, b) => a.created_at - b.created_at || (a.user_id < b.user_id ? -1 : 1))
}

/** One user's memberships in these channels. */
export async function membershipsOf(
  db: Db,
  dialect: Dialect,
  app: string,
  userId: string,
  cids: readonly string[],
): Promise<MemberRow[]> {
  if (cids.length === 0) return []
  const { rows } = await sql<MemberRow>`select * from members where app = ${app} and user_id = ${userId}
    and cid ${dialect.among(cids, 'text')}`.execute(db)
  return rows
}

/** The (channel, user) pairs that are memberships. */
export async function membersAt(db: Db, dialect: Dialect, app: string, places: readonly Place[]): Promise<MemberRow[]> {
  const { rows } = await sql<MemberRow>`select m.* from ${dialect.atPlaces('members', app, places)} m`.execute(db)
  return rows
}

/** Members whose role allows banning in the channel. */
export async function moderatorsOf(db: Db, app: string, cid: string): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`select m.user_id from members m
    join users u on u.app = m.app and u.id = m.user_id where m.app = ${app} and m.cid = ${cid}
    and (m.channel_role = 'channel_moderator' or u.role in ('admin', 'moderator'))`.execute(db)
  return rows.map((row) => row.user_id)
}

/** Members with a role other than the defaults of users and members. */
export async function membersWithRoles(db: Db, app: string, cid: string): Promise<MemberRow[]> {
  const { rows } = await sql<MemberRow>`select m.* from members m join users u on u.app = m.app and u.id = m.user_id
    where m.app = ${app} and m.cid = ${cid} and (m.channel_role <> 'channel_member' or u.role <> 'user')`.execute(db)
  return rows
}

export async function updateBan(
  db: Db,
  app: string,
  cid: string,
  userId: string,
  marks: Pick<MemberRow, 'banned' | 'shadow_banned' | 'ban_expires'>,
) {
  await db
    .updateTable('members')
    .set(marks)
    .where('app', '=', app)
    .where('cid', '=', cid)
    .where('user_id', '=', userId)
    .execute()
}

export async function insertMembers(db: Db, dialect: Dialect, members: readonly MemberRow[]) {
  await dialect.insertRows(db, 'members', members)
}

/** Writes the channel roles given in the rows. */
export async function setMemberRoles(db: Db, dialect: Dialect, members: readonly MemberRow[]) {
  await dialect.updateRows(db, 'members', ['app', 'cid', 'user_id'], ['channel_role', 'updated_at'], members)
}

export async function deleteMembers(db: Db, dialect: Dialect, app: string, cid: string, userIds: readonly string[]) {
  await sql`delete from members where app = ${app} and cid = ${cid}
    and user_id ${dialect.among(userIds, 'text')}`.execute(db)
}

/** Stores the response to an invitation. */
export async function setInvite(db: Db, row: MemberRow) {
  const { app, cid, user_id, status, updated_at, invite_accepted_at, invite_rejected_at } = row
  await db
    .updateTable('members')
    .set({ status, updated_at, invite_accepted_at, invite_rejected_at })
    .where('app', '=', app)
    .where('cid', '=', cid)
    .where('user_id', '=', user_id)
    .execute()
}

/** Removes all members of the channel; returns their ids. */
export async function deleteMembersOf(db: Db, app: string, cid: string): Promise<string[]> {
  const rows = await db
    .deleteFrom('members')
    .where('app', '=', app)
    .where('cid', '=', cid)
    .returning('user_id')
    .execute()
  return rows.map((row) => row.user_id)
}

/** The fields members change on their own membership, and those that hide the channel. */
export async function updateMember(db: Db, row: MemberRow) {
  const { app, cid, user_id, channel_role, data, updated_at, hidden, hide_before, pinned_at, archived_at } = row
  await db
    .updateTable('members')
    .set({ channel_role, data, updated_at, hidden, hide_before, pinned_at, archived_at })
    .where('app', '=', app)
    .where('cid', '=', cid)
    .where('user_id', '=', user_id)
    .execute()
}

/** Hides messages up to a time from some members, or up to a later time already set; returns each member with it. */
export async function setHideBefore(
  db: Db,
  dialect: Dialect,
  app: string,
  cid: string,
  userIds: readonly string[],
  until: Micros,
): Promise<{ user_id: string; hide_before: Micros }[]> {
  const { rows } = await sql<{ user_id: string; hide_before: Micros }>`update members
    set hide_before = case when hide_before > ${until} then hide_before else ${until} end
    where app = ${app} and cid = ${cid} and user_id ${dialect.among(userIds, 'text')}
    returning user_id, hide_before`.execute(db)
  return rows
}

/** Shows the channel again to members who hid it and did not mute it; returns their ids. */
export async function unhideForAll(
  db: Db,
  dialect: Dialect,
  app: string,
  cid: string,
  now: Micros,
  among?: readonly string[],
): Promise<string[]> {
  const those = among ? sql`and user_id ${dialect.among(among, 'text')}` : sql``
  const { rows } = await sql<{ user_id: string }>`update members set hidden = 0
    where app = ${app} and cid = ${cid} and hidden = 1 and blocked = 0 ${those}
    and not exists (select 1 from channel_mutes q
      where q.app = members.app and q.cid = members.cid and q.user_id = members.user_id
      and (q.until is null or q.until > ${now})) returning user_id`.execute(db)
  return rows.map((row) => row.user_id)
}

/** The channels a user hid, without those hidden by a block; newest messages first. */
export async function hiddenBy(db: Db, app: string, userId: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ cid: string }>`select m.cid from members m
    join channels c on c.app = m.app and c.cid = m.cid and c.deleted_at is null
    where m.app = ${app} and m.user_id = ${userId} and m.hidden = 1 and m.blocked = 0
    order by c.activity_at desc, c.cid limit ${limit}`.execute(db)
  return rows.map((row) => row.cid)
}

export async function isHiddenBySome(db: Db, app: string, cid: string): Promise<boolean> {
  const { rows } = await sql`select 1 from members where app = ${app} and cid = ${cid} and hidden = 1
    and blocked = 0 limit 1`.execute(db)
  return rows.length > 0
}

/** The channels whose only members are these two. */
export async function cidsOfPair(db: Db, app: string, one: string, other: string): Promise<string[]> {
  const { rows } = await sql<{ cid: string }>`select m.cid from members m
    join members o on o.app = m.app and o.cid = m.cid and o.user_id = ${other}
    join channels c on c.app = m.app and c.cid = m.cid and c.member_count = 2 and c.deleted_at is null
    where m.app = ${app} and m.user_id = ${one} order by m.cid`.execute(db)
  return rows.map((row) => row.cid)
}

/** Members who blocked another member of the channel. */
export async function blockersIn(db: Db, app: string, cid: string): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`select distinct m.user_id from members m
    join members o on o.app = m.app and o.cid = m.cid
    join blocks b on b.app = m.app and b.user_id = m.user_id and b.blocked_id = o.user_id
    where m.app = ${app} and m.cid = ${cid}`.execute(db)
  return rows.map((row) => row.user_id)
}

/** Members from whom a block hides the channel. */
export async function markedBlocked(db: Db, app: string, cid: string): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`select user_id from members
    where app = ${app} and cid = ${cid} and hidden = 1 and blocked = 1`.execute(db)
  return rows.map((row) => row.user_id)
}

export async function setBlocked(db: Db, app: string, cid: string, userId: string, blocked: boolean) {
  const mark = blocked ? 1 : 0
  await db
    .updateTable('members')
    .set({ hidden: mark, blocked: mark })
    .where('app', '=', app)
    .where('cid', '=', cid)
    .where('user_id', '=', userId)
    .execute()
}

/** Channels a user is a member of, deleted ones included; all without a limit. */
export async function cidsOfMember(db: Db, app: string, userId: string, limit?: number): Promise<string[]> {
  const { rows } = await sql<{ cid: string }>`select cid from members where app = ${app} and user_id = ${userId}
    ${limit === undefined ? sql`` : sql`limit ${limit}`}`.execute(db)
  return rows.map((row) => row.cid)
}

/** Two-member channels of which the user is a member. */
export async function pairsOfMember(db: Db, app: string, userId: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ cid: string }>`select m.cid from members m
    join channels c on c.app = m.app and c.cid = m.cid and c.member_count = 2 and c.deleted_at is null
    where m.app = ${app} and m.user_id = ${userId} limit ${limit}`.execute(db)
  return rows.map((row) => row.cid)
}

/** The users who share a channel with a user. */
export async function meeting(
  db: Db,
  dialect: Dialect,
  app: string,
  userId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ user_id: string }>`select distinct o.user_id from members m
    join members o on o.app = m.app and o.cid = m.cid and o.user_id ${dialect.among(ids, 'text')}
    where m.app = ${app} and m.user_id = ${userId}`.execute(db)
  return new Set(rows.map((row) => row.user_id))
}

export function membersAll(db: Db, app: string, cid: string): Promise<MemberRow[]> {
  return db.selectFrom('members').selectAll().where('app', '=', app).where('cid', '=', cid).execute()
}
