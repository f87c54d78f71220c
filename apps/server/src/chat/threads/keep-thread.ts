/** A thread is created by its first reply, and deleted with its parent message. */
import type { Message } from '@parley/protocol/messages'
import type { Batch } from '../../platform/database/batch.ts'
import type { ChannelRow, MessageRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { channelEvent, channelWire, usersOfChannel } from '../channels/channel-wire.ts'
import { countedBy } from '../messages/message-recipients.ts'
import { userSummariesOf } from '../users/user-summaries.ts'
import { deleteThreads, putParticipant, putThread, threadReads } from './thread-store.ts'
import { takingPart, threadTotals } from './thread-totals.ts'

/**
 * Adds a reply to its thread: the parent's author and every replier are participants [THR-31], the author has now read
 * everything, and the event goes to all connections of the other participants [messaging.md 6.4].
 *
 * One query reads the totals of the connected participants, however many members the channel has.
 */
export async function keepThread(
  server: Server,
  batch: Batch,
  channel: ChannelRow,
  parent: MessageRow,
  reply: MessageRow,
  message: Message,
  about: object,
) {
  const { app, id } = parent
  const { created_at: at, user_id: author } = reply
  const [own] = await threadReads(batch.db, batch.dialect, app, [{ thread_id: id, user_id: author }])
  await putThread(batch.db, {
    app,
    id,
    cid: parent.cid,
    created_by: author,
    title: null,
    data: '{}',
    created_at: at,
    updated_at: at,
    last_message_at: at,
  })
  const isFirst = parent.thread_participants_json === null
  if (isFirst && parent.user_id !== author)
    await putParticipant(batch.db, {
      app,
      thread_id: id,
      user_id: parent.user_id,
      created_at: at - 1,
      last_read: parent.created_at,
      last_read_message_id: null,
      last_message_at: null,
      left_at: null,
    })
  await putParticipant(batch.db, {
    app,
    thread_id: id,
    user_id: author,
    created_at: at,
    last_read: at,
    last_read_message_id: reply.id,
    last_message_at: at,
    left_at: null,
  })
  await batch.flush()

  const { among } = countedBy(reply)
  const concerned = (await takingPart(server, batch.db, app, [id]))
    .map(({ user_id }) => user_id)
    .filter((userId) => userId !== author && (!among || among.includes(userId)))
  const online = concerned.filter((userId) => server.presence.isOnline(app, userId))
  const isForOutbound = online.length === 0 && concerned.length > 0 && batch.hasOutboundSubscribers(app)
  const lowered = (own?.unread ?? 0) > 0
  if (online.length === 0 && !lowered && !isForOutbound) return
  const totalsFor = await threadTotals(
    batch.db,
    batch.dialect,
    server.apps.of(app),
    lowered ? [...online, author] : online,
  )

  const userSummaries = await userSummariesOf(server, app, usersOfChannel(channel))
  const body = channelEvent(channel, 'notification.thread_message_new', at, {
    message,
    message_id: reply.id,
    thread_id: id,
    user: message.user,
    channel: channelWire(server, channel, userSummaries),
    ...(server.hub.knowsWatchers(app, channel.cid) && { watcher_count: server.hub.watcherCount(app, channel.cid) }),
    ...about,
  })
  if (isForOutbound) batch.publishOutbound(app, body)
  // One publication for all users with the same totals: each crosses the bus once per receiver.
  const groups = Map.groupBy(online, (userId) => JSON.stringify(totalsFor(userId)))
  for (const users of groups.values())
    batch.publishToUsers({ app, personal: [{ users, body, threads: totalsFor(users[0]!) }] })
  if (lowered)
    batch.publishToUsers({
      app,
      personal: [
        {
          users: [author],
          body: channelEvent(channel, 'notification.mark_read', at, {
            user: message.user,
            thread_id: id,
            last_read_message_id: reply.id,
          }),
          totals: true,
          threads: totalsFor(author),
        },
      ],
    })
}

/** Deletes the threads of parent messages that are deleted for good. */
export async function dropThreads(batch: Batch, messages: readonly MessageRow[]) {
  const parents = messages.filter((message) => message.thread_participants_json !== null)
  const ids = parents.map(({ id }) => id)
  if (parents[0]) await deleteThreads(batch.db, batch.dialect, parents[0].app, ids)
}
