import { splitCid } from '@parley/protocol/cid'
import {
  BanRequest,
  BansAnswer,
  FutureBansAnswer,
  QueryBannedUsersPayload,
  QueryFutureBansPayload,
  UnbanQuery,
} from '@parley/protocol/moderation'
import { LiftBanQuery, LiftBanRequest } from '@parley/protocol/review'
import { Done } from '@parley/protocol/wire'
import type { Static } from 'typebox'
import { ChatError, inputError } from '../../platform/chat-error.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import { isTrue } from '../../platform/http/query-flag.ts'
import type { Server } from '../../server.ts'
import { actingUser, type Caller } from '../api/caller.ts'
import { type Call, type Endpoint, endpoint } from '../api/endpoint.ts'
import { accessChannel } from '../channels/channel-access.ts'
import { isOfOwnTeams, teamsOf } from '../users/teams.ts'
import { banUser, checkMayBan, type Scope, unbanUser } from './ban.ts'
import { allowFutureChannels, queryFutureBans } from './future-bans.ts'
import { queryBannedUsers } from './query-banned.ts'

const V2 = '/api/v2/moderation'

const ban = endpoint(
  { name: 'Ban', method: 'POST', path: '/moderation/ban', body: BanRequest, answer: Done, status: 201 },
  banning,
)

/** Version 2 uses the same bans and mutes [MOD2-13]. */
const banToo = endpoint(
  { name: 'BanUser', method: 'POST', path: `${V2}/ban`, body: BanRequest, answer: Done, status: 201 },
  banning,
)

async function banning({ caller, body }: Call<Static<typeof BanRequest>, unknown>, server: Server) {
  const by = await bannedBy(server, caller, 'banned_by_id', body.banned_by_id ?? body.banned_by?.id)
  const scope = await scopeOf(server, caller, body)
  if (!caller.server) await checkMayBan(server, scope, by)
  await checkOwnTeams(server, caller, scope, body.target_user_id)
  await banUser(server, scope, body.target_user_id, by, {
    minutes: body.timeout,
    reason: body.reason,
    shadow: body.shadow === true,
    fromFutureChannels: body.ban_from_future_channels === true,
    withAddresses: body.ip_ban === true,
    deletes: body.delete_messages || undefined,
  })
  return {}
}

const unban = endpoint(
  { name: 'Unban', method: 'DELETE', path: '/moderation/ban', query: UnbanQuery, answer: Done },
  async ({ caller, query }, server) => {
    const scope = await scopeOf(server, caller, query)
    if (!caller.server) await checkMayBan(server, scope, actingUser(caller))
    await checkOwnTeams(server, caller, scope, query.target_user_id)
    if (isTrue('remove_future_channels_ban', query.remove_future_channels_ban))
      await allowFutureChannels(
        server,
        scope.app,
        await bannedBy(server, caller, 'created_by', query.created_by),
        query.target_user_id,
      )
    await unbanUser(server, scope, query.target_user_id, caller.user)
    return {}
  },
)

/** The same as POST: the ban is named in the path, and the user who lifts it in the body. */
const unbanToo = endpoint(
  {
    name: 'UnbanUser',
    method: 'POST',
    path: `${V2}/unban`,
    query: LiftBanQuery,
    body: LiftBanRequest,
    answer: Done,
    status: 201,
  },
  async ({ caller, query, body }, server) => {
    const { target_user_id, channel_cid = '', created_by } = query
    const scope = await scopeOf(server, caller, { channel_cid })
    if (!caller.server) await checkMayBan(server, scope, actingUser(caller))
    await checkOwnTeams(server, caller, scope, target_user_id)
    const lifter = body.unbanned_by_id ?? body.unbanned_by?.id ?? created_by
    const named = caller.server && lifter !== undefined ? await server.users.get(scope.app, lifter) : undefined
    await unbanUser(server, scope, target_user_id, named ?? caller.user)
    return {}
  },
)

const queryBanned = endpoint(
  {
    name: 'QueryBannedUsers',
    method: 'GET',
    path: '/query_banned_users',
    payload: QueryBannedUsersPayload,
    answer: BansAnswer,
  },
  async ({ caller, query }, server) => ({ bans: await queryBannedUsers(server, caller, query) }),
)

const queryFuture = endpoint(
  {
    name: 'QueryFutureChannelBans',
    method: 'GET',
    path: '/query_future_channel_bans',
    payload: QueryFutureBansPayload,
    answer: FutureBansAnswer,
  },
  async ({ caller, query }, server) => queryFutureBans(server, caller, query),
)

/** @throws ChatError InputError (4) — the app's server names no user, or one that does not exist */
async function bannedBy(server: Server, caller: Caller, field: string, id: string | undefined): Promise<UserRow> {
  if (!caller.server || !id) return actingUser(caller)
  const named = await server.users.get(caller.app.id, id)
  if (!named) throw inputError(field, `could not find user ${id}`)
  return named
}

/**
 * Moderators can moderate users of their teams; in a channel, every user there.
 *
 * @throws ChatError DoesNotExistError (16)
 */
async function checkOwnTeams(server: Server, caller: Caller, { app, access }: Scope, targetId: string) {
  if (access) return
  const target = await server.users.get(app, targetId)
  if (target && !isOfOwnTeams(caller, teamsOf(target)))
    throw new ChatError('DoesNotExistError', `Can't find user with id ${targetId}`)
}

async function scopeOf(
  server: Server,
  caller: Caller,
  { type, id, channel_cid }: { type?: string; id?: string; channel_cid?: string },
): Promise<Scope> {
  const app = caller.app.id
  const named = channel_cid ? splitCid(channel_cid) : { type: type ?? '', id: id ?? '' }
  if (named.type === '' && named.id === '') return { app, access: undefined }
  return { app, access: await accessChannel(server, caller, named, 'read-channel') }
}

export const banEndpoints: Endpoint[] = [ban, unban, queryBanned, queryFuture, banToo, unbanToo]
