import type { ChannelConfig } from '@parley/protocol/channel-types'
import { cidOf, isChannelId, isChannelType, splitCid } from '@parley/protocol/cid'
import { ChatError, inputError } from '../../platform/chat-error.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { ChannelRow, MemberRow, UserRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import type { Caller } from '../api/caller.ts'
import { type App, factsOf } from '../apps/app.ts'
import { type Assigner, refusedIn } from '../permissions/assign-role.ts'
import { notGranted } from '../permissions/demand-in-app.ts'
import { isChannelOwned } from '../permissions/permissions.ts'

/** The capabilities a pending invitation gives: reading, and messages only the invitee or moderators see [MEM-33]. */
const looking: ReadonlySet<string> = new Set([
  ...['read-channel', 'read-channel-members', 'query-votes'],
  ...['mute-channel', 'flag-message', 'remove-own-channel-membership'],
])

/** A channel together with what the caller may do in it. */
export interface Access {
  channel: ChannelRow
  config: ChannelConfig
  /** The caller's membership, an invitation included. */
  member: MemberRow | undefined
  user: UserRow | undefined
  /** Whether the caller is the app's server. */
  isServer: boolean
  /**
   * Whether the caller has a permission here. Where channel ownership matters, the creator's variant counts;
   * `update-message-owner` checks the author [administration.md 3.6]. An invitee may read. Beyond that an invitee has
   * the rights of a non-member, where a non-member could read the channel [MEM-33].
   */
  can(permission: string): boolean
}

/**
 * The only way from a client-supplied cid to a channel.
 *
 * @throws ChatError DoesNotExistError (16) — no such channel
 * @throws ChatError NotAllowedError (17) — the caller may not read it, or not use it like this
 */
export async function accessChannel(
  server: Server,
  caller: Caller,
  { type, id }: { type: string; id: string },
  permission: string,
): Promise<Access> {
  checkCid(caller.app, type, id)
  const channel = await server.channels.get(caller.app.id, cidOf(type, id))
  if (!channel || channel.deleted_at !== null) throw missing(type, id)
  return demanded(await accessTo(server, caller, channel), permission)
}

/**
 * The same for several cids; one refusal refuses all. The number of queries is constant.
 *
 * @throws ChatError as `accessChannel`
 */
export async function accessChannels(
  server: Server,
  caller: Caller,
  cids: readonly string[],
  permission: string,
): Promise<Access[]> {
  const names = cids.map(splitCid)
  for (const { type, id } of names) checkCid(caller.app, type, id)
  const accesses = await accessAmong(server, caller, cids)
  return names.map(({ type, id }) => {
    const access = accesses.get(cidOf(type, id))
    if (!access) throw missing(type, id)
    return demanded(access, permission)
  })
}

function demanded(access: Access, permission: string): Access {
  demand(access, 'read-channel')
  if (permission !== 'read-channel') demand(access, permission)
  return access
}

function missing(type: string, id: string): ChatError {
  return new ChatError('DoesNotExistError', `Can't find channel with id ${type}:${id}`)
}

/**
 * The channel of a write: it may have been deleted since the access check.
 *
 * @throws ChatError DoesNotExistError (16)
 */
export function stillThere(batch: Batch, { app, cid, type, id }: ChannelRow): ChannelRow {
  const channel = batch.channel(app, cid)
  if (!channel || channel.deleted_at !== null) throw missing(type, id)
  return channel
}

/** Whether the channel of a write was deleted after the access check. */
export function isGone(batch: Batch, { app, cid }: ChannelRow): boolean {
  return batch.channel(app, cid)?.deleted_at !== null
}

/** The channels the caller may read, by cid. The number of queries is constant. */
export async function readableAmong(
  server: Server,
  caller: Caller,
  cids: readonly string[],
): Promise<Map<string, Access>> {
  const all = await accessAmong(server, caller, cids)
  return new Map([...all].filter(([, access]) => isReadable(access)))
}

/** The caller's capabilities in each channel, readable or not, by cid; deleted channels are left out. */
export async function accessAmong(
  server: Server,
  { app, user, server: isServer }: Caller,
  cids: readonly string[],
): Promise<Map<string, Access>> {
  const channels = await server.channels.getAll(app.id, cids)
  const own = user && (await server.channels.memberships(app.id, user.id, [...channels.keys()]))
  const accesses = new Map<string, Access>()
  for (const [cid, channel] of channels)
    if (channel.deleted_at === null) accesses.set(cid, accessWith(server, channel, isServer, user, own?.get(cid)))
  return accesses
}

/** A disabled channel is closed to all but the app's server. */
export function isReadable({ can, channel }: Access): boolean {
  return can('read-channel') && (!channel.disabled || can('read-disabled-channel'))
}

/** Whether the channel is frozen and the caller has no right to write anyway [CHN-53]. */
export function isFrozen({ channel, can }: Pick<Access, 'channel' | 'can'>): boolean {
  return channel.frozen === 1 && !can('use-frozen-channel')
}

/** @throws ChatError NotAllowedError (17) — see `isFrozen` */
export function checkNotFrozen(access: Access) {
  if (isFrozen(access)) throw new ChatError('NotAllowedError', `Channel ${access.channel.cid} is frozen`)
}

/** @throws ChatError InputError (4) — the type or id has invalid characters [CHN-4, CHN-6] */
export function checkCid(app: App, type: string, id: string | undefined) {
  if (type === '') throw inputError('cid', `a channel is called <type>:<id>, not "${id}"`)
  if (!isChannelType(type)) throw inputError('type', `type "${type}" may hold letters, digits, "_" and "-" only`)
  if (id !== undefined && !isChannelId(id))
    throw inputError('id', `id "${id}" may hold letters, digits, "_", "-" and "!" only`)
  if (!app.types.has(type)) throw new ChatError('DoesNotExistError', `channel type ${type} does not exist`)
}

export async function accessTo(
  server: Server,
  { server: isServer, user, app }: Caller,
  channel: ChannelRow,
): Promise<Access> {
  const member = user && (await server.channels.member(app.id, channel.cid, user.id))
  return accessWith(server, channel, isServer, user, member)
}

/** The same for a membership that is already loaded. */
export function accessWith(
  { apps }: Server,
  channel: ChannelRow,
  isServer: boolean,
  user: UserRow | undefined,
  member: MemberRow | undefined,
): Access {
  const app = apps.of(channel.app)
  const scope = app.scopeOf(channel)
  const own = user ? [app.roleIn(user, channel.team)] : []
  const roles = user && member && member.status !== 'rejected' ? [...own, member.channel_role] : own
  const isCreator = user !== undefined && channel.created_by === user.id
  const sameTeam = user !== undefined && app.sharesTeam(user, channel.team)
  const facts = () => ({ subject: user ? factsOf(user) : {}, resource: factsOfChannel(channel) })
  const allows = (among: readonly string[], permission: string) => {
    const asOwner = permission.endsWith('-owner')
    const action = asOwner ? permission.slice(0, -'-owner'.length) : permission
    return scope.allows(among, action, { owns: asOwner || (isCreator && isChannelOwned(action)), sameTeam, facts })
  }
  const mayAll =
    isServer || (app.settings.disable_permissions_checks && user !== undefined && user.role !== 'anonymous')
  return {
    channel,
    config: app.configOf(channel),
    member,
    user,
    isServer,
    can(permission) {
      if (mayAll) return true
      if (member?.status !== 'pending' || looking.has(permission)) return allows(roles, permission)
      return allows(own, 'read-channel') && allows(own, permission)
    },
  }
}

function factsOfChannel(channel: ChannelRow): Record<string, unknown> {
  const { id, type, cid, name, image, team, created_by, member_count } = channel
  return { ...JSON.parse(channel.data), id, type, cid, name, image, team, created_by_id: created_by, member_count }
}

/**
 * A disabled channel is closed to all but the app's server, though it is still listed [messaging.md 4.13].
 *
 * @throws ChatError NotAllowedError (17)
 */
export function demand(access: Access, permission: string) {
  if (!access.can(permission)) throw notAllowed(access, permission)
  if (access.channel.disabled && !access.can('read-disabled-channel')) throw notAllowed(access, permission)
}

/** The caller as the user who assigns roles in the channel. */
export function assignerIn({ can, isServer, channel, user }: Access, { app }: Pick<Caller, 'app'>): Assigner {
  return { app, isServer, can, refusal: refusedIn(user, channel.type) }
}

export function notAllowed({ user, channel }: Access, permission: string): ChatError {
  return notGranted(user, permission, channel.type)
}
