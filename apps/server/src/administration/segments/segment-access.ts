import type { Caller } from '../../chat/api/caller.ts'
import { ChatError } from '../../platform/chat-error.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { SegmentRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { heldSegment, segmentById } from './segment-store.ts'

/**
 * The only way from a segment id sent by a client to the segment.
 *
 * @throws ChatError DoesNotExistError (16)
 */
export async function accessSegment({ database }: Server, { app }: Caller, id: string): Promise<SegmentRow> {
  return there(await segmentById(database.read, app.id, id), id)
}

/**
 * The current segment, locked until the write is done.
 *
 * @throws ChatError DoesNotExistError (16)
 */
export async function holdSegment(
  { db, dialect }: Batch,
  { app, id }: Pick<SegmentRow, 'app' | 'id'>,
): Promise<SegmentRow> {
  return there(await heldSegment(db, dialect, { app, id }), id)
}

export function there(segment: SegmentRow | undefined, id: string): SegmentRow {
  if (!segment) throw new ChatError('DoesNotExistError', `Can't find segment with id ${id}`)
  return segment
}
