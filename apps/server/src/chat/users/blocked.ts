import type { Kysely } from 'kysely'
import type { BlockRow, Tables } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import type { Caller } from '../api/caller.ts'
import { blockersAmong, blocksOf, blocksOfTarget } from './block-store.ts'

/** The users each of these users blocked, oldest block first; one query for all. */
export async function blockedIdsOf(
  server: Server,
  app: string,
  userIds: readonly string[],
  db: Kysely<Tables> = server.database.read,
): Promise<(userId: string) => string[]> {
  const blocks = Map.groupBy(await blocksOf(db, server.database.dialect, app, userIds), (block) => block.user_id)
  return (userId) => (blocks.get(userId) ?? []).map((block) => block.blocked_id)
}

/**
 * The users the caller can add to a channel: users who blocked the caller are silently left out [messaging.md 3.5]. The
 * app's server can add any user.
 */
export async function withoutBlockers<Wanted extends { userId: string }>(
  server: Server,
  caller: Caller,
  wanted: readonly Wanted[],
): Promise<readonly Wanted[]> {
  if (caller.server || !caller.user || wanted.length === 0) return wanted
  const { read, dialect } = server.database
  const ids = wanted.map((member) => member.userId)
  const blockers = await blockersAmong(read, dialect, caller.app.id, caller.user.id, ids)
  return wanted.filter((member) => !blockers.includes(member.userId))
}

/** The users who blocked a user, newest block first. */
export function blocksAgainst(server: Server, app: string, blockedId: string, limit: number): Promise<BlockRow[]> {
  return blocksOfTarget(server.database.read, app, blockedId, limit)
}
