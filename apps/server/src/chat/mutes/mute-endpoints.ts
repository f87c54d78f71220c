import {
  MuteAnswer,
  MuteChannelAnswer,
  MuteChannelRequest,
  MuteRequest,
  UnmuteAnswer,
} from '@parley/protocol/moderation'
import { MuteUsersRequest } from '@parley/protocol/review'
import { Done } from '@parley/protocol/wire'
import { ChatError, inputError } from '../../platform/chat-error.ts'
import type { Server } from '../../server.ts'
import { actingUser, type Caller } from '../api/caller.ts'
import { type Endpoint, endpoint } from '../api/endpoint.ts'
import { accessChannels } from '../channels/channel-access.ts'
import { muteChannels, muteUsers, unmuteChannels, unmuteUsers } from './mute.ts'

const V2 = '/api/v2/moderation'

const mute = endpoint(
  { name: 'Mute', method: 'POST', path: '/moderation/mute', body: MuteRequest, answer: MuteAnswer, status: 201 },
  async ({ caller, body }, server) => {
    const several = named('target_id', body.target_id, 'target_ids', body.target_ids)
    const targets = body.target_id ?? several
    const { mutes, ownUser, missing } = await muteUsers(server, caller, actingUser(caller), targets, body.timeout)
    return {
      ...(body.target_ids ? { mutes } : { mute: mutes[0]! }),
      own_user: ownUser,
      ...(missing.length > 0 && { non_existing_users: missing }),
    }
  },
)

const muteToo = endpoint(
  { name: 'MuteUsers', method: 'POST', path: `${V2}/mute`, body: MuteUsersRequest, answer: MuteAnswer, status: 201 },
  async ({ caller, body }, server) => {
    const targets = [...new Set(body.target_ids)]
    const { mutes, ownUser, missing } = await muteUsers(server, caller, actingUser(caller), targets, body.timeout)
    return { mutes, own_user: ownUser, ...(missing.length > 0 && { non_existing_users: missing }) }
  },
)

const unmuteToo = endpoint(
  {
    name: 'UnmuteUsers',
    method: 'POST',
    path: `${V2}/unmute`,
    body: MuteUsersRequest,
    answer: UnmuteAnswer,
    status: 201,
  },
  async ({ caller, body }, server) => {
    const { missing } = await unmuteUsers(server, caller, actingUser(caller), [...new Set(body.target_ids)])
    return missing.length > 0 ? { non_existing_users: missing } : {}
  },
)

const unmute = endpoint(
  { name: 'Unmute', method: 'POST', path: '/moderation/unmute', body: MuteRequest, answer: UnmuteAnswer, status: 201 },
  async ({ caller, body }, server) => {
    const several = named('target_id', body.target_id, 'target_ids', body.target_ids)
    const { missing } = await unmuteUsers(server, caller, actingUser(caller), body.target_id ?? several)
    return missing.length > 0 ? { non_existing_users: missing } : {}
  },
)

const muteChannel = endpoint(
  {
    name: 'MuteChannel',
    method: 'POST',
    path: '/moderation/mute/channel',
    body: MuteChannelRequest,
    answer: MuteChannelAnswer,
    status: 201,
  },
  async ({ caller, body }, server) => {
    const cids = await mutableChannels(server, caller, body)
    const { mutes, ownUser } = await muteChannels(server, actingUser(caller), cids, body.expiration)
    return { channel_mute: mutes[0]!, ...(body.channel_cids && { channel_mutes: mutes }), own_user: ownUser }
  },
)

const unmuteChannel = endpoint(
  {
    name: 'UnmuteChannel',
    method: 'POST',
    path: '/moderation/unmute/channel',
    body: MuteChannelRequest,
    answer: Done,
    status: 201,
  },
  async ({ caller, body }, server) => {
    await unmuteChannels(server, actingUser(caller), await mutableChannels(server, caller, body))
    return {}
  },
)

async function mutableChannels(server: Server, caller: Caller, body: MuteChannelRequest): Promise<string[]> {
  const cids = named('channel_cid', body.channel_cid, 'channel_cids', body.channel_cids)
  for (const { config } of await accessChannels(server, caller, cids, 'mute-channel'))
    if (!config.mutes)
      throw new ChatError('ChannelFeatureNotSupportedError', `mutes are turned off in channels of type ${config.name}`)
  return cids
}

/** One id or several, without duplicates. */
function named(oneField: string, one: string | undefined, manyField: string, many: string[] | undefined): string[] {
  if ((one === undefined) === (many === undefined))
    throw inputError(oneField, `either ${oneField} or ${manyField} must be set`)
  return [...new Set(many ?? [one!])]
}

export const muteEndpoints: Endpoint[] = [mute, unmute, muteChannel, unmuteChannel, muteToo, unmuteToo]
