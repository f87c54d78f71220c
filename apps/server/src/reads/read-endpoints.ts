import { splitCid } from '@parley/protocol/cid'
import { UNREAD_CHANNELS_LISTED } from '@parley/protocol/limits'
import { MarkChannelsReadRequest, MarkReadRequest, MarkUnreadRequest, UnreadAnswer } from '@parley/protocol/reads'
import { answer, Done } from '@parley/protocol/wire'
import Type from 'typebox'
import { accessChannel } from '../channels/channel-access.ts'
import { inputError } from '../chat-error.ts'
import { actingUser } from '../http/caller.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { isoOf } from '../micros.ts'
import { userWire } from '../users/user-wire.ts'
import { unreadOf } from './counting.ts'
import { markRead, markUnread, unreadCids } from './mark-read.ts'
import { readsOfUser } from './read-store.ts'

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
    if (body.thread_id !== undefined) throw inputError('thread_id', 'threads have no read state of their own yet')
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
    const reader = actingUser(caller)
    const named = body.read_by_channel ?? {}
    const all = Object.keys(named).length === 0
    const cids = all ? await unreadCids(server, caller.app.id, reader.id) : Object.keys(named)
    for (const cid of cids) {
      const access = await accessChannel(server, caller, splitCid(cid), 'read-channel')
      await markRead(server, access, reader, named[cid] || undefined)
    }
    if (!all) return {}
    const now = server.clock.now() * 1000
    const event = {
      type: 'notification.mark_read',
      created_at: isoOf(now),
      user: userWire(reader, server.presence.isOnline(caller.app.id, reader.id)),
      unread_threads: 0,
      unread_thread_messages: 0,
    }
    server.hub.publish([
      {
        app: caller.app.id,
        cid: null,
        seq: 0,
        at: now,
        personal: [{ users: [reader.id], body: JSON.stringify(event), totals: true }],
      },
    ])
    return { event }
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
    const reader = actingUser(caller)
    const rows = await readsOfUser(server.database.read, server.database.dialect, caller.app.id, reader.id)
    const channels = rows
      .map((row) => ({ cid: row.cid, type: row.type, unread: unreadOf(row), last_read: isoOf(row.last_read) }))
      .filter((row) => row.unread > 0)
    const byType = [...Map.groupBy(channels, (channel) => channel.type)].map(([channel_type, list]) => ({
      channel_type,
      channel_count: list.length,
      unread_count: sum(list),
    }))
    return {
      total_unread_count: sum(channels),
      total_unread_threads_count: 0,
      channels: channels
        .slice(0, UNREAD_CHANNELS_LISTED)
        .map(({ cid, unread, last_read }) => ({ channel_id: cid, unread_count: unread, last_read })),
      channel_type: byType,
      threads: [],
    }
  },
)

function sum(channels: readonly { unread: number }[]): number {
  return channels.reduce((total, { unread }) => total + unread, 0)
}

export const readEndpoints: Endpoint[] = [read, unread, readMany, counts]
