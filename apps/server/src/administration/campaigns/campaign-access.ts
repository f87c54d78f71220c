import type { Caller } from '../../chat/api/caller.ts'
import { ChatError } from '../../platform/chat-error.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { CampaignRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { campaignById, heldCampaign } from './campaign-store.ts'

/**
 * The only way from a campaign id sent by a client to the campaign.
 *
 * @throws ChatError DoesNotExistError (16)
 */
export async function accessCampaign({ database }: Server, { app }: Caller, id: string): Promise<CampaignRow> {
  return there(await campaignById(database.read, app.id, id), id)
}

/**
 * The current campaign, locked until the write is done.
 *
 * @throws ChatError DoesNotExistError (16)
 */
export async function holdCampaign({ db, dialect }: Batch, app: string, id: string): Promise<CampaignRow> {
  return there(await heldCampaign(db, dialect, app, id), id)
}

function there(campaign: CampaignRow | undefined, id: string): CampaignRow {
  if (!campaign) throw new ChatError('DoesNotExistError', `Can't find campaign with id ${id}`)
  return campaign
}
