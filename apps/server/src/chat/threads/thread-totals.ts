import type { UnreadCounts } from '@parley/protocol/reads'
import type { Kysely } from 'kysely'
import type { Dialect } from '../../platform/database/dialect.ts'
import type { MessageRow, Tables } from '../../platform/database/tables.ts'
import { isoOf } from '../../platform/micros.ts'
import type { ThreadTotals } from '../../platform/realtime/publication.ts'
import type { Server } from '../../server.ts'
import type { App } from '../apps/app.ts'
import { counts } from '../reads/counting.ts'
import { readable } from '../reads/may-read.ts'
import { participantsOf, type ThreadRead, threadReads, unreadThreads } from './thread-store.ts'

/**
 * The thread totals of connected participants who have not read a reply that was deleted or restored; three queries,
 * however many replies. Undefined for a reply that has no such participants.
 */
export async function totalsAround(
  server: Server,
  db: Kysely<Tables>,
  messages: readonly MessageRow[],
): Promise<(message: MessageRow) => Record<string, ThreadTotals> | undefined> {
  const replies = messages.filter((message) => message.parent_id !== null)
  const [first] = replies
  if (!first) return () => undefined
  const { app } = first
  const threadIds = new Set(replies.map((reply) => reply.parent_id!))
  const reads = Map.groupBy(await connectedReads(server, db, app, [...threadIds]), (read) => read.thread_id)
  const behind = ({ parent_id, user_id, created_at }: MessageRow) =>
    (reads.get(parent_id ?? '') ?? []).flatMap((read) =>
      read.user_id !== user_id && read.last_read < created_at ? read.user_id : [],
    )
  const totals = (await totalsOf(server, db, app, replies.flatMap(behind))) ?? {}
  return (message) => {
    const users = behind(message)
    return users.length > 0 ? Object.fromEntries(users.map((userId) => [userId, totals[userId]!])) : undefined
  }
}

/** Connected users with unread replies in the threads of these messages. */
export async function unreadUnder(
  server: Server,
  db: Kysely<Tables>,
  messages: readonly MessageRow[],
): Promise<string[]> {
  const parents = messages.filter((message) => message.thread_participants_json !== null)
  const [first] = parents
  if (!first) return []
  const ids = parents.map(({ id }) => id)
  const reads = await connectedReads(server, db, first.app, ids)
  return reads.flatMap((read) => (read.unread > 0 ? read.user_id : []))
}

/** The thread totals of these users now; undefined for an empty list. */
export async function totalsOf(
  server: Server,
  db: Kysely<Tables>,
  app: string,
  userIds: readonly string[],
): Promise<Record<string, ThreadTotals> | undefined> {
  const ids = [...new Set(userIds)]
  if (ids.length === 0) return undefined
  const totalsFor = await threadTotals(db, server.database.dialect, server.apps.of(app), ids)
  return Object.fromEntries(ids.map((userId) => [userId, totalsFor(userId)]))
}

/** The read states of connected participants in these threads. */
async function connectedReads(server: Server, db: Kysely<Tables>, app: string, threadIds: readonly string[]) {
  const all = await takingPart(server, db, app, threadIds)
  const online = all.filter((place) => server.presence.isOnline(app, place.user_id))
  return threadReads(db, server.database.dialect, app, online)
}

/** The participants of threads who may read them [READ-27]. */
export async function takingPart(
  { apps, database }: Server,
  db: Kysely<Tables>,
  id: string,
  threadIds: readonly string[],
): Promise<{ thread_id: string; user_id: string }[]> {
  const app = apps.of(id)
  const withRights = app.settings.multi_tenant_enabled
  return readable(app, await participantsOf(db, database.dialect, id, threadIds, { withRights }))
}

/** Unread threads and replies of each of these users; one query for all. */
export async function threadTotals(
  db: Kysely<Tables>,
  dialect: Dialect,
  app: App,
  userIds: readonly string[],
): Promise<(userId: string) => ThreadTotals> {
  const unread = await countedThreads(db, dialect, app, userIds)
  const byUser = Map.groupBy(unread, (read) => read.user_id)
  return (userId) => sumOf(byUser.get(userId) ?? [])
}

/** The number of unread threads of each user; one query for all. */
export async function unreadThreadsOf(
  server: Server,
  app: string,
  userIds: readonly string[],
  db: Kysely<Tables>,
): Promise<(userId: string) => { unread_threads: number }> {
  const totals = await threadTotals(db, server.database.dialect, server.apps.of(app), userIds)
  return (userId) => ({ unread_threads: totals(userId).unread_threads })
}

/** Each user's unread counts per thread, newest reply first [READ-5]. */
export async function unreadInThreads(
  db: Kysely<Tables>,
  dialect: Dialect,
  app: App,
  userIds: readonly string[],
): Promise<(userId: string) => UnreadCounts['threads']> {
  const unread = await countedThreads(db, dialect, app, userIds)
  const byUser = Map.groupBy(unread, (read) => read.user_id)
  return (userId) =>
    (byUser.get(userId) ?? []).map((read) => ({
      parent_message_id: read.thread_id,
      unread_count: read.unread,
      last_read: isoOf(read.last_read),
      ...(read.last_read_message_id !== null && { last_read_message_id: read.last_read_message_id }),
    }))
}

async function countedThreads(db: Kysely<Tables>, dialect: Dialect, app: App, userIds: readonly string[]) {
  const unread = await unreadThreads(db, dialect, app.id, userIds, { withRights: app.settings.multi_tenant_enabled })
  return readable(
    app,
    unread.filter((read) => counts(app, read)),
  )
}

function sumOf(reads: readonly ThreadRead[]): ThreadTotals {
  return {
    unread_threads: reads.length,
    unread_thread_messages: reads.reduce((total, { unread }) => total + unread, 0),
  }
}
