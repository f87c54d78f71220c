import { ChatError } from '../chat-error.ts'
import type { SegmentRow } from '../database/tables.ts'
import type { Caller } from '../http/caller.ts'
import type { Server } from '../server.ts'
import { segmentById } from './segment-store.ts'

/**
 * The only way from a segment's id that came from outside to the segment.
 *
 * @throws ChatError DoesNotExistError (16)
 */
export async function accessSegment({ database }: Server, { app }: Caller, id: string): Promise<SegmentRow> {
  const segment = await segmentById(database.read, app.id, id)
  if (!segment) throw missingSegment(id)
  return segment
}

export function missingSegment(id: string): ChatError {
  return new ChatError('DoesNotExistError', `Can't find segment with id ${id}`)
}
