import type { CampaignData } from '@parley/protocol/campaigns'
import { ChatError } from '../../platform/chat-error.ts'
import type { CampaignRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { holdCampaign } from './campaign-access.ts'
import { contentOf } from './campaign-content.ts'
import { checkReceivers } from './campaign-life.ts'
import { setCampaign } from './campaign-store.ts'
import { checkSegments } from './create-campaign.ts'

/**
 * Updates the given fields of a campaign [CAM-8].
 *
 * @throws ChatError InputError (4) — it is being sent, or was completed; as `contentOf`
 */
export async function updateCampaign(
  server: Server,
  { app, id }: CampaignRow,
  said: CampaignData,
): Promise<CampaignRow> {
  return server.commit.write(app, [], async (batch) => {
    const before = await holdCampaign(batch, app, id)
    if (before.status === 'in_progress' || before.status === 'completed')
      throw new ChatError('InputError', `campaign ${id} is ${before.status} and can't be changed`)
    const content = await contentOf(server, app, said, before)
    if (said.segment_ids) await checkSegments(server, app, content)
    const row = { ...before, ...content, updated_at: batch.now() }
    // There is no later check when the scheduled time comes.
    if (row.status === 'scheduled') await checkReceivers(batch, row)
    await setCampaign(batch.db, row)
    return row
  })
}
