import type { Segment, UpdateSegmentRequest } from '@parley/protocol/segments'
import type { Static } from 'typebox'
import { inputError } from '../../platform/chat-error.ts'
import type { SegmentRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { beginCounting, isCounted } from './count-segment.ts'
import { filterSaid } from './create-segment.ts'
import { holdSegment } from './segment-access.ts'
import { setSegment } from './segment-store.ts'
import { isByHand, segmentWire } from './segment-wire.ts'
import { compileSegmentFilter } from './targets-of-segment.ts'

/**
 * Changes a segment's name, description or filter; its targets are counted again [SEG-4].
 *
 * @throws ChatError InputError (4) — a filter for a segment that is defined in another way
 */
export async function updateSegment(
  server: Server,
  { app, id }: SegmentRow,
  request: Static<typeof UpdateSegmentRequest>,
): Promise<Segment> {
  return server.commit.write(app, [], async (batch) => {
    const before = await holdSegment(batch, { app, id })
    const { name = before.name, description = before.description } = request
    const row: SegmentRow = { ...before, name, description, updated_at: batch.now() }
    if (request.filter !== undefined) {
      const filter = filterSaid(request.filter)
      if (filter !== null) checkFilter(server, before, filter)
      row.filter_json = filter && JSON.stringify(filter)
      row.task_id = null
      if (isCounted(row)) row.task_id = await beginCounting(server, batch, row)
      else if (isCounted(before)) row.size = 0
    }
    await setSegment(batch.db, row)
    return segmentWire(row)
  })
}

function checkFilter(server: Server, segment: SegmentRow, filter: object) {
  if (segment.all_users) throw inputError('filter', 'filter and all_users exclude each other')
  if (segment.all_sender_channels) throw inputError('filter', 'filter and all_sender_channels exclude each other')
  if (isByHand(segment) && segment.size > 0)
    throw inputError('filter', 'this segment has targets that were added to it, which a filter excludes')
  compileSegmentFilter(server, segment.app, segment.type, filter)
}
