import type { Message } from '@parley/protocol/messages'
import { holdPollsOf } from '../../features/polls/send-poll.ts'
import { ChatError } from '../../platform/chat-error.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { ChannelRow, MessageRow, UserRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import type { Access } from '../channels/channel-access.ts'
import { channelEvent } from '../channels/channel-wire.ts'
import { countMessage, messageCount } from '../channels/message-count.ts'
import { totalsAround } from '../threads/thread-totals.ts'
import { userSummariesOf } from '../users/user-summaries.ts'
import { composeMessages } from './compose-messages.ts'
import { uncount } from './delete-for-me.ts'
import { recipientsNow } from './message-recipients.ts'
import { messageById, PRUNED, updateMessage } from './message-store.ts'
import { eventViewerOf } from './message-wire.ts'
import { changeParent } from './post-reply.ts'

/**
 * Restores a soft-deleted message [MSG-25]. It is unread again for members whose read position lies before it.
 *
 * @throws ChatError InputError (4) — it is not deleted, or deleted for good, or its content is erased, or its channel
 *   or parent is deleted
 */
export async function undeleteMessage(
  server: Server,
  access: Access,
  id: string,
  undeleter: UserRow | undefined,
): Promise<Message> {
  const { app, cid } = access.channel
  return server.commit.write(app, [cid], async (batch) => {
    const row = await messageById(batch.db, app, id)
    const channel = batch.channel(app, cid)
    if (!row || row.type === PRUNED || !channel || channel.deleted_at !== null) throw goneForGood(id)
    if (row.deleted_at === null) throw new ChatError('InputError', `message ${id} is not deleted`)
    const parent = row.parent_id === null ? undefined : await messageById(batch.db, app, row.parent_id)
    if (parent && parent.deleted_at !== null)
      throw new ChatError('InputError', `message ${id} replies to a message that is deleted; undelete that one first`)

    await holdPollsOf(batch, app, [row])
    const at = batch.nextTime(channel)
    const back = { ...row, deleted_at: null, updated_at: at }
    await updateMessage(batch.db, app, id, { deleted_at: null, updated_at: at })
    const [message] = await announceReturns(server, batch, channel, [back], undeleter)
    if (parent && !row.shadowed)
      await changeParent(server, batch, channel, parent, {
        reply_count: parent.reply_count + 1,
        deleted_reply_count: parent.deleted_reply_count - 1,
      })
    return message!
  })
}

/** A missing message may have been deleted for good, which the server answers with code 4 [messaging.md 5.7]. */
export function goneForGood(id: string): ChatError {
  return new ChatError('InputError', `message ${id} is deleted for good, or its channel is, or there was none`)
}

/**
 * Publishes that messages of one author are restored; each counts again for members whose read position lies before it.
 * The number of queries does not grow with the messages.
 */
export async function announceReturns(
  server: Server,
  batch: Batch,
  channel: ChannelRow,
  rows: readonly MessageRow[],
  undeleter: UserRow | undefined,
): Promise<Message[]> {
  const { app } = channel
  const effects = await uncount(batch, rows, false)
  const totalsOf = await totalsAround(server, batch.db, rows)
  const messages = new Map<string, Message>()
  for (const [viewer, heard] of Map.groupBy(rows, eventViewerOf))
    for (const message of await composeMessages(server, app, heard, viewer, batch.db)) messages.set(message.id, message)
  const user = undeleter && (await userSummariesOf(server, app, [undeleter.id])).of(undeleter.id)
  const recipientsOf = recipientsNow(server, batch.db)
  const recipients = new Map(await Promise.all(rows.map(async (row) => [row.id, await recipientsOf(row)] as const)))
  return rows.map((row) => {
    const at = batch.nextTime(channel)
    countMessage(channel, row, 1)
    const message = messages.get(row.id)!
    const fields = { message, message_id: row.id, ...messageCount(server, channel), ...(user && { user }) }
    const body = channelEvent(channel, 'message.undeleted', at, fields)
    const effect = effects.get(row.id)
    const threads = totalsOf(row)
    batch.publish(channel, 'message.undeleted', {
      at,
      watchers: body,
      ...recipients.get(row.id),
      // The badges of members who do not watch must count it again [READ-18].
      others: { body, onlyChanged: true },
      totals: 'members',
      ...(threads && { threads }),
      effects: effect ? [effect] : [],
    })
    return message
  })
}
