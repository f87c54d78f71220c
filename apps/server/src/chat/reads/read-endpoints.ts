import {
  MarkChannelsReadRequest,
  MarkDeliveredRequest,
  MarkReadRequest,
  MarkUnreadRequest,
  UnreadAnswer,
  UnreadBatchAnswer,
  UnreadBatchRequest,
} from '@parley/protocol/reads'
import { answer, Done } from '@parley/protocol/wire'
import Type from 'typebox'
import { isoOf } from '../../platform/micros.ts'
import { actingUser, namedUser } from '../api/caller.ts'
import { type Endpoint, endpoint } from '../api/endpoint.ts'
import { accessChannel, accessChannels, readableAmong } from '../channels/channel-access.ts'
import { markThreadRead, markThreadUnread } from '../threads/mark-thread-read.ts'
import { accessThreadIn } from '../threads/thread-access.ts'
import { threadTotals } from '../threads/thread-totals.ts'
import { userWire } from '../users/user-wire.ts'
import { markDelivered } from './mark-delivered.ts'
import { markChannelsRead, markRead, markUnread, unreadCids } from './mark-read.ts'
import { unreadCounts } from './unread-counts.ts'

const eventOrNull = Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()])

const read = endpoint(
  {
    name: 'MarkRead',
    method: 'POST',
    path: '/channels/:type/:id/read',
    body: MarkReadRequest,
    answer: answer({ event: eventOrNull }),
    status: 201,
  },
  async ({ caller, params, body }, server) => {
    const access = await accessChannel(server, caller, { type: params.type!, id: params.id! }, 'read-channel')
    if (body.thread_id !== undefined) {
      const { parent } = await accessThreadIn(server, caller, access, body.thread_id)
      return { event: await markThreadRead(server, access, actingUser(caller), parent) }
    }
    return { event: await markRead(server, access, actingUser(caller), body.message_id) }
  },
)

const unread = endpoint(
  {
    name: 'MarkUnread',
    method: 'POST',
    path: '/channels/:type/:id/unread',
    body: MarkUnreadRequest,
    answer: Done,
    status: 201,
  },
  async ({ caller, params, body }, server) => {
    const access = await accessChannel(server, caller, { type: params.type!, id: params.id! }, 'read-channel')
    if (body.thread_id !== undefined) {
      const { thread } = await accessThreadIn(server, caller, access, body.thread_id)
      await markThreadUnread(server, access, actingUser(caller), thread)
      return {}
    }
    await markUnread(server, access, actingUser(caller), {
      messageId: body.message_id,
      timestamp: body.message_timestamp,
    })
    return {}
  },
)

const readMany = endpoint(
  {
    name: 'MarkChannelsRead',
    method: 'POST',
    path: '/channels/read',
    body: MarkChannelsReadRequest,
    answer: answer({ event: Type.Optional(eventOrNull) }),
    status: 201,
  },
  async ({ caller, body }, server) => {
    const reader = namedUser(caller)
    const named = body.read_by_channel ?? {}
    const all = Object.keys(named).length === 0
    // When all channels are meant, those the user may not read are left out; a named one makes the call fail.
    const accesses = all
      ? (await readableAmong(server, caller, await unreadCids(server, caller.app.id, reader.id))).values()
      : await accessChannels(server, caller, Object.keys(named), 'read-channel')
    const marks = [...accesses].map((access) => ({ access, messageId: named[access.channel.cid] || undefined }))
    await markChannelsRead(server, marks, reader, { gone: all ? 'left out' : 'refused' })
    if (!all) return {}
    const now = server.clock.micros()
    const event = {
      type: 'notification.mark_read',
      created_at: isoOf(now),
      user: userWire(reader, server.presence.isOnline(caller.app.id, reader.id)),
    }
    const { read, dialect } = server.database
    const threads = (await threadTotals(read, dialect, caller.app, [reader.id]))(reader.id)
    server.hub.publish([
      {
        app: caller.app.id,
        cid: null,
        seq: 0,
        at: now,
        personal: [{ users: [reader.id], body: JSON.stringify(event), totals: true, threads }],
      },
    ])
    return { event: { ...event, ...threads } }
  },
)

const delivered = endpoint(
  {
    name: 'MarkDelivered',
    method: 'POST',
    path: '/channels/delivered',
    body: MarkDeliveredRequest,
    answer: Done,
    status: 201,
  },
  async ({ caller, body }, server) => {
    await markDelivered(server, caller, namedUser(caller), body.latest_delivered_messages)
    return {}
  },
)

const counts = endpoint(
  {
    name: 'UnreadCounts',
    method: 'GET',
    path: '/unread',
    query: Type.Object({ user_id: Type.Optional(Type.String()) }),
    answer: UnreadAnswer,
  },
  async ({ caller }, server) => {
    const { id } = namedUser(caller)
    return (await unreadCounts(server, caller.app.id, [id]))(id)
  },
)

const batch = endpoint(
  {
    name: 'UnreadCountsBatch',
    method: 'POST',
    path: '/unread_batch',
    body: UnreadBatchRequest,
    answer: UnreadBatchAnswer,
    serverOnly: true,
    status: 201,
  },
  async ({ caller, body }, server) => {
    const app = caller.app.id
    const known = [...(await server.users.getAll(app, body.user_ids)).keys()]
    const countsOf = await unreadCounts(server, app, known)
    return { counts_by_user: Object.fromEntries(known.map((id) => [id, countsOf(id)])) }
  },
)

export const readEndpoints: Endpoint[] = [read, unread, readMany, delivered, counts, batch]
