import { BANS_PAGE_MAX } from '@parley/protocol/limits'
import type { Ban, QueryBannedUsersPayload } from '@parley/protocol/moderation'
import type { ReviewQueueItem } from '@parley/protocol/review'
import { type Kysely, sql } from 'kysely'
import type { Static } from 'typebox'
import { inputError } from '../../platform/chat-error.ts'
import {
  compileFilter,
  compileSort,
  type Entity,
  operators,
  tieBreak,
} from '../../platform/database/filter-compiler.ts'
import type { BanRow, Tables } from '../../platform/database/tables.ts'
import { isoOf } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import type { Caller } from '../api/caller.ts'
import { readerOf } from '../api/reader.ts'
import { accessChannels } from '../channels/channel-access.ts'
import { channelsShown } from '../channels/channels-shown.ts'
import { userSummariesOf } from '../users/user-summaries.ts'
import { bansOfUsers, findBans } from './ban-store.ts'

/** The filter and sort fields of bans [administration.md 6.5]. */
const banEntity: Entity = {
  filterName: 'filter_conditions',
  custom: undefined,
  tieBreak: [tieBreak('b.target_id'), tieBreak('b.cid')],
  fields: {
    channel_cid: { kind: 'text', sql: sql.ref('b.cid'), operators: operators.equality },
    user_id: { kind: 'text', sql: sql.ref('b.target_id'), operators: operators.equality },
    banned_by_id: { kind: 'text', sql: sql.ref('b.banned_by'), operators: operators.equality },
    reason: { kind: 'text', sql: sql.ref('b.reason'), operators: ['$eq', '$autocomplete'] },
    created_at: { kind: 'time', sql: sql.ref('b.created_at'), operators: operators.comparisons },
  },
}

/**
 * The bans matching a filter; expired ones too, unless excluded [MOD-10].
 *
 * @throws ChatError InputError (4) — a client names no channel; NotAllowedError (17) — it may not ban there
 */
export async function queryBannedUsers(
  server: Server,
  caller: Caller,
  payload: Static<typeof QueryBannedUsersPayload>,
): Promise<Ban[]> {
  const reader = readerOf(server, caller)
  const { dialect } = reader
  const app = caller.app.id
  const filter = payload.filter_conditions ?? {}
  if (!caller.server) await accessChannels(server, caller, cidsIn(filter), 'ban-channel-member')
  const matches = compileFilter(banEntity, dialect, filter)
  const now = server.clock.micros()
  const where = payload.exclude_expired_bans
    ? sql<boolean>`${matches} and (b.expires is null or b.expires > ${now})`
    : matches
  const sort = payload.sort?.length ? payload.sort : [{ field: 'created_at', direction: 1 as const }]
  const page = { limit: payload.limit ?? BANS_PAGE_MAX, offset: payload.offset ?? 0 }
  const bans = await findBans(reader.for(false), app, where, compileSort(banEntity, dialect, sort), page)

  return banWires(server, app, bans, server.database.read)
}

/** The active bans of these users, in every scope. */
export async function bansHolding(
  server: Server,
  app: string,
  userIds: readonly string[],
  db: Kysely<Tables>,
): Promise<ReviewQueueItem['bans']> {
  const bans = await bansOfUsers(db, server.database.dialect, app, userIds)
  const wires = await banWires(server, app, bans, db)
  return wires.map(({ banned_by, ...ban }, i) => ({
    ...ban,
    shadow: bans[i]!.shadow === 1,
    ...(banned_by && { created_by: banned_by }),
    ...(bans[i]!.cid !== '' && { channel_cid: bans[i]!.cid }),
  }))
}

async function banWires(server: Server, app: string, bans: readonly BanRow[], db: Kysely<Tables>): Promise<Ban[]> {
  const cids = [...new Set(bans.map((ban) => ban.cid))].filter((cid) => cid !== '')
  const channels = await channelsShown(server, db, app, cids)
  const userSummaries = await userSummariesOf(
    server,
    app,
    bans.flatMap((ban) => [ban.target_id, ...(ban.banned_by === null ? [] : [ban.banned_by])]),
  )
  return bans.map((ban) => {
    const channel = channels.get(ban.cid)
    return {
      user: userSummaries.of(ban.target_id),
      ...(ban.banned_by !== null && { banned_by: userSummaries.of(ban.banned_by) }),
      ...(channel && { channel }),
      ...(ban.reason !== null && { reason: ban.reason }),
      ...(ban.expires !== null && { expires: isoOf(ban.expires) }),
      shadow: ban.shadow === 1,
      created_at: isoOf(ban.created_at),
    }
  })
}

/** The channels a filter names at its top level, so that no other condition widens it. */
export function cidsIn(filter: Record<string, unknown>): string[] {
  const given = filter.channel_cid
  const condition =
    typeof given === 'object' && given !== null ? (given as { $eq?: unknown; $in?: unknown }) : { $eq: given }
  const cids = Array.isArray(condition.$in) ? condition.$in : [condition.$eq]
  if (cids.length === 0 || !cids.every((cid) => typeof cid === 'string'))
    throw inputError('filter_conditions', 'filter_conditions must name channel_cid')
  return cids as string[]
}
