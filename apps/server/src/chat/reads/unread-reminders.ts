/** The reminders that an app's own server gets of users with unread messages. */
import type { Channel } from '@parley/protocol/channels'
import { HOOK_MEMBERS, REMINDER_CHANNELS, REMINDER_MESSAGES } from '@parley/protocol/limits'
import type { Message } from '@parley/protocol/messages'
import type { Batch } from '../../platform/database/batch.ts'
import type { MemberRow, MessageRow, UserRow } from '../../platform/database/tables.ts'
import { isoOf, type Micros } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import type { App } from '../apps/app.ts'
import { isBanned } from '../bans/banned.ts'
import { memberWire } from '../members/member-wire.ts'
import { membersOfChannels } from '../members/members-of-channels.ts'
import { composeMessages } from '../messages/compose-messages.ts'
import { countsFor, deletionsAmong, newestRemindable, remindableBetween } from '../messages/unread-messages.ts'
import { mutedBy } from '../mutes/muted-unread.ts'
import { userSummariesOf } from '../users/user-summaries.ts'
import { readsOfMembers, unreadOf } from './counting.ts'
import { remindedIn } from './unread-reminder-store.ts'

export const REMINDER = 'user.unread_message_reminder'
/** Newest messages of a channel in which to look for those that a member may see and has not read. */
const NEWEST = 4 * REMINDER_MESSAGES

/** Small channels with messages posted after `from` and up to `to`. */
export interface Posts {
  from: Micros
  to: Micros
  channels: ReadonlyMap<string, Channel>
}

/** A member, and the messages they have not read in a channel. */
interface Unread {
  userId: string
  cid: string
  /** Time of the newest message that they are reminded of for the first time. */
  at: Micros
  /** Newest first. */
  messages: MessageRow[]
}

/**
 * One event for each user who has not read some of these posts and was not reminded of the channel since; with the
 * cids it names. The number of queries does not grow with the channels or their members.
 */
export async function unreadReminders(
  server: Server,
  batch: Batch,
  app: App,
  posts: Posts,
): Promise<{ userId: string; cids: string[]; body: string }[]> {
  const { channels } = posts
  if (channels.size === 0) return []
  const members = await membersOf(server, app, channels)
  const unread = Map.groupBy(await unreadIn(server, batch, app, posts, members), ({ userId }) => userId)
  if (unread.size === 0) return []

  const reminders = [...unread].map(([userId, all]) => {
    const named = all.sort((a, b) => b.at - a.at).slice(0, REMINDER_CHANNELS)
    return { userId, named, cids: named.map(({ cid }) => cid) }
  })
  const rows = new Map(
    reminders.flatMap(({ named }) => named.flatMap(({ messages }) => messages)).map((row) => [row.id, row]),
  )
  const composed = await composeMessages(server, app.id, [...rows.values()], undefined, batch.db)
  const messages = new Map(composed.map((message): [string, Message] => [message.id, message]))
  const shown = await withMembers(server, app, new Set(reminders.flatMap(({ cids }) => cids)), channels, members)
  const userSummaries = await userSummariesOf(server, app.id, unread.keys())
  const created_at = isoOf(batch.now())
  return reminders.map(({ userId, named, cids }) => ({
    userId,
    cids,
    body: JSON.stringify({
      type: REMINDER,
      created_at,
      user: userSummaries.of(userId),
      channels: Object.fromEntries(
        named.map(({ cid, messages: own }) => [
          cid,
          { channel: shown.get(cid), messages: own.map(({ id }) => messages.get(id)) },
        ]),
      ),
    }),
  }))
}

function membersOf(server: Server, app: App, channels: ReadonlyMap<string, Channel>): Promise<MemberRow[]> {
  const limit = Math.max(...[...channels.values()].map((channel) => channel.member_count))
  return membersOfChannels(server, app.id, [...channels.keys()], { limit, offset: 0 })
}

async function unreadIn(
  server: Server,
  { db, dialect }: Batch,
  app: App,
  { from, to, channels }: Posts,
  all: readonly MemberRow[],
): Promise<Unread[]> {
  const cids = [...channels.keys()]
  const posted = await remindableBetween(db, dialect, app.id, cids, { from, to })
  if (posted.length === 0) return []
  const reads = await readsOfMembers(db, dialect, app.id, all)
  const behind = all.flatMap((member) => {
    const read = reads.get(`${member.cid}|${member.user_id}`)
    return read && unreadOf(app, read) > 0 ? { ...member, readTo: read.ordinal } : []
  })
  if (behind.length === 0) return []
  const ids = [...new Set(behind.map(({ user_id }) => user_id))]
  const muted = await mutedBy(server, app.id, ids)
  const users = await server.users.getAll(app.id, ids)
  const members = behind.filter(
    ({ cid, user_id, banned }) => !banned && isThere(users.get(user_id)) && !muted(user_id).channels.has(cid),
  )
  const after = new Map<string, number>()
  for (const { cid, readTo } of members) after.set(cid, Math.min(after.get(cid) ?? readTo, readTo))
  const newest = await newestRemindable(db, dialect, app.id, after, NEWEST)
  const messages = [...new Map([...posted, ...newest].map((row) => [row.id, row])).values()]
  const deletions = await deletionsAmong(
    db,
    dialect,
    app.id,
    messages.map(({ id }) => id),
  )
  const deleted = new Set(deletions.map(({ message_id, user_id }) => `${message_id}|${user_id}`))
  const reminded = await remindedIn(db, dialect, app.id, cids)
  const byCid = Map.groupBy(messages, ({ cid }) => cid)

  return members.flatMap(({ cid, user_id: userId, hide_before, readTo }) => {
    const unread = (byCid.get(cid) ?? [])
      .filter(({ ordinal, created_at }) => ordinal > readTo && created_at > (hide_before ?? 0))
      .filter((message) => countsFor(message, userId) && !muted(userId).users.has(message.user_id))
      .filter(({ id }) => !deleted.has(`${id}|${userId}`))
      .sort((a, b) => b.ordinal - a.ordinal)
    const since = Math.max(from, reminded.get(`${cid}|${userId}`) ?? 0)
    const first = unread.find(({ created_at }) => created_at > since && created_at <= to)
    return first ? [{ userId, cid, at: first.created_at, messages: unread.slice(0, REMINDER_MESSAGES) }] : []
  })
}

function isThere(user: UserRow | undefined): boolean {
  return user !== undefined && user.deleted_at === null && user.deactivated_at === null && !isBanned(user)
}

async function withMembers(
  server: Server,
  app: App,
  cids: ReadonlySet<string>,
  channels: ReadonlyMap<string, Channel>,
  all: readonly MemberRow[],
): Promise<Map<string, Channel>> {
  const members = Map.groupBy(
    all.filter(({ cid }) => cids.has(cid)),
    ({ cid }) => cid,
  )
  const newest = new Map([...members].map(([cid, rows]) => [cid, rows.slice(-HOOK_MEMBERS)]))
  const userSummaries = await userSummariesOf(
    server,
    app.id,
    [...newest.values()].flat().map(({ user_id }) => user_id),
  )
  return new Map(
    [...newest].map(([cid, rows]) => {
      const channel = channels.get(cid)!
      const wires = rows.map((row) => memberWire(row, userSummaries.of(row.user_id), channel.created_by?.id ?? ''))
      return [cid, { ...channel, members: wires }]
    }),
  )
}
