import { randomUUID } from 'node:crypto'
import type { CampaignData } from '@parley/protocol/campaigns'
import { inputError } from '../../platform/chat-error.ts'
import type { CampaignRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { segmentsKnown } from '../segments/known-segments.ts'
import { type Content, contentOf } from './campaign-content.ts'
import { addCampaign } from './campaign-store.ts'

/**
 * Creates a campaign as a draft [CAM-6].
 *
 * @throws ChatError InputError (4) — as `contentOf`, and if the id is taken or a segment does not exist
 */
export async function createCampaign(
  server: Server,
  app: string,
  { id = randomUUID(), ...said }: CampaignData & { id?: string },
): Promise<CampaignRow> {
  const content = await contentOf(server, app, said, undefined)
  await checkSegments(server, app, content)
  return server.commit.write(app, [], async (batch) => {
    const at = batch.now()
    const row: CampaignRow = {
      app,
      id,
      key: randomUUID(),
      ...content,
      status: 'draft',
      scheduled_for: null,
      stop_at: null,
      run: null,
      started_at: null,
      completed_at: null,
      targets: 0,
      done: 0,
      users_sent: 0,
      users_read: 0,
      channels_created: 0,
      messages_sent: 0,
      created_at: at,
      updated_at: at,
    }
    if (!(await addCampaign(batch.db, row))) throw inputError('id', `a campaign with id ${id} already exists`)
    return row
  })
}

/** @throws ChatError InputError (4) */
export async function checkSegments(server: Server, app: string, { segment_ids_json }: Content) {
  const ids = JSON.parse(segment_ids_json) as string[]
  const known = await segmentsKnown(server, app, ids)
  const missing = ids.find((id) => !known.has(id))
  if (missing !== undefined) throw inputError('segment_ids', `could not find segment ${missing}`)
}
