import { type RawBuilder, sql } from 'kysely'
import { channelEntity } from '../../chat/channels/channel-filter.ts'
import { userEntity } from '../../chat/users/query-users.ts'
import { type Condition, compileFilter } from '../../platform/database/filter-compiler.ts'
import type { SegmentRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { findTargets, type Target } from './segment-store.ts'

/**
 * A condition on users `u` or channels `c` from a filter, as in a query of the app's server.
 *
 * @throws ChatError InputError (4) — naming the invalid field
 */
export function compileSegmentFilter(
  { apps, clock, database: { dialect } }: Server,
  app: string,
  type: SegmentRow['type'],
  filter: unknown,
): Condition {
  const entity =
    type === 'user'
      ? userEntity(dialect, app, { server: true })
      : channelEntity(dialect, apps.of(app), undefined, clock.micros(), { probing: true })
  return compileFilter({ ...entity, filterName: 'filter' }, dialect, filter)
}

/**
 * The targets of a segment as a table with `target_id` and `created_at`: those added by hand, or the current
 * matches of its filter.
 *
 * @param senderId the user of `all_sender_channels`; without one it matches none
 */
export function targetsOf(server: Server, segment: SegmentRow, senderId?: string): RawBuilder<Target> {
  const { app, key, type, filter_json } = segment
  const matches =
    filter_json === null ? sql<boolean>`1 = 1` : compileSegmentFilter(server, app, type, JSON.parse(filter_json))
  if (segment.all_sender_channels)
    return sql`(select m.cid as target_id, m.created_at from members m
      join channels c on c.app = m.app and c.cid = m.cid and c.deleted_at is null
      where m.app = ${app} and m.user_id = ${senderId ?? ''} and m.status in ('member', 'accepted'))`
  if (filter_json === null && !segment.all_users)
    return sql`(select target_id, created_at from segment_targets where app = ${app} and segment = ${key})`
  if (type === 'user')
    return sql`(select u.id as target_id, u.created_at from users u where u.app = ${app} and u.deleted_at is null
      and u.deactivated_at is null and ${matches})`
  return sql`(select c.cid as target_id, c.created_at from channels c where c.app = ${app} and c.deleted_at is null
    and ${matches})`
}

/** The next targets ordered by id: the cost of a page does not grow with the segment. */
export async function targetsAfter(
  server: Server,
  segment: SegmentRow,
  { senderId, after, limit }: { senderId: string; after: string; limit: number },
): Promise<string[]> {
  const rows = await findTargets(server.database.read, targetsOf(server, segment, senderId), {
    where: sql<boolean>`t.target_id > ${after}`,
    keys: sql``,
    page: sql`order by t.target_id limit ${limit}`,
  })
  return rows.map((row) => row.target_id)
}

/** Whether an id is a target now. */
export async function isTarget(server: Server, segment: SegmentRow, targetId: string): Promise<boolean> {
  const [found] = await findTargets(server.database.read, targetsOf(server, segment), {
    where: sql<boolean>`t.target_id = ${targetId}`,
    keys: sql``,
    page: sql`limit 1`,
  })
  return found !== undefined
}
