import { isCid } from '@parley/protocol/cid'
import { inputError } from '../../platform/chat-error.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { SegmentRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { holdSegment } from './segment-access.ts'
import { addTargets, changeSize, deleteTargets } from './segment-store.ts'
import { isByHand } from './segment-wire.ts'

/**
 * Adds users by their ids, or channels by their cids; existing targets stay [SEG-6]. Whether they exist is
 * checked when a campaign sends to them.
 *
 * @throws ChatError InputError (4) — the segment is defined by a filter; a target is no cid, or no user id
 */
export async function addSegmentTargets(server: Server, { app, id, type }: SegmentRow, targets: readonly string[]) {
  const wrong = targets.find((target) => isCid(target) !== (type === 'channel'))
  if (wrong !== undefined)
    throw inputError('target_ids', `"${wrong}" is not ${type === 'channel' ? 'the cid of a channel' : 'a user id'}`)
  await change(server, { app, id }, (batch, segment) =>
    addTargets(batch.db, batch.dialect, segment, targets, batch.now()),
  )
}

/**
 * Removes targets; unknown ones are ignored [SEG-7].
 *
 * @throws ChatError InputError (4) — the segment is defined by a filter
 */
export async function deleteSegmentTargets(server: Server, segment: SegmentRow, targets: readonly string[]) {
  await change(server, segment, async (batch, now) => -(await deleteTargets(batch.db, batch.dialect, now, targets)))
}

async function change(
  server: Server,
  { app, id }: Pick<SegmentRow, 'app' | 'id'>,
  by: (batch: Batch, segment: SegmentRow) => Promise<number>,
) {
  await server.commit.write(app, [], async (batch) => {
    const segment = await holdSegment(batch, { app, id })
    if (!isByHand(segment))
      throw inputError('target_ids', `segment ${id} says itself who is in it; its targets are not chosen by hand`)
    const changed = await by(batch, segment)
    if (changed !== 0) await changeSize(batch.db, segment, changed, batch.now())
  })
}
