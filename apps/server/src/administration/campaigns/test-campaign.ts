import { randomUUID } from 'node:crypto'
import { inputError } from '../../platform/chat-error.ts'
import type { CampaignRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { sendTo } from './send-campaign.ts'

/**
 * Sends a campaign's message to a few users, as a trial: the campaign does not change, and these users get the message
 * once more when it is sent [CAM-16].
 *
 * @throws ChatError InputError (4) — one of the users, or the sender, does not exist
 */
export async function testCampaign(server: Server, campaign: CampaignRow, userIds: readonly string[]): Promise<void> {
  const { app, sender_id } = campaign
  const known = await server.users.getAll(app, [sender_id, ...userIds])
  const isGone = (id: string) => known.get(id)?.deleted_at !== null
  const sender = known.get(sender_id)
  if (!sender || isGone(sender_id)) throw inputError('sender_id', `could not find user ${sender_id}`)
  const stranger = userIds.find(isGone)
  if (stranger !== undefined) throw inputError('users', `could not find user ${stranger}`)
  const rows = [...new Set(userIds)].map((target_id) => ({
    app,
    run: '',
    target_id,
    made: 0 as const,
    message_id: null,
  }))
  // With the campaign's own key, the messages would count as those of its run.
  await sendTo(server, { ...campaign, key: randomUUID() }, sender, rows)
}
