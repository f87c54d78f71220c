import { inputError } from '../../platform/chat-error.ts'
import type { SegmentRow } from '../../platform/database/tables.ts'
import { erasing } from '../../platform/tasks/erasing.ts'
import type { Server } from '../../server.ts'
import { campaignUnderWay } from '../campaigns/campaigns-under-way.ts'
import { there } from './segment-access.ts'
import { deleteSegmentRow, deleteTargetsPage } from './segment-store.ts'

/** Targets one write deletes. */
const PAGE = 1_000

/** Deletes the targets of a deleted segment. */
export const erasingTargets = erasing<{ key: string }>(
  'erase-segment-targets',
  async ({ db, dialect }, app, { key }) => {
    return (await deleteTargetsPage(db, dialect, app, key, PAGE)) === PAGE
  },
)

/**
 * Deletes a segment at once, and its targets in a task [SEG-5].
 *
 * @throws ChatError InputError (4) — a scheduled or running campaign targets it
 */
export async function deleteSegment(server: Server, { app, id }: SegmentRow): Promise<void> {
  await server.commit.write(app, [], async (batch) => {
    const row = there(await deleteSegmentRow(batch.db, { app, id }), id)
    // Read after the row is locked: a campaign that starts now waits for the lock, and then does not find the segment.
    const campaign = await campaignUnderWay(batch, app, id)
    if (campaign) throw inputError('id', `segment ${id} is in use by campaign ${campaign}`)
    await server.tasks.begin(batch, app, erasingTargets.name, { key: row.key })
  })
}
