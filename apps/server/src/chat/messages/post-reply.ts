import { THREAD_PARTICIPANTS } from '@parley/protocol/limits'
import type { Message } from '@parley/protocol/messages'
import type { Kysely } from 'kysely'
import { ChatError } from '../../platform/chat-error.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { ChannelRow, MessageRow, Tables } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import type { Access } from '../channels/channel-access.ts'
import { keepThread } from '../threads/keep-thread.ts'
import { userSummariesOf } from '../users/user-summaries.ts'
import { isWithin, missing, sightOf } from './message-access.ts'
import { checkPin, withinParent } from './message-recipients.ts'
import { messageById, updateMessage } from './message-store.ts'
import { publishUpdated } from './publish-updated.ts'

/**
 * Posts a reply and updates its parent's reply count and participants; `message.updated` of the parent follows the
 * reply's `message.new` [messaging.md 6.4].
 *
 * @throws ChatError DoesNotExistError (16) — no such parent in this channel
 * @throws ChatError MultipleNestingLevelError (21) — the parent is a reply itself [THR-28]
 * @throws ChatError InputError (4) — it is pinned, and its parent is restricted
 */
export async function postReply(
  server: Server,
  access: Access,
  batch: Batch,
  reply: MessageRow,
  post: (batch: Batch, about: object) => Message,
): Promise<Message> {
  const { app, cid } = access.channel
  const parent = await parentOf(batch.db, access, reply.parent_id!)
  withinParent(reply, parent)
  checkPin(reply)
  const participants: string[] =
    parent.thread_participants_json === null ? [parent.user_id] : JSON.parse(parent.thread_participants_json)
  if (!participants.includes(reply.user_id) && participants.length < THREAD_PARTICIPANTS)
    participants.push(reply.user_id)
  const userSummaries = await userSummariesOf(server, app, [parent.user_id, ...participants])
  const about = {
    parent_author: userSummaries.of(parent.user_id),
    thread_participants: participants.map((userId) => userSummaries.of(userId)),
  }
  const message = post(batch, about)
  if (reply.shadowed) return message
  await keepThread(server, batch, batch.channel(app, cid)!, parent, reply, message, about)
  await changeParent(server, batch, batch.channel(app, cid)!, parent, {
    reply_count: parent.reply_count + 1,
    thread_participants_json: JSON.stringify(participants),
  })
  return message
}

/**
 * The parent of a new reply.
 *
 * @throws ChatError DoesNotExistError (16) — no such message in this channel
 * @throws ChatError MultipleNestingLevelError (21) — it is a reply itself [THR-28]
 */
export async function parentOf(db: Kysely<Tables>, access: Access, id: string): Promise<MessageRow> {
  const { app, cid } = access.channel
  const parent = await messageById(db, app, id)
  if (!parent || parent.cid !== cid || !isWithin(parent, sightOf(access))) throw missing(id)
  if (parent.parent_id !== null)
    throw new ChatError('MultipleNestingLevelError', `message ${id} is a reply itself; reply to its parent`)
  return parent
}

/** Stores changed reply counts of a parent and publishes `message.updated` to the watchers. */
export async function changeParent(
  server: Server,
  batch: Batch,
  channel: ChannelRow,
  parent: MessageRow,
  change: Partial<MessageRow>,
) {
  const changed = { ...parent, ...change, updated_at: batch.nextTime(channel) }
  await updateMessage(batch.db, parent.app, parent.id, { ...change, updated_at: changed.updated_at })
  await publishUpdated(server, batch, changed)
}
