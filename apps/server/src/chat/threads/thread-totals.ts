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
 * What is unread now in the threads of those who are connected and have not read a reply that is gone, or back; of as
 * many replies as there are by three queries. Undefined for one that nobody like that has.
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

/** Those who are connected and have something unread in the threads that hang on these messages. */
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

/** What is unread in the threads of these users now; undefined when there is nobody. */
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

/** Where those stand in these threads who are connected. */
async function connectedReads(server: Server, db: Kysely<Tables>, app: string, threadIds: readonly string[]) {
  const all = await takingPart(server, db, app, threadIds)
  const online = all.filter((place) => server.presence.isOnline(app, place.user_id))
  return threadReads(db, server.database.dialect, app, online)
}

/** Who takes part in threads, as far as they may read them [READ-27]. */
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

/** How many threads of each of these users have something unread; one query for all. */
export async function unreadThreadsOf(
  server: Server,
  app: string,
  userIds: readonly string[],
  db: Kysely<Tables>,
): Promise<(userId: string) => { unread_threads: number }> {
  const totals = await threadTotals(db, server.database.dialect, server.apps.of(app), userIds)
  return (userId) => ({ unread_threads: totals(userId).unread_threads })
}

/** What each of these users has not read in threads, newest reply first [READ-5]. */
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
