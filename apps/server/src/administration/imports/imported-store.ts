/** Reads and writes of imports; each is one query for a page of lines. */
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../../platform/database/dialect.ts'
import type {
  BanRow,
  BlockRow,
  ChannelMuteRow,
  ChannelRow,
  DeviceRow,
  FutureBanRow,
  MemberRow,
  MessageRow,
  PushPreferenceRow,
  ReactionRow,
  ReadRow,
  ScheduledJobRow,
  Tables,
  UserMuteRow,
  UserRow,
} from '../../platform/database/tables.ts'

type Db = Kysely<Tables>
type At = Pick<MemberRow, 'cid' | 'user_id'>

/** Upserts whole rows: existing rows keep only their keys. */
async function put<Name extends keyof Tables>(
  db: Db,
  dialect: Dialect,
  table: Name,
  keys: (keyof Tables[Name] & string)[],
  rows: readonly Tables[Name][],
) {
  const columns = Object.keys(rows[0] ?? {}) as (keyof Tables[Name] & string)[]
  await dialect.putRows(db, table, keys, columns, rows)
}

async function byIds<Name extends 'devices' | 'messages'>(
  db: Db,
  dialect: Dialect,
  table: Name,
  app: string,
  ids: readonly string[],
): Promise<Tables[Name][]> {
  if (ids.length === 0) return []
  const { rows } = await sql<Tables[Name]>`select * from ${sql.table(table)} where app = ${app}
    and id ${dialect.among(ids, 'text')}`.execute(db)
  return rows
}

export const putUsers = (db: Db, dialect: Dialect, rows: readonly UserRow[]) =>
  put(db, dialect, 'users', ['app', 'id'], rows)

/** Users' default preferences, by user id. */
export async function storedPreferences(db: Db, dialect: Dialect, app: string, userIds: readonly string[]) {
  const { rows } = await sql<PushPreferenceRow>`select * from push_preferences where app = ${app} and cid = ''
    and user_id ${dialect.among(userIds, 'text')}`.execute(db)
  return new Map(rows.map((row) => [row.user_id, row]))
}

export const putPreferences = (db: Db, dialect: Dialect, rows: readonly PushPreferenceRow[]) =>
  put(db, dialect, 'push_preferences', ['app', 'user_id', 'cid'], rows)

/** Existing blocks stay as they are. */
export async function putBlocks(db: Db, dialect: Dialect, rows: readonly BlockRow[]) {
  await dialect.putRows(db, 'blocks', ['app', 'user_id', 'blocked_id'], ['user_id'], rows)
}

/** The users whom these users mute for ever, as `<user id>|<target id>`. */
export async function storedMutes(db: Db, dialect: Dialect, app: string, userIds: readonly string[]) {
  const { rows } = await sql<Pick<UserMuteRow, 'user_id' | 'target_id'>>`select user_id, target_id from user_mutes
    where app = ${app} and user_id ${dialect.among(userIds, 'text')} and until is null`.execute(db)
  return new Set(rows.map(({ user_id, target_id }) => `${user_id}|${target_id}`))
}

export const putUserMutes = (db: Db, dialect: Dialect, rows: readonly UserMuteRow[]) =>
  put(db, dialect, 'user_mutes', ['app', 'user_id', 'target_id', 'created_at'], rows)

export const putChannelMutes = (db: Db, dialect: Dialect, rows: readonly ChannelMuteRow[]) =>
  put(db, dialect, 'channel_mutes', ['app', 'user_id', 'cid'], rows)

/** Channels with exactly two members, one of whom blocked the other. */
export async function cidsOfPairs(
  db: Db,
  dialect: Dialect,
  app: string,
  blocks: readonly Pick<BlockRow, 'user_id' | 'blocked_id'>[],
): Promise<string[]> {
  if (blocks.length === 0) return []
  const pairs = dialect.pairs(
    blocks.map(({ user_id }) => user_id),
    blocks.map(({ blocked_id }) => blocked_id),
  )
  const { rows } = await sql<{ cid: string }>`select distinct m.cid from (select a, b from ${pairs}) k
    join members m on m.app = ${app} and m.user_id = k.a
    join members o on o.app = m.app and o.cid = m.cid and o.user_id = k.b
    join channels c on c.app = m.app and c.cid = m.cid and c.member_count = 2 and c.deleted_at is null`.execute(db)
  return rows.map(({ cid }) => cid)
}

export function storedDevices(db: Db, dialect: Dialect, app: string, ids: readonly string[]): Promise<DeviceRow[]> {
  return byIds(db, dialect, 'devices', app, ids)
}

export const putDevices = (db: Db, dialect: Dialect, rows: readonly DeviceRow[]) =>
  put(db, dialect, 'devices', ['app', 'id'], rows)

/** Deletes all but the newest devices of each of these users. */
export async function dropDevicesBeyond(
  db: Db,
  dialect: Dialect,
  app: string,
  userIds: readonly string[],
  keep: number,
) {
  await sql`delete from devices where app = ${app} and id in (select id from (select id, row_number() over (
    partition by user_id order by created_at desc, id desc) as n from devices
    where app = ${app} and user_id ${dialect.among(userIds, 'text')}) d where n > ${keep})`.execute(db)
}

export async function putFutureBans(
  db: Db,
  dialect: Dialect,
  rows: readonly FutureBanRow[],
  { keepKnown }: { keepKnown: boolean },
) {
  const keys = ['app', 'banned_by', 'target_id'] as const
  if (keepKnown) await dialect.putRows(db, 'future_bans', keys, ['target_id'], rows)
  else await put(db, dialect, 'future_bans', [...keys], rows)
}

export async function addChannels(db: Db, dialect: Dialect, rows: readonly ChannelRow[]) {
  await dialect.insertRows(db, 'channels', rows)
}

/** Updates channels with the fields of their lines; their counters are written with the batch. */
export async function updateChannels(db: Db, dialect: Dialect, rows: readonly ChannelRow[]) {
  const columns = ['created_by', 'name', 'image', 'team', 'frozen', 'disabled', 'data', 'created_at'] as const
  const settings = ['cooldown', 'overrides_json', 'auto_translation_enabled', 'auto_translation_language'] as const
  const times = ['truncated_at', 'truncated_by', 'updated_at', 'deleted_at'] as const
  await dialect.updateRows(db, 'channels', ['app', 'cid'], [...columns, ...settings, ...times], rows)
}

/** Existing bans stay as they are. */
export async function putBans(db: Db, dialect: Dialect, rows: readonly BanRow[]) {
  await dialect.putRows(db, 'bans', ['app', 'target_id', 'cid'], ['target_id'], rows)
}

export async function bansAt(db: Db, dialect: Dialect, app: string, places: readonly At[]): Promise<BanRow[]> {
  if (places.length === 0) return []
  const { rows } = await sql<BanRow>`select b.* from (select a, b from ${pairsOf(dialect, places)}) k
    join bans b on b.app = ${app} and b.target_id = k.b and b.cid = k.a and b.lapsed = 0`.execute(db)
  return rows
}

export async function storedMembers(
  db: Db,
  dialect: Dialect,
  app: string,
  places: readonly At[],
): Promise<MemberRow[]> {
  if (places.length === 0) return []
  const { rows } = await sql<MemberRow>`select m.* from (select a, b from ${pairsOf(dialect, places)}) k
    join members m on m.app = ${app} and m.cid = k.a and m.user_id = k.b`.execute(db)
  return rows
}

export const putMembers = (db: Db, dialect: Dialect, rows: readonly MemberRow[]) =>
  put(db, dialect, 'members', ['app', 'cid', 'user_id'], rows)

export const putReads = (db: Db, dialect: Dialect, rows: readonly ReadRow[]) =>
  put(db, dialect, 'reads', ['app', 'cid', 'user_id'], rows)

export function storedMessages(db: Db, dialect: Dialect, app: string, ids: readonly string[]): Promise<MessageRow[]> {
  return byIds(db, dialect, 'messages', app, ids)
}

/** Updates existing messages and their search index. */
export async function updateMessages(db: Db, dialect: Dialect, rows: readonly MessageRow[]) {
  const columns = Object.keys(rows[0] ?? {}).filter((name) => name !== 'app' && name !== 'id') as (keyof MessageRow)[]
  await dialect.updateRows(db, 'messages', ['app', 'id'], columns, rows)
  await dialect.indexWords(db, rows)
}

/** A timestamp in a channel or thread. */
export interface Moment {
  inside: string
  at: number
}

/** Timestamps already taken by messages, close to the given ones. */
export async function takenMoments(
  db: Db,
  dialect: Dialect,
  app: string,
  where: 'channel' | 'thread',
  moments: readonly Moment[],
  near: number,
): Promise<(Moment & { id: string })[]> {
  if (moments.length === 0) return []
  const pairs = dialect.pairs(
    moments.map(({ inside }) => inside),
    moments.map(({ at }) => String(at)),
  )
  const named =
    where === 'channel'
      ? sql`m.cid = k.a and (m.parent_id is null or m.show_in_channel = 1)`
      : sql`m.parent_id = k.a and m.parent_id is not null`
  const { rows } = await sql<Moment & { id: string }>`select distinct k.a as inside, m.created_at as at, m.id
    from (select a, cast(b as ${sql.raw(dialect.columnTypes.micros)}) as b from ${pairs}) k
    join messages m on m.app = ${app} and ${named} and m.created_at >= k.b and m.created_at < k.b + ${near}`.execute(db)
  return rows
}

export async function putDues(db: Db, dialect: Dialect, rows: readonly ScheduledJobRow[]) {
  await put(db, dialect, 'due', ['app', 'kind', 'id'], rows)
}

export async function storedReactions(
  db: Db,
  dialect: Dialect,
  app: string,
  messageIds: readonly string[],
): Promise<Pick<ReactionRow, 'message_id' | 'user_id' | 'type'>[]> {
  const { rows } = await sql<Pick<ReactionRow, 'message_id' | 'user_id' | 'type'>>`select message_id, user_id, type
    from reactions where app = ${app} and message_id ${dialect.among(messageIds, 'text')}`.execute(db)
  return rows
}

export const putReactions = (db: Db, dialect: Dialect, rows: readonly ReactionRow[]) =>
  put(db, dialect, 'reactions', ['app', 'message_id', 'user_id', 'type'], rows)

/** How often and when each reaction type was used on messages. */
export interface ReactionSum {
  message_id: string
  type: string
  count: number
  sum_scores: number
  first_at: number
  last_at: number
}

export async function reactionSumsOf(
  db: Db,
  dialect: Dialect,
  app: string,
  messageIds: readonly string[],
): Promise<ReactionSum[]> {
  const { rows } = await sql<ReactionSum>`select message_id, type, count(*) as count, sum(score) as sum_scores,
    min(created_at) as first_at, max(created_at) as last_at from reactions where app = ${app}
    and message_id ${dialect.among(messageIds, 'text')} group by message_id, type order by min(created_at)`.execute(db)
  return rows.map((row) => ({ ...row, count: Number(row.count), sum_scores: Number(row.sum_scores) }))
}

export async function setReactionGroups(
  db: Db,
  dialect: Dialect,
  rows: readonly Pick<MessageRow, 'app' | 'id' | 'reaction_groups_json' | 'updated_at'>[],
) {
  await dialect.updateRows(db, 'messages', ['app', 'id'], ['reaction_groups_json', 'updated_at'], rows)
}

function pairsOf(dialect: Dialect, places: readonly At[]) {
  return dialect.pairs(
    places.map(({ cid }) => cid),
    places.map(({ user_id }) => user_id),
  )
}
