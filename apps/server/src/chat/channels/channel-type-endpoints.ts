import {
  ChannelTypeAnswer,
  ChannelTypesAnswer,
  CreateChannelTypeRequest,
  UpdateChannelTypeRequest,
  type ChannelType as Wire,
} from '@parley/protocol/channel-types'
import { Done } from '@parley/protocol/wire'
import type { Caller } from '../api/caller.ts'
import { type Endpoint, endpoint } from '../api/endpoint.ts'
import type { ChannelType } from '../apps/app.ts'
import { createChannelType, deleteChannelType, existing, updateChannelType } from './change-channel-types.ts'
import { channelTypeWire } from './channel-type-wire.ts'

const path = '/channeltypes/:name'

const list = endpoint(
  { name: 'ListChannelTypes', method: 'GET', path: '/channeltypes', answer: ChannelTypesAnswer },
  async ({ caller }) => ({
    channel_types: Object.fromEntries([...caller.app.types.values()].map((type) => [type.name, seenBy(caller, type)])),
  }),
)

const get = endpoint(
  { name: 'GetChannelType', method: 'GET', path, answer: ChannelTypeAnswer },
  async ({ caller, params }) => seenBy(caller, existing(caller.app, params.name!)),
)

const create = endpoint(
  {
    name: 'CreateChannelType',
    method: 'POST',
    path: '/channeltypes',
    body: CreateChannelTypeRequest,
    answer: ChannelTypeAnswer,
    serverOnly: true,
    status: 201,
  },
  async ({ caller, body }, server) => channelTypeWire(await createChannelType(server, caller.app, body), 'names'),
)

const update = endpoint(
  {
    name: 'UpdateChannelType',
    method: 'PUT',
    path,
    body: UpdateChannelTypeRequest,
    answer: ChannelTypeAnswer,
    serverOnly: true,
  },
  async ({ caller, params, body }, server) =>
    channelTypeWire(await updateChannelType(server, caller.app, params.name!, body), 'names'),
)

const remove = endpoint(
  { name: 'DeleteChannelType', method: 'DELETE', path, answer: Done, serverOnly: true },
  async ({ caller, params }, server) => {
    await deleteChannelType(server, caller.app, params.name!)
    return {}
  },
)

/** Only the app's server sees grants [administration.md 2.1]. */
function seenBy({ server }: Caller, type: ChannelType): Wire {
  return server ? channelTypeWire(type, 'whole') : type.shown
}

export const channelTypeEndpoints: Endpoint[] = [list, get, create, update, remove]
