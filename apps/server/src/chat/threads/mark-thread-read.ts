import type { Batch } from '../../platform/database/batch.ts'
import type { MessageRow, ThreadRow, UserRow } from '../../platform/database/tables.ts'
import { isoOf } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import { type Access, stillThere } from '../channels/channel-access.ts'
import { channelEvent, channelWire } from '../channels/channel-wire.ts'
import { recipientsNow } from '../messages/message-recipients.ts'
import { newestReply, oldestReplyOfOthers } from '../messages/messages-of-threads.ts'
import { hides } from '../users/privacy.ts'
import { cachedUserSummaries } from '../users/user-summaries.ts'
import { userWire } from '../users/user-wire.ts'
import { composeThreads } from './compose-threads.ts'
import { setThreadRead, threadById, threadReads } from './thread-store.ts'
import { threadTotals } from './thread-totals.ts'

/** Read events show the positions of all participants, and no replies. */
const AS_PUBLISHED = { replies: 0, participants: 100 }

/**
 * Marks a thread read. The channel's own read positions stay where they are [messaging.md 6.3].
 *
 * @param parent the thread's parent message: a user who cannot see it gets no events of its thread
 * @returns the event it published; null, and nothing happens, for a user who is no participant of the thread
 */
export async function markThreadRead(
  server: Server,
  access: Access,
  reader: UserRow,
  parent: MessageRow,
): Promise<Record<string, unknown> | null> {
  if (!access.config.read_events) return null
  const { app, cid, id } = parent
  return server.commit.write(app, [cid], async (batch) => {
    const channel = stillThere(batch, access.channel)
    const at = batch.nextTime(channel)
    const newest = await newestReply(batch.db, app, id)
    const position = { last_read: at, last_read_message_id: newest?.id ?? null }
    if (!(await setThreadRead(batch.db, app, id, reader.id, position))) return null

    const thread = await told(server, batch, id, app)
    const fields = { ...about(server, reader), ...lastRead(position) }
    const event = channelEvent(channel, 'message.read', at, { ...fields, thread })
    batch.publish(channel, 'message.read', {
      at,
      watchers: event,
      totals: { only: reader.id },
      ...(await recipientsNow(server, batch.db)(parent)),
      ...(hides(reader, 'read_receipts') && { only: [reader.id] }),
    })
    const totalsFor = await threadTotals(batch.db, batch.dialect, server.apps.of(app), [reader.id])
    const body = channelEvent(channel, 'notification.mark_read', at, { ...fields, thread_id: id, thread })
    batch.publish(channel, 'notification.mark_read', {
      at,
      personal: [{ users: [reader.id], body, totals: true, threads: totalsFor(reader.id) }],
    })
    return JSON.parse(event)
  })
}

/** Marks a whole thread unread; does nothing for a user who is no participant. */
export async function markThreadUnread(server: Server, access: Access, reader: UserRow, { id }: ThreadRow) {
  if (!access.config.read_events) return
  const { app, cid } = access.channel
  await server.commit.write(app, [cid], async (batch) => {
    const channel = stillThere(batch, access.channel)
    const first = await oldestReplyOfOthers(batch.db, app, id, reader.id)
    if (!first) return
    const position = { last_read: first.created_at - 1, last_read_message_id: null }
    if (!(await setThreadRead(batch.db, app, id, reader.id, position))) return

    const at = batch.nextTime(channel)
    const [read] = await threadReads(batch.db, batch.dialect, app, [{ thread_id: id, user_id: reader.id }])
    const totalsFor = await threadTotals(batch.db, batch.dialect, server.apps.of(app), [reader.id])
    const body = channelEvent(channel, 'notification.mark_unread', at, {
      ...about(server, reader),
      thread_id: id,
      first_unread_message_id: first.id,
      last_read_at: isoOf(position.last_read),
      unread_messages: read?.unread ?? 0,
      channel: channelWire(server, channel, cachedUserSummaries(server, app)),
    })
    batch.publish(channel, 'notification.mark_unread', {
      at,
      personal: [{ users: [reader.id], body, totals: true, threads: totalsFor(reader.id) }],
    })
  })
}

/** The thread as all participants may see it, read in this transaction. */
async function told(server: Server, batch: Batch, id: string, app: string) {
  const row = await threadById(batch.db, app, id)
  const [thread] = row ? await composeThreads(server, app, undefined, [row], AS_PUBLISHED, batch.db) : []
  return thread
}

function about(server: Server, reader: UserRow) {
  return { user: userWire(reader, server.presence.isOnline(reader.app, reader.id)) }
}

function lastRead({ last_read_message_id }: { last_read_message_id: string | null }) {
  return last_read_message_id === null ? {} : { last_read_message_id }
}
