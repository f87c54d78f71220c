/** Who sees a message: everybody in its channel, or only some. */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { inputError } from '../../platform/chat-error.ts'
import { listHolds } from '../../platform/database/list-holds.ts'
import type { ChannelRow, MemberRow, MessageRow, Tables } from '../../platform/database/tables.ts'
import type { Publication } from '../../platform/realtime/publication.ts'
import type { Server } from '../../server.ts'
import { type Access, accessWith } from '../channels/channel-access.ts'
import { staffOf } from '../members/staff.ts'

/** Whoever has it sees every message of restricted visibility in the channel. */
const READ_RESTRICTED = 'read-restricted-visibility-message'

/** Whose restricted messages somebody sees: the own ones and those meant for them, or, for null, all. */
export function restrictedFor({ can, user }: Access): string | null {
  return can(READ_RESTRICTED) ? null : (user?.id ?? '')
}

/**
 * Whom a message is meant for besides its author. Where nobody is left it names the author alone: an empty list says that
 * it is open to all [MSG-44].
 */
export function restrictedTo(named: readonly string[], authorId: string): string {
  const others = [...new Set(named)].filter((id) => id !== authorId)
  return JSON.stringify(others.length > 0 ? others : [authorId])
}

/** Whether a message is open to all, or meant for this user. */
export function isMeantFor({ restricted_json, user_id }: MessageRow, userId: string | undefined): boolean {
  if (restricted_json === null || user_id === userId) return true
  return userId !== undefined && (JSON.parse(restricted_json) as string[]).includes(userId)
}

/** The same as a condition on the table of messages, or on what it is called in a query. */
export function meantFor(userId: string, table = 'messages'): RawBuilder<boolean> {
  const list = `${table}.restricted_json`
  return sql<boolean>`(${sql.ref(list)} is null or ${sql.ref(`${table}.user_id`)} = ${userId}
    or ${listHolds(list, sql`cast(${userId} as text)`)})`
}

/** Whether this user did not delete the message for themselves alone; the same table as above. */
export function keptBy(userId: string, table = 'messages'): RawBuilder<boolean> {
  return sql<boolean>`not exists (select 1 from deleted_for_me x where x.app = ${sql.ref(`${table}.app`)}
    and x.user_id = ${userId} and x.message_id = ${sql.ref(`${table}.id`)})`
}

/** Whether everybody in the channel sees it. */
export function isOpen({ shadowed, audience_json }: MessageRow): boolean {
  return !shadowed && audience_json === null
}

/** Who hears of a message that is posted: whoever sees it. */
export function messageRecipients(row: MessageRow): Pick<Publication, 'only' | 'about'> {
  const { shadowed, user_id, audience_json, created_at: about } = row
  if (shadowed) return { about, only: [user_id] }
  return audience_json === null ? { about } : { about, only: JSON.parse(audience_json) }
}

/** For whom a message can be unread. */
export function countedBy({ audience_json }: MessageRow): { among?: readonly string[] } {
  return audience_json === null ? {} : { among: JSON.parse(audience_json) }
}

/** Whether the copy of a quoted message may stand in the message that quotes it, as this viewer reads it. */
export function showsQuote(row: MessageRow, quoted: MessageRow, viewerId: string | undefined): boolean {
  // A shadowed message that quotes another one reaches only their author.
  if (quoted.shadowed && !row.shadowed) return viewerId === quoted.user_id
  if (quoted.audience_json === null) return true
  if (viewerId !== undefined && isMeantFor(quoted, viewerId)) return true
  if (row.audience_json === null) return false
  const seeing = new Set<string>(JSON.parse(quoted.audience_json))
  return (JSON.parse(row.audience_json) as string[]).every((id) => seeing.has(id))
}

/**
 * Who hears of a restricted message that is posted now: its author, those it is meant for, and who may read all.
 *
 * @param watching  who watches the channel, on whichever node
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
 * Who hears of what becomes of messages: whoever sees them now. One that is not for all those hear it is meant for, and
 * who may read all: not who might when it was posted, and was sent away or has another role since. One query for each
 * channel with such messages.
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

/** @throws ChatError InputError (4) — what is pinned is shown to all, and this is not for all */
export function checkPin({ restricted_json, pinned_at }: MessageRow) {
  if (restricted_json !== null && pinned_at !== null)
    throw inputError('message.pinned', 'a message of restricted visibility cannot be pinned')
}

/** A reply is seen by nobody who does not see what it replies to. */
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
