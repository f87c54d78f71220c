import { HideChannelRequest } from '@parley/protocol/channels'
import {
  QueryMembersAnswer,
  QueryMembersPayload,
  UpdateMemberAnswer,
  UpdateMemberRequest,
} from '@parley/protocol/members'
import { actor, Done } from '@parley/protocol/wire'
import Type from 'typebox'
import { ChatError, inputError } from '../../platform/chat-error.ts'
import { actingUser } from '../api/caller.ts'
import { type Endpoint, endpoint } from '../api/endpoint.ts'
import { accessChannel } from '../channels/channel-access.ts'
import { idOfDistinct } from '../channels/get-or-create.ts'
import { hideChannel, showChannel } from './hide-channel.ts'
import { queryMembers } from './query-members.ts'
import { updateMemberPartial } from './update-member.ts'

/** The path without a user id means the caller. */
const updatePartial = (path: string): Endpoint =>
  endpoint(
    { name: 'UpdateMemberPartial', method: 'PATCH', path, body: UpdateMemberRequest, answer: UpdateMemberAnswer },
    async ({ caller, params, body }, server) => {
      const access = await accessChannel(server, caller, { type: params.type!, id: params.id! }, 'read-channel')
      const userId = params.userId ?? actingUser(caller).id
      return { channel_member: await updateMemberPartial(server, caller, access, userId, body) }
    },
  )

const hide = endpoint(
  {
    name: 'HideChannel',
    method: 'POST',
    path: '/channels/:type/:id/hide',
    body: HideChannelRequest,
    answer: Done,
    status: 201,
  },
  async ({ caller, params, body }, server) => {
    const access = await accessChannel(server, caller, { type: params.type!, id: params.id! }, 'read-channel')
    await hideChannel(server, access, actingUser(caller), { clearHistory: body.clear_history === true })
    return {}
  },
)

const show = endpoint(
  {
    name: 'ShowChannel',
    method: 'POST',
    path: '/channels/:type/:id/show',
    body: Type.Object(actor),
    answer: Done,
    status: 201,
  },
  async ({ caller, params }, server) => {
    const access = await accessChannel(server, caller, { type: params.type!, id: params.id! }, 'read-channel')
    await showChannel(server, access, actingUser(caller))
    return {}
  },
)

const query = endpoint(
  { name: 'QueryMembers', method: 'GET', path: '/members', payload: QueryMembersPayload, answer: QueryMembersAnswer },
  async ({ caller, query }, server) => {
    const { type, members = [] } = query
    if (query.id === undefined && members.length === 0) throw inputError('id', 'either id or members must be set')
    const named = members.map((member) => (typeof member === 'string' ? member : member.user_id))
    const id = query.id ?? (await idOfDistinct(server, caller.app.id, type, named))
    if (id === undefined) throw new ChatError('DoesNotExistError', `Can't find a ${type} channel of these members`)
    const access = await accessChannel(server, caller, { type, id }, 'read-channel-members')
    return { members: await queryMembers(server, access, query) }
  },
)

export const memberEndpoints: Endpoint[] = [
  query,
  updatePartial('/channels/:type/:id/member/:userId'),
  updatePartial('/channels/:type/:id/member'),
  hide,
  show,
]
