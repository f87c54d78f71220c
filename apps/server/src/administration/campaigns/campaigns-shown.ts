import type { Campaign } from '@parley/protocol/campaigns'
import { CAMPAIGN_USERS_PAGE } from '@parley/protocol/limits'
import type { Kysely } from 'kysely'
import { userSummariesOf } from '../../chat/users/user-summaries.ts'
import type { CampaignRow, Tables } from '../../platform/database/tables.ts'
import { isoOf, type Micros } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import { segmentsShown } from '../segments/known-segments.ts'
import { planOf } from './campaign-content.ts'

const NEVER = '0001-01-01T00:00:00Z'

/** The user ids of a campaign in the order in which its users are listed: ids of users have no letters beyond ASCII. */
export function inOrder(userIds: readonly string[]): string[] {
  return [...new Set(userIds)].sort()
}

/** Chooses the first page of a campaign's users. */
export const firstUsers =
  (limit = CAMPAIGN_USERS_PAGE) =>
  (userIds: readonly string[]) =>
    inOrder(userIds).slice(0, limit)

/**
 * Campaigns with their senders and segments and a page of their users; the number of queries grows with none of them.
 *
 * @param shown chooses among a campaign's user ids
 */
export async function composeCampaigns(
  server: Server,
  app: string,
  rows: readonly CampaignRow[],
  shown: (userIds: readonly string[]) => string[] = firstUsers(),
  db?: Kysely<Tables>,
): Promise<Campaign[]> {
  const read = rows.map((row) => ({
    row,
    segmentIds: JSON.parse(row.segment_ids_json) as string[],
    userIds: JSON.parse(row.user_ids_json) as string[],
  }))
  const segments = await segmentsShown(
    server,
    app,
    read.flatMap(({ segmentIds }) => segmentIds),
    db,
  )
  const userSummaries = await userSummariesOf(
    server,
    app,
    read.flatMap(({ row, userIds }) => [row.sender_id, ...shown(userIds)]),
  )
  return read.map(({ row, segmentIds, userIds }) => {
    const sender = userSummaries.known(row.sender_id)
    return {
      id: row.id,
      name: row.name,
      description: row.description,
      sender_id: row.sender_id,
      ...(sender && { sender }),
      segment_ids: segmentIds,
      segments: segmentIds.flatMap((id) => segments.get(id) ?? []),
      user_ids: userIds,
      users: shown(userIds).flatMap((id) => userSummaries.known(id) ?? []),
      ...planOf(row),
      status: row.status,
      stats: statsOf(row),
      ...(row.scheduled_for !== null && { scheduled_for: isoOf(row.scheduled_for) }),
      ...(row.stop_at !== null && { stop_at: isoOf(row.stop_at) }),
      created_at: isoOf(row.created_at),
      updated_at: isoOf(row.updated_at),
    }
  })
}

function statsOf(row: CampaignRow): Campaign['stats'] {
  const isOver = row.status === 'completed'
  return {
    progress: isOver ? 1 : row.targets === 0 ? 0 : Math.min(1, row.done / row.targets),
    stats_started_at: timeOf(row.started_at),
    stats_completed_at: timeOf(row.completed_at),
    stats_users_sent: row.users_sent,
    stats_users_read: row.users_read,
    stats_channels_created: row.channels_created,
    stats_messages_sent: row.messages_sent,
  }
}

function timeOf(at: Micros | null): string {
  return at === null ? NEVER : isoOf(at)
}
