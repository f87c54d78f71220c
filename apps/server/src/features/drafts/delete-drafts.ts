import { splitCid } from '@parley/protocol/cid'
import type { Access } from '../../chat/channels/channel-access.ts'
import { ChatError } from '../../platform/chat-error.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { MessageRow, UserRow } from '../../platform/database/tables.ts'
import { isoOf } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import { deleteDrafts } from './draft-store.ts'
import { draftWires, placeOf } from './own-drafts.ts'

/** All drafts in an erased channel. */
export { deleteDraftsIn } from './draft-store.ts'

/** @throws ChatError DoesNotExistError (16) — there is no draft */
export async function deleteDraft(server: Server, access: Access, author: UserRow, parentId: string | null) {
  const { app, cid } = access.channel
  await server.commit.write(app, [], async (batch) => {
    const gone = await removeDrafts(server, batch, app, [{ user_id: author.id, place: placeOf(cid, parentId) }])
    if (gone === 0) throw noDraft(cid)
  })
}

export function noDraft(cid: string): ChatError {
  return new ChatError('DoesNotExistError', `Can't find a draft in ${cid}`)
}

interface Sent {
  server: Server
  app: string
  user_id: string
  place: string
}

/** A message was sent, so the draft for its place is deleted, once for all messages of the batch. */
export function deleteDraftWhenSent(server: Server, batch: Batch, { app, cid, user_id, parent_id }: MessageRow) {
  batch.atEnd(deleteSentDrafts, { server, app, user_id, place: placeOf(cid, parent_id) })
}

async function deleteSentDrafts(batch: Batch, sent: readonly Sent[]) {
  for (const [app, drafts] of Map.groupBy(sent, ({ app }) => app))
    await removeDrafts(drafts[0]!.server, batch, app, drafts)
}

async function removeDrafts(
  server: Server,
  batch: Batch,
  app: string,
  named: readonly { user_id: string; place: string }[],
): Promise<number> {
  const rows = await deleteDrafts(batch.db, batch.dialect, app, named)
  const wires = await draftWires(server, app, rows)
  for (const [i, { user_id, cid, parent_id }] of rows.entries()) {
    const { type: channel_type, id: channel_id } = splitCid(cid)
    const event = {
      type: 'draft.deleted',
      cid,
      channel_id,
      channel_type,
      created_at: isoOf(batch.now()),
      ...(parent_id && { parent_id }),
      draft: wires[i],
    }
    batch.publishToUsers({ app, personal: [{ users: [user_id], body: JSON.stringify(event) }] })
  }
  return rows.length
}
