import type { UnreadCounts } from '@parley/protocol/reads'
import type { Kysely } from 'kysely'
import type { App } from '../apps/app.ts'
import type { Dialect } from '../database/dialect.ts'
import type { Tables } from '../database/tables.ts'
import { isoOf } from '../micros.ts'
import { counts } from '../reads/counting.ts'
import type { ThreadTotals } from '../realtime/publication.ts'
import { type ThreadRead, unreadThreads } from './thread-store.ts'

/** Unread threads and replies of each of these users; one query for all. */
export async function threadTotals(
  db: Kysely<Tables>,
  dialect: Dialect,
  app: App,
  userIds: readonly string[],
): Promise<(userId: string) => ThreadTotals> {
  const unread = (await unreadThreads(db, dialect, app.id, userIds)).filter((read) => counts(app, read))
  const byUser = Map.groupBy(unread, (read) => read.user_id)
  return (userId) => totalsOf(byUser.get(userId) ?? [])
}

/** What each of these users has not read in threads, newest reply first [READ-5]. */
export async function unreadInThreads(
  db: Kysely<Tables>,
  dialect: Dialect,
  app: App,
  userIds: readonly string[],
): Promise<(userId: string) => UnreadCounts['threads']> {
  const unread = (await unreadThreads(db, dialect, app.id, userIds)).filter((read) => counts(app, read))
  const byUser = Map.groupBy(unread, (read) => read.user_id)
  return (userId) =>
    (byUser.get(userId) ?? []).map((read) => ({
      parent_message_id: read.thread_id,
      unread_count: read.unread,
      last_read: isoOf(read.last_read),
      ...(read.last_read_message_id !== null && { last_read_message_id: read.last_read_message_id }),
    }))
}

function totalsOf(reads: readonly ThreadRead[]): ThreadTotals {
  return {
    unread_threads: reads.length,
    unread_thread_messages: reads.reduce((total, { unread }) => total + unread, 0),
  }
}
