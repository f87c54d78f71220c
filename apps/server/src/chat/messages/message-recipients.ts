/** The recipients of a message: all users in its channel, or only some. */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { inputError } from '../../platform/chat-error.ts'
import { listHolds } from '../../platform/database/list-holds.ts'
import type { ChannelRow, MemberRow, MessageRow, Tables } from '../../platform/database/tables.ts'
import type { Publication } from '../../platform/realtime/publication.ts'
import type { Server } from '../../server.ts'
import { type Access, accessWith } from '../channels/channel-access.ts'
import { staffOf } from '../members/staff.ts'

/** The permission to see every message of restricted visibility in the channel. */
const READ_RESTRICTED = 'read-restricted-visibility-message'

/** The caller's id: the caller sees restricted messages they sent or received; null if the caller sees all. */
export function restrictedFor({ can, user }: Access): string | null {
  return can(READ_RESTRICTED) ? null : (user?.id ?? '')
}

/**
 * The users a message is restricted to besides its author. If none are left, the list names only the author: an empty
 * list would open the message to all [MSG-44].
 */
export function restrictedTo(named: readonly string[], authorId: string): string {
  const others = [...new Set(named)].filter((id) => id !== authorId)
  return JSON.stringify(others.length > 0 ? others : [authorId])
}

/** Whether a message is unrestricted, written by this user, or restricted to this user among others. */
export function isMeantFor({ restricted_json, user_id }: MessageRow, userId: string | undefined): boolean {
  if (restricted_json === null || user_id === userId) return true
  return userId !== undefined && (JSON.parse(restricted_json) as string[]).includes(userId)
}

/** The same as an SQL condition on the table of messages, or on its alias in a query. */
export function meantFor(userId: string, table = 'messages'): RawBuilder<boolean> {
  const list = `${table}.restricted_json`
  return sql<boolean>`(${sql.ref(list)} is null or ${sql.ref(`${table}.user_id`)} = ${userId}
    or ${listHolds(list, sql`cast(${userId} as text)`)})`
}

/** Whether this user did not delete the message only for themselves; `table` as in `meantFor`. */
export function keptBy(userId: string, table = 'messages'): RawBuilder<boolean> {
  return sql<boolean>`not exists (select 1 from deleted_for_me x where x.app = ${sql.ref(`${table}.app`)}
    and x.user_id = ${userId} and x.message_id = ${sql.ref(`${table}.id`)})`
}

/** Whether all users in the channel see it. */
export function isOpen({ shadowed, audience_json }: MessageRow): boolean {
  return !shadowed && audience_json === null
}

/** The recipients of a new message: all users who see it. */
export function messageRecipients(row: MessageRow): Pick<Publication, 'only' | 'about'> {
  const { shadowed, user_id, audience_json, created_at: about } = row
  if (shadowed) return { about, only: [user_id] }
  return audience_json === null ? { about } : { about, only: JSON.parse(audience_json) }
}

/** The users for whom a message can be unread. */
export function countedBy({ audience_json }: MessageRow): { among?: readonly string[] } {
  return audience_json === null ? {} : { among: JSON.parse(audience_json) }
}

/** Whether this viewer may see the quoted message inside the message that quotes it. */
export function showsQuote(row: MessageRow, quoted: MessageRow, viewerId: string | undefined): boolean {
  // A shadowed message that quotes a shadowed one reaches only the author of both.
  if (quoted.shadowed && !row.shadowed) return viewerId === quoted.user_id
  if (quoted.audience_json === null) return true
  if (viewerId !== undefined && isMeantFor(quoted, viewerId)) return true
  if (row.audience_json === null) return false
  const seeing = new Set<string>(JSON.parse(quoted.audience_json))
  return (JSON.parse(row.audience_json) as string[]).every((id) => seeing.has(id))
}

/**
 * The recipients of a restricted message that is posted now: its author, the users it is restricted to, and the users
 * who may read all restricted messages.
 *
 * @param watching  the users who watch the channel, on any node
 */
export async function audienceOf(
  server: Server,
  db: Kysely<Tables>,
  channel: ChannelRow,
  row: MessageRow,
  watching: readonly string[],
): Promise<string[]> {
  return audienceAmong(server, channel, await staffOf(db, channel.app, channel.cid), row, watching)
}

/**
 * The recipients of later events about messages: all users who see them now. For a restricted message these are its
 * author, the users it is restricted to, and the users who may read all: not users who could when it was posted, but
 * have since been removed or have another role. One query for each channel with such messages.
 */
export function recipientsNow(server: Server, db: Kysely<Tables>) {
  const staffs = new Map<string, Promise<Map<string, MemberRow>>>()
  return async (row: MessageRow): Promise<Pick<Publication, 'only' | 'about'>> => {
    const { app, cid, audience_json, created_at: about } = row
    const channel = audience_json === null || row.shadowed ? undefined : await server.channels.get(app, cid)
    if (!channel) return messageRecipients(row)
    const staff = staffs.get(cid) ?? staffOf(db, app, cid)
    staffs.set(cid, staff)
    const strangers = [...(JSON.parse(audience_json!) as string[]), ...server.hub.watchersOf(app, cid)]
    return { about, only: await audienceAmong(server, channel, await staff, row, strangers) }
  }
}

async function audienceAmong(
  server: Server,
  channel: ChannelRow,
  staff: ReadonlyMap<string, MemberRow>,
  { user_id, restricted_json }: MessageRow,
  others: readonly string[],
): Promise<string[]> {
  const users = await server.users.getAll(channel.app, [...staff.keys(), ...others])
  const readers = [...users.values()].filter((user) =>
    accessWith(server, channel, false, user, staff.get(user.id)).can(READ_RESTRICTED),
  )
  return [...new Set([user_id, ...JSON.parse(restricted_json ?? '[]'), ...readers.map(({ id }) => id)])]
}

/** @throws ChatError InputError (4) — a pin is shown to all users, and this message is restricted */
export function checkPin({ restricted_json, pinned_at }: MessageRow) {
  if (restricted_json !== null && pinned_at !== null)
    throw inputError('message.pinned', 'a message of restricted visibility cannot be pinned')
}

/** Restricts a reply to users who also see its parent. */
export function withinParent(reply: MessageRow, parent: MessageRow) {
  if (parent.restricted_json === null || parent.audience_json === null) return
  const meant = new Set<string>([parent.user_id, ...JSON.parse(parent.restricted_json)])
  const heard = new Set<string>(JSON.parse(parent.audience_json))
  const own: string[] = reply.restricted_json === null ? [...meant] : JSON.parse(reply.restricted_json)
  const ownAudience: string[] = reply.audience_json === null ? [...heard] : JSON.parse(reply.audience_json)
  reply.restricted_json = restrictedTo(
    own.filter((id) => meant.has(id)),
    reply.user_id,
  )
  reply.audience_json = JSON.stringify([...new Set([reply.user_id, ...ownAudience.filter((id) => heard.has(id))])])
}
