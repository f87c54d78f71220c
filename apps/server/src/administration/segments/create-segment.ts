import { randomUUID } from 'node:crypto'
import type { CreateSegmentRequest, Segment } from '@parley/protocol/segments'
import type { Static } from 'typebox'
import { inputError } from '../../platform/chat-error.ts'
import type { SegmentRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { beginCounting, isCounted } from './count-segment.ts'
import { addSegment } from './segment-store.ts'
import { segmentWire } from './segment-wire.ts'
import { compileSegmentFilter } from './targets-of-segment.ts'

/**
 * Creates a segment [SEG-2]. The ways to define its targets exclude each other [SEG-12].
 *
 * @throws ChatError InputError (4) — the id is taken; a filter is invalid for its type, or not allowed
 */
export async function createSegment(
  server: Server,
  app: string,
  request: Static<typeof CreateSegmentRequest>,
): Promise<Segment> {
  const { type, all_users = false, all_sender_channels = false } = request
  const filter = filterSaid(request.filter)
  const ways = { filter: filter !== null, all_users, all_sender_channels }
  const [first, second] = Object.entries(ways).flatMap(([name, isSaid]) => (isSaid ? [name] : []))
  if (second !== undefined) throw inputError(second, `${second} and ${first} exclude each other`)
  if (all_users && type !== 'user') throw inputError('all_users', 'all_users is for segments of users')
  if (all_sender_channels && type !== 'channel')
    throw inputError('all_sender_channels', 'all_sender_channels is for segments of channels')
  if (filter !== null) compileSegmentFilter(server, app, type, filter)

  return server.commit.write(app, [], async (batch) => {
    const now = batch.now()
    const row: SegmentRow = {
      app,
      id: request.id ?? randomUUID(),
      key: randomUUID(),
      type,
      name: request.name ?? '',
      description: request.description ?? '',
      filter_json: filter && JSON.stringify(filter),
      all_users: all_users ? 1 : 0,
      all_sender_channels: all_sender_channels ? 1 : 0,
      size: 0,
      task_id: null,
      created_at: now,
      updated_at: now,
    }
    if (isCounted(row)) row.task_id = await beginCounting(server, batch, row)
    if (!(await addSegment(batch.db, row))) throw inputError('id', `a segment with id ${row.id} already exists`)
    return segmentWire(row)
  })
}

/** An empty filter counts as none: some clients always send one. */
export function filterSaid(filter: object | null | undefined): object | null {
  return filter && Object.keys(filter).length > 0 ? filter : null
}
