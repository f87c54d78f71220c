import { ChatError } from '../../platform/chat-error.ts'
import type { CampaignRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { holdCampaign } from './campaign-access.ts'
import { cancelTimes } from './campaign-life.ts'
import { deleteCampaignRow } from './campaign-store.ts'
import { beginErasing } from './erase-run.ts'

/**
 * Deletes a campaign; its messages stay [CAM-9].
 *
 * @throws ChatError InputError (4) — it is being sent
 */
export async function deleteCampaign(server: Server, { app, id }: CampaignRow): Promise<void> {
  await server.commit.write(app, [], async (batch) => {
    const row = await holdCampaign(batch, app, id)
    if (row.status === 'in_progress')
      throw new ChatError('InputError', `campaign ${id} is ${row.status}; stop it before it is deleted`)
    await deleteCampaignRow(batch.db, row)
    await cancelTimes(batch, row)
    if (row.run !== null) await beginErasing(server, batch, app, row.run)
  })
}
