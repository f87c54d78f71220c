import type { Message } from '@parley/protocol/messages'
import type { Batch } from '../../platform/database/batch.ts'
import type { ChannelRow, MessageRow, UserRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { type Access, stillThere } from '../channels/channel-access.ts'
import { channelEvent } from '../channels/channel-wire.ts'
import { countMessage, messageCount } from '../channels/message-count.ts'
import { dropThreads } from '../threads/keep-thread.ts'
import { totalsAround, totalsOf, unreadUnder } from '../threads/thread-totals.ts'
import { userSummariesOf } from '../users/user-summaries.ts'
import { composeMessages } from './compose-messages.ts'
import { uncount } from './delete-for-me.ts'
import { dropDeletedForMe } from './deleted-for-me-store.ts'
import { missing } from './message-access.ts'
import { recipientsNow } from './message-recipients.ts'
import { eraseMessages, messageById, updateMessage } from './message-store.ts'
import { eventViewerOf } from './message-wire.ts'
import { changeParent } from './post-reply.ts'

/**
 * Deletes a message: a soft deletion leaves a tombstone [MSG-23, MSG-36]; a hard one also removes its reactions and
 * replies [MSG-24]. A counted message no longer counts for members who had not read it.
 */
export async function deleteMessage(
  server: Server,
  access: Access,
  id: string,
  { hard }: { hard: boolean },
  deleter: UserRow | undefined,
  { alone }: { alone?: string | undefined } = {},
): Promise<Message> {
  const { app, cid } = access.channel
  const write = async (batch: Batch) => {
    const row = await messageById(batch.db, app, id)
    if (!row) throw missing(id)
    const channel = stillThere(batch, access.channel)
    if (row.deleted_at !== null && !hard) {
      const [message] = await composeMessages(server, app, [row], deleter?.id, batch.db)
      return message!
    }

    const at = batch.nextTime(channel)
    const gone: MessageRow = { ...row, deleted_at: row.deleted_at ?? at, updated_at: at }
    const [message] = await composeMessages(server, app, [gone], deleter?.id, batch.db)
    const unread = hard ? await unreadUnder(server, batch.db, [row]) : []
    const shownReplies = hard ? await eraseMessages(batch.db, batch.dialect, app, [id]) : []
    if (hard) await dropThreads(batch, [row])
    if (!hard) await updateMessage(batch.db, app, id, { deleted_at: at, updated_at: at })

    await announceDeletion(server, batch, channel, row, gone, { hard, unread }, deleter)
    // Without an event, clients would keep showing the replies shown in the channel.
    for (const reply of shownReplies) {
      const end = { ...reply, deleted_at: at, updated_at: at }
      await announceDeletion(server, batch, channel, reply, end, { hard }, deleter)
    }

    if (hard) await dropDeletedForMe(batch.db, batch.dialect, app, [id, ...shownReplies.map((reply) => reply.id)])

    const parent = row.parent_id === null ? undefined : await messageById(batch.db, app, row.parent_id)
    const counts = parent && !row.shadowed && countsWithout(parent, row, { hard })
    if (counts) await changeParent(server, batch, channel, parent, counts)
    return { ...message!, ...(hard && { latest_reactions: [], own_reactions: [] }) }
  }
  return server.commit.write(app, [cid], write, { alone })
}

/**
 * Publishes the soft or hard deletion of a message, and removes the message from unread counts.
 *
 * @param unread  users with unread replies in its thread, if the thread is deleted with it
 */
export async function announceDeletion(
  server: Server,
  batch: Batch,
  channel: ChannelRow,
  was: MessageRow,
  gone: MessageRow,
  { hard, unread = [] }: { hard: boolean; unread?: readonly string[] },
  deleter: UserRow | undefined,
) {
  const { app } = channel
  const stood = was.deleted_at === null ? [was] : []
  for (const message of stood) countMessage(channel, message, -1)
  const effects = [...(await uncount(batch, stood, true)).values()]
  const around = (await totalsAround(server, batch.db, stood))(was)
  const threads = around ?? (await totalsOf(server, batch.db, app, unread))

  const [message] = await composeMessages(server, app, [gone], eventViewerOf(was), batch.db)
  const user = deleter && (await userSummariesOf(server, app, [deleter.id])).of(deleter.id)
  const at = batch.nextTime(channel)
  const body = channelEvent(channel, 'message.deleted', at, {
    message,
    message_id: gone.id,
    hard_delete: hard,
    ...messageCount(server, channel),
    ...(user && { user }),
  })
  batch.publish(channel, 'message.deleted', {
    at,
    watchers: body,
    ...(await recipientsNow(server, batch.db)(was)),
    // The badges of members who do not watch must stop counting a deleted message [READ-18].
    others: { body, onlyChanged: true },
    totals: 'members',
    ...(threads && { threads }),
    effects,
  })
}

/** The reply counts of a parent after a reply is deleted; undefined if they do not change. */
function countsWithout(
  { reply_count, deleted_reply_count }: MessageRow,
  reply: MessageRow,
  { hard }: { hard: boolean },
): Partial<MessageRow> | undefined {
  if (reply.deleted_at !== null) return hard ? { deleted_reply_count: deleted_reply_count - 1 } : undefined
  return { reply_count: reply_count - 1, ...(!hard && { deleted_reply_count: deleted_reply_count + 1 }) }
}
