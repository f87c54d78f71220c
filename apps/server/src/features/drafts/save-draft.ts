import { randomUUID } from 'node:crypto'
import type { Draft } from '@parley/protocol/drafts'
import type { MessageRequest } from '@parley/protocol/messages'
import type { Access } from '../../chat/channels/channel-access.ts'
import { channelEvent } from '../../chat/channels/channel-wire.ts'
import { checkAttachments, checkMentions, checkText } from '../../chat/messages/check-message.ts'
import { customFieldsOf } from '../../chat/messages/message-fields.ts'
import type { DraftRow, UserRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { putDraft } from './draft-store.ts'
import { draftWires, placeOf, type StoredDraft } from './own-drafts.ts'
import { wholeDrafts } from './whole-drafts.ts'

/**
 * Saves a draft in a channel or thread; it replaces the previous one.
 * Published to the author's connections [messaging.md 5.10].
 *
 * @throws ChatError MessageTooLongError (20), PayloadTooBigError (22), InputError (4)
 */
export async function saveDraft(
  server: Server,
  access: Access,
  author: UserRow,
  request: MessageRequest,
  parentId: string | null,
): Promise<Draft> {
  const { channel, config } = access
  const text = request.text ?? ''
  checkText(text, config.max_message_length)
  checkAttachments(request.attachments ?? [])
  const message: StoredDraft = {
    ...customFieldsOf(request),
    id: request.id || randomUUID(),
    text,
    attachments: request.attachments ?? [],
    mentioned_users: await checkMentions(server, access, request.mentioned_users ?? []),
    ...(parentId !== null && { parent_id: parentId }),
    ...(request.quoted_message_id && { quoted_message_id: request.quoted_message_id }),
    ...(request.show_in_channel !== undefined && { show_in_channel: request.show_in_channel }),
    ...(request.silent !== undefined && { silent: request.silent }),
    ...(request.poll_id && { poll_id: request.poll_id }),
    ...(request.type !== undefined && { type: request.type }),
  }
  const row = await server.commit.write(channel.app, [], async (batch) => {
    const draft: DraftRow = {
      app: channel.app,
      user_id: author.id,
      place: placeOf(channel.cid, parentId),
      cid: channel.cid,
      parent_id: parentId,
      message_json: JSON.stringify(message),
      created_at: batch.now(),
    }
    await putDraft(batch.db, draft)
    const [wire] = await draftWires(server, channel.app, [draft])
    batch.publishToUsers({
      app: channel.app,
      personal: [
        { users: [author.id], body: channelEvent(channel, 'draft.updated', draft.created_at, { draft: wire! }) },
      ],
    })
    return draft
  })
  const [draft] = await wholeDrafts(server, author, [row], access)
  return draft!
}
