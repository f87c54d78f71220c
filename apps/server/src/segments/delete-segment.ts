import { campaignUnderWay } from '../campaigns/campaigns-under-way.ts'
import { inputError } from '../chat-error.ts'
import type { SegmentRow } from '../database/tables.ts'
import type { Server } from '../server.ts'
import { erasing } from '../tasks/erasing.ts'
import { there } from './segment-access.ts'
import { deleteSegmentRow, deleteTargetsPage } from './segment-store.ts'

/** Targets one write erases. */
const PAGE = 1_000

/** Erases the targets of a segment that is gone. */
export const erasingTargets = erasing<{ key: string }>(
  'erase-segment-targets',
  async ({ db, dialect }, app, { key }) => {
    return (await deleteTargetsPage(db, dialect, app, key, PAGE)) === PAGE
  },
)

/**
 * Deletes a segment at once, and its targets after it [SEG-5].
 *
 * @throws ChatError InputError (4) — a campaign that is scheduled or under way goes to it
 */
export async function deleteSegment(server: Server, { app, id }: SegmentRow): Promise<void> {
  await server.commit.write(app, [], async (batch) => {
    const row = there(await deleteSegmentRow(batch.db, { app, id }), id)
    // Looked for after the row is ours: a campaign that starts now would wait for it, and not find it.
    const campaign = await campaignUnderWay(batch, app, id)
    if (campaign) throw inputError('id', `segment ${id} is in use by campaign ${campaign}`)
    await server.tasks.begin(batch, app, erasingTargets.name, { key: row.key })
  })
}
