import { ChannelBatchRequest } from '@parley/protocol/channel-batches'
import {
  ChannelAnswer,
  ChannelStateAnswer,
  ChannelsAnswer,
  DeleteChannelsAnswer,
  DeleteChannelsRequest,
  GetChannelQuery,
  QueryChannelRequest,
  QueryChannelsRequest,
  TruncateChannelAnswer,
  TruncateChannelRequest,
  UpdateChannelAnswer,
  UpdateChannelPartialRequest,
  UpdateChannelRequest,
} from '@parley/protocol/channels'
import { MEMBERS_PAGE_MAX, MESSAGES_PAGE, MESSAGES_PAGE_MAX } from '@parley/protocol/limits'
import { TaskBegun } from '@parley/protocol/users'
import { Done } from '@parley/protocol/wire'
import Type from 'typebox'
import { isTrue } from '../../platform/http/query-flag.ts'
import { whole } from '../../platform/http/whole-number.ts'
import type { Server } from '../../server.ts'
import { created, type Endpoint, endpoint, written } from '../api/endpoint.ts'
import { mayWatch } from '../members/blocked.ts'
import { hideChannel } from '../members/hide-channel.ts'
import { membersNamed } from '../members/members-of-channels.ts'
import { horizonOf } from '../messages/message-access.ts'
import { pageOf } from '../messages/pages.ts'
import { updateChannels } from './batch-update.ts'
import { type Access, accessChannel } from './channel-access.ts'
import { channelStates, STATE_END, statePieces, type WrittenState } from './channel-states.ts'
import { channelByCid } from './channel-store.ts'
import { accessToDelete, deleteChannel, deleteChannels } from './delete-channel.ts'
import { getOrCreateChannel } from './get-or-create.ts'
import { filledQuery } from './predefined-filter.ts'
import { queryChannels } from './query-channels.ts'
import { truncateChannel } from './truncate-channel.ts'
import { updateChannel, updateChannelPartial } from './update-channel.ts'

/** Presence subscriptions per channel query [messaging.md 2.6]. */
const PRESENCE_PER_CHANNEL = 10

const query = endpoint(
  {
    name: 'QueryChannels',
    method: 'POST',
    path: '/channels',
    body: QueryChannelsRequest,
    answer: ChannelsAnswer,
    status: 201,
  },
  async ({ caller, body }, server) => {
    const connection = body.watch || body.presence ? server.live.of(caller) : undefined
    const asked = filledQuery(caller.app, body)
    const { channels: found, own } = await queryChannels(server, caller, asked)
    const cids = found.map((channel) => channel.cid)
    if (connection && body.watch) await connection.watch(cids.filter((cid) => mayWatch(own.get(cid))))
    const read = await channelStates(server, caller, found, {
      state: body.state === true,
      // Reads after the watch began: events in between reach the socket, so no event is lost.
      again: connection !== undefined && body.watch === true,
      messageLimit: body.message_limit ?? MESSAGES_PAGE,
      members: { limit: body.member_limit ?? 100, offset: 0 },
    })
    // A user removed while the watch began was not yet registered, so the removal could not stop the watch.
    const isLeft = ({ state }: WrittenState) => own.has(state.channel.cid) && !state.membership
    const states = read.filter((one) => !isLeft(one))
    if (connection && body.watch)
      for (const { state } of read.filter(isLeft)) await connection.unwatch(state.channel.cid)
    if (connection && body.presence)
      await connection.follow(states.flatMap(({ state }) => state.members.map((member) => member.user_id)))
    const { filter_conditions: filter = {}, sort = [] } = asked
    const named = body.predefined_filter && { name: body.predefined_filter, filter, sort }
    const predefined = named ? `,"predefined_filter":${JSON.stringify(named)}` : ''
    return written(
      ['{"channels":[', ...states.flatMap((state, i) => [i === 0 ? '' : ',', ...statePieces(state), STATE_END])],
      `]${predefined}}`,
    )
  },
)

const getOrCreate = (path: string): Endpoint =>
  endpoint(
    {
      name: 'GetOrCreateChannel',
      method: 'POST',
      path,
      body: QueryChannelRequest,
      v2Defaults: { state: true },
      answer: ChannelStateAnswer,
    },
    async ({ caller, params, body }, server) => {
      const connection = body.watch || body.presence ? server.live.of(caller) : undefined
      const { access, created: isNew } = await getOrCreateChannel(
        server,
        caller,
        params.type!,
        params.id,
        body.data ?? {},
      )
      const { app, cid } = access.channel
      if (isNew && body.hide_for_creator) await hideForCreator(server, access)
      if (connection && body.watch && mayWatch(access.member)) await connection.watch([cid])

      const state = body.state === true
      const messageLimit = body.messages?.limit ?? MESSAGES_PAGE
      const paged = body.messages && Object.keys(body.messages).some((key) => key !== 'limit')
      const pages =
        state && paged
          ? new Map([[cid, await pageOf(server, { app, cid }, body.messages ?? {}, horizonOf(access))]])
          : undefined
      // The cache serves access checks only. The response reads the database, since counters change on other nodes too.
      const channel = (await channelByCid(server.database.read, app, cid)) ?? access.channel
      const [answered] = await channelStates(server, caller, [channel], {
        state,
        messageLimit,
        ...(pages && { pages }),
        members: { limit: body.members?.limit ?? 100, offset: body.members?.offset ?? 0 },
        watchers: { limit: body.watchers?.limit ?? 100, offset: body.watchers?.offset ?? 0 },
      })
      // A user removed while the watch began, or whose channel was deleted, was not yet registered, so stop the watch
      // here.
      if (channel.deleted_at !== null || (access.member && !answered!.state.membership)) {
        await connection?.unwatch(cid)
        await accessChannel(server, caller, channel, 'read-channel')
        // Non-members may open it, too.
        if (connection && body.watch) await connection.watch([cid])
      }
      if (connection && body.presence)
        await connection.follow(answered!.state.members.slice(0, PRESENCE_PER_CHANNEL).map((member) => member.user_id))
      const pieces = statePieces(answered!)
      return isNew ? created(written(pieces, STATE_END)) : written(pieces, STATE_END)
    },
  )

/** Hides a new channel for its creator, whom the app's server may have named [CHN-22]. */
async function hideForCreator(server: Server, access: Access) {
  const { app, cid, created_by } = access.channel
  const [creator] = await membersNamed(server, app, [{ cid, user_id: created_by }])
  const user = creator && (await server.users.get(app, created_by))
  if (user) await hideChannel(server, access, user, { clearHistory: false })
}

const get = endpoint(
  {
    name: 'GetChannel',
    method: 'GET',
    path: '/channels/:type/:id',
    query: GetChannelQuery,
    answer: ChannelStateAnswer,
  },
  async ({ caller, params, query }, server) => {
    const { channel, member } = await accessChannel(
      server,
      caller,
      { type: params.type!, id: params.id! },
      'read-channel',
    )
    const messageLimit = whole('message_limit', query.message_limit, MESSAGES_PAGE, 0, MESSAGES_PAGE_MAX)
    const memberLimit = whole('member_limit', query.member_limit, MEMBERS_PAGE_MAX, 0, MEMBERS_PAGE_MAX)
    // The cache serves access checks only: counters change on other nodes too.
    const stored = (await channelByCid(server.database.read, channel.app, channel.cid)) ?? channel
    const [answered] = await channelStates(server, caller, [stored], {
      state: query.state === undefined || isTrue('state', query.state),
      messageLimit,
      members: { limit: memberLimit, offset: 0 },
      watchers: { limit: 100, offset: 0 },
    })
    // Another node may have deleted it, or removed the caller.
    if (stored.deleted_at !== null || (member && !answered!.state.membership))
      await accessChannel(server, caller, stored, 'read-channel')
    return written(statePieces(answered!), STATE_END)
  },
)

const update = endpoint(
  {
    name: 'UpdateChannel',
    method: 'POST',
    path: '/channels/:type/:id',
    body: UpdateChannelRequest,
    answer: UpdateChannelAnswer,
    status: 201,
  },
  async ({ caller, params, body }, server) => {
    const access = await accessChannel(server, caller, { type: params.type!, id: params.id! }, 'read-channel')
    return updateChannel(server, caller, access, body)
  },
)

const updatePartial = endpoint(
  {
    name: 'UpdateChannelPartial',
    method: 'PATCH',
    path: '/channels/:type/:id',
    body: UpdateChannelPartialRequest,
    answer: UpdateChannelAnswer,
  },
  async ({ caller, params, body }, server) => {
    const access = await accessChannel(server, caller, { type: params.type!, id: params.id! }, 'read-channel')
    return updateChannelPartial(server, caller, access, body)
  },
)

const remove = endpoint(
  {
    name: 'DeleteChannel',
    method: 'DELETE',
    path: '/channels/:type/:id',
    query: Type.Object({ hard_delete: Type.Optional(Type.String()) }),
    answer: ChannelAnswer,
  },
  async ({ caller, params, query }, server) => {
    const hard = isTrue('hard_delete', query.hard_delete)
    const access = await accessToDelete(server, caller, { type: params.type!, id: params.id! }, { hard })
    return { channel: await deleteChannel(server, access, { hard }) }
  },
)

const removeSeveral = endpoint(
  {
    name: 'DeleteChannels',
    method: 'POST',
    path: '/channels/delete',
    body: DeleteChannelsRequest,
    answer: DeleteChannelsAnswer,
    status: 201,
  },
  async ({ caller, body }, server) => {
    const { taskId, results } = await deleteChannels(server, caller, body.cids, { hard: body.hard_delete === true })
    return { task_id: taskId, result: results }
  },
)

const truncate = endpoint(
  {
    name: 'TruncateChannel',
    method: 'POST',
    path: '/channels/:type/:id/truncate',
    body: TruncateChannelRequest,
    answer: TruncateChannelAnswer,
    status: 201,
  },
  async ({ caller, params, body }, server) => {
    const access = await accessChannel(server, caller, { type: params.type!, id: params.id! }, 'truncate-channel')
    return truncateChannel(server, caller, access, body)
  },
)

const stopWatching = endpoint(
  {
    name: 'StopWatchingChannel',
    method: 'POST',
    path: '/channels/:type/:id/stop-watching',
    body: Type.Object({}),
    answer: Done,
    status: 201,
  },
  async ({ caller, params }, server) => {
    const { channel } = await accessChannel(server, caller, { type: params.type!, id: params.id! }, 'read-channel')
    await server.live.of(caller).unwatch(channel.cid)
    return {}
  },
)

const updateMany = endpoint(
  {
    name: 'ChannelBatchUpdate',
    method: 'PUT',
    path: '/channels/batch',
    body: ChannelBatchRequest,
    answer: TaskBegun,
    serverOnly: true,
  },
  async ({ caller, body }, server) => ({ task_id: await updateChannels(server, caller.app, body) }),
)

export const channelEndpoints: Endpoint[] = [
  query,
  getOrCreate('/channels/:type/query'),
  getOrCreate('/channels/:type/:id/query'),
  get,
  update,
  updatePartial,
  updateMany,
  remove,
  removeSeveral,
  truncate,
  stopWatching,
]
