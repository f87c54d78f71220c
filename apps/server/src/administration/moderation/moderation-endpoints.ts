import { splitCid } from '@parley/protocol/cid'
import {
  BanRequest,
  BansAnswer,
  FlagAnswer,
  FlagReportAnswer,
  FlagReportsAnswer,
  FlagRequest,
  FlagsAnswer,
  FutureBansAnswer,
  MuteAnswer,
  MuteChannelAnswer,
  MuteChannelRequest,
  MuteRequest,
  QueryBannedUsersPayload,
  QueryFlagReportsRequest,
  QueryFutureBansPayload,
  QueryMessageFlagsPayload,
  ReviewFlagReportRequest,
  UnbanQuery,
  UnmuteAnswer,
} from '@parley/protocol/moderation'
import { LiftBanQuery, LiftBanRequest, MuteUsersRequest } from '@parley/protocol/review'
import { Done } from '@parley/protocol/wire'
import type { Static } from 'typebox'
import { banUser, checkMayBan, type Scope, unbanUser } from '../../chat/bans/ban.ts'
import { allowFutureChannels, queryFutureBans } from '../../chat/bans/future-bans.ts'
import { queryBannedUsers } from '../../chat/bans/query-banned.ts'
import { accessChannel, accessChannels } from '../../chat/channels/channel-access.ts'
import { muteChannels, muteUsers, unmuteChannels, unmuteUsers } from '../../chat/mutes/mute.ts'
import { ChatError, inputError } from '../../platform/chat-error.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import { actingUser, type Caller } from '../../platform/http/caller.ts'
import { type Call, type Endpoint, endpoint } from '../../platform/http/endpoint.ts'
import { isTrue } from '../../platform/http/yes-or-no.ts'
import type { Server } from '../../server.ts'
import { teamsOf } from '../review/entities.ts'
import { isOfOwnTeams } from '../review/review-access.ts'
import { flag, queryMessageFlags, unflag } from './flag.ts'
import { queryFlagReports, reviewFlagReport } from './flag-report.ts'

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

const flagging = endpoint(
  { name: 'Flag', method: 'POST', path: '/moderation/flag', body: FlagRequest, answer: FlagAnswer, status: 201 },
  async ({ caller, body }, server) => ({ flag: await flag(server, caller, actingUser(caller), body) }),
)

const unflagging = endpoint(
  { name: 'Unflag', method: 'POST', path: '/moderation/unflag', body: FlagRequest, answer: FlagAnswer },
  async ({ caller, body }, server) => ({ flag: await unflag(server, caller, actingUser(caller), body) }),
)

const queryFlags = endpoint(
  {
    name: 'QueryMessageFlags',
    method: 'GET',
    path: '/moderation/flags/message',
    payload: QueryMessageFlagsPayload,
    answer: FlagsAnswer,
  },
  async ({ caller, query }, server) => ({ flags: await queryMessageFlags(server, caller, query) }),
)

const queryReports = endpoint(
  {
    name: 'QueryFlagReports',
    method: 'POST',
    path: '/moderation/reports',
    body: QueryFlagReportsRequest,
    answer: FlagReportsAnswer,
    status: 201,
  },
  async ({ caller, body }, server) => ({ flag_reports: await queryFlagReports(server, caller, body) }),
)

const reviewReport = endpoint(
  {
    name: 'ReviewFlagReport',
    method: 'PATCH',
    path: '/moderation/reports/:id',
    body: ReviewFlagReportRequest,
    answer: FlagReportAnswer,
  },
  async ({ caller, params, body }, server) => ({
    flag_report: await reviewFlagReport(server, caller, params.id!, body),
  }),
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

export const moderationEndpoints: Endpoint[] = [
  ban,
  unban,
  queryBanned,
  queryFuture,
  flagging,
  unflagging,
  queryFlags,
  queryReports,
  reviewReport,
  mute,
  unmute,
  muteChannel,
  unmuteChannel,
  banToo,
  unbanToo,
  muteToo,
  unmuteToo,
]
