/** Users banned from all channels that another user creates, or adds them to, later [administration.md 6.4]. */
import { BANS_PAGE_MAX } from '@parley/protocol/limits'
import type { FutureBan, QueryFutureBansPayload } from '@parley/protocol/moderation'
import type { Static } from 'typebox'
import type { Batch } from '../../platform/database/batch.ts'
import type { BanRow, MemberRow, UserRow } from '../../platform/database/tables.ts'
import { isoOf } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import { type Caller, namedUser } from '../api/caller.ts'
import { userSummariesOf } from '../users/user-summaries.ts'
import { bansAmong, putBan } from './ban-store.ts'
import { deleteFutureBan, findFutureBans, futureBansOf, putFutureBan } from './future-ban-store.ts'

/** Stores a ban from future channels. */
export async function banFromFutureChannels(batch: Batch, { app, target_id, banned_by, ...ban }: BanRow) {
  const { reason, shadow, created_at, expires } = ban
  await putFutureBan(batch.db, { app, banned_by: banned_by!, target_id, reason, shadow, created_at, expires })
}

/** Removes it; existing bans in channels stay. */
export async function allowFutureChannels(server: Server, app: string, by: UserRow, targetId: string): Promise<void> {
  await server.commit.write(app, [], (batch) => deleteFutureBan(batch.db, app, by.id, targetId))
}

/**
 * Bans new members whom the user adding them has banned from future channels. A returning member with a longer active
 * ban keeps that ban.
 */
export async function banNewcomers(batch: Batch, members: readonly MemberRow[], by: UserRow | undefined) {
  const [first] = members
  if (!first || !by) return
  const { app, cid } = first
  const ids = members.map((member) => member.user_id)
  const now = batch.now()
  const bans = await futureBansOf(batch.db, batch.dialect, app, by.id, ids, now)
  if (bans.length === 0) return
  const holding = await bansAmong(batch.db, batch.dialect, app, cid, ids)
  for (const { target_id, banned_by, reason, shadow, expires } of bans) {
    const ban: BanRow = { app, target_id, cid, banned_by, reason, shadow, created_at: now, expires, lapsed: 0 }
    if (!holding.some((other) => other.target_id === target_id && outlasts(other, ban))) await putBan(batch.db, ban)
  }
}

/** Whether the other ban would add nothing. */
function outlasts(ban: BanRow, other: BanRow): boolean {
  const isLonger = ban.expires === null || (other.expires !== null && ban.expires >= other.expires)
  return isLonger && ban.shadow <= other.shadow
}

/** A client sees those it created itself. */
export async function queryFutureBans(
  server: Server,
  caller: Caller,
  payload: Static<typeof QueryFutureBansPayload>,
): Promise<{ bans: FutureBan[]; total?: number }> {
  const app = caller.app.id
  const bannedBy = caller.server ? caller.user?.id : namedUser(caller).id
  const { rows, total } = await findFutureBans(
    server.database.read,
    app,
    {
      bannedBy,
      targetId: payload.target_user_id,
      ...(payload.exclude_expired_bans && { lastingAt: server.clock.micros() }),
    },
    { limit: payload.limit ?? BANS_PAGE_MAX, offset: payload.offset ?? 0 },
  )
  const userSummaries = await userSummariesOf(
    server,
    app,
    rows.flatMap((row) => [row.target_id, row.banned_by]),
  )
  const bans = rows.map((row) => ({
    ...(payload.target_user_id === undefined && { user: userSummaries.of(row.target_id) }),
    banned_by: userSummaries.of(row.banned_by),
    ...(row.reason !== null && { reason: row.reason }),
    ...(row.expires !== null && { expires: isoOf(row.expires) }),
    shadow: row.shadow === 1,
    created_at: isoOf(row.created_at),
  }))
  return { bans, ...(payload.include_total && { total: await total() }) }
}
