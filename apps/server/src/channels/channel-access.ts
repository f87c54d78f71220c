import type { ChannelConfig } from '@parley/protocol/channels'
import { cidOf, isChannelId, isChannelType } from '@parley/protocol/cid'
import { ChatError, inputError } from '../chat-error.ts'
import type { ChannelRow, MemberRow, UserRow } from '../database/tables.ts'
import type { Caller } from '../http/caller.ts'
import { grantsOf } from '../permissions/grants.ts'
import type { Server } from '../server.ts'
import { channelTypeOf } from './channel-types.ts'

/** A channel together with what the caller may do in it. */
export interface Access {
  channel: ChannelRow
  config: ChannelConfig
  /** The caller's membership, an invitation included. */
  member: MemberRow | undefined
  user: UserRow | undefined
  /** Whether the caller has a permission here; owner variants count for the channel's creator. */
  can(permission: string): boolean
}

/** What each permission is called in an answer: `read-channel` → `ReadChannel`. */
const actionOf = (permission: string) => permission.replace(/(^|-)(\w)/g, (_, __, letter) => letter.toUpperCase())

/**
 * The only way from a cid that came from outside to a channel.
 *
 * @throws ChatError DoesNotExistError (16) — no such channel
 * @throws ChatError NotAllowedError (17) — it may not be read, or not used like this
 */
export async function accessChannel(
  server: Server,
  caller: Caller,
  { type, id }: { type: string; id: string },
  permission: string,
): Promise<Access> {
  checkCid(type, id)
  const channel = await server.channels.get(caller.app.id, cidOf(type, id))
  if (!channel || channel.deleted_at !== null)
    throw new ChatError('DoesNotExistError', `Can't find channel with id ${type}:${id}`)
  const access = await accessTo(server, caller, channel)
  demand(access, 'read-channel')
  if (permission !== 'read-channel') demand(access, permission)
  return access
}

/** @throws ChatError InputError (4) — the type or id has letters it cannot have [CHN-4, CHN-6] */
export function checkCid(type: string, id: string | undefined) {
  if (!isChannelType(type)) throw inputError('type', `type "${type}" may hold letters, digits, "_" and "-" only`)
  if (!channelTypeOf(type)) throw new ChatError('DoesNotExistError', `channel type ${type} does not exist`)
  if (id !== undefined && !isChannelId(id))
    throw inputError('id', `id "${id}" may hold letters, digits, "_", "-" and "!" only`)
}

export async function accessTo(
  server: Server,
  { server: isServer, user, app }: Caller,
  channel: ChannelRow,
): Promise<Access> {
  const member = user && (await server.channels.member(app.id, channel.cid, user.id))
  return accessWith(channel, isServer, user, member)
}

/** The same for a membership that is at hand. */
export function accessWith(
  channel: ChannelRow,
  isServer: boolean,
  user: UserRow | undefined,
  member: MemberRow | undefined,
): Access {
  const config = channelTypeOf(channel.type)
  if (!config) throw new ChatError('DoesNotExistError', `channel type ${channel.type} does not exist`)
  const byRole = user && grantsOf(channel.type, user.role)
  const byMembership = member && member.status !== 'rejected' ? grantsOf(channel.type, member.channel_role) : undefined
  const owner = user !== undefined && channel.created_by === user.id
  const granted = (permission: string) => Boolean(byRole?.has(permission) || byMembership?.has(permission))
  return {
    channel,
    config,
    member,
    user,
    can(permission) {
      if (isServer) return true
      return granted(permission) || (owner && granted(`${permission}-owner`))
    },
  }
}

/**
 * A disabled channel is closed to all but the server, though it is still listed [messaging.md 4.13].
 *
 * @throws ChatError NotAllowedError (17)
 */
export function demand(access: Access, permission: string) {
  if (!access.can(permission)) throw notAllowed(access, permission)
  if (access.channel.disabled && !access.can('read-disabled-channel')) throw notAllowed(access, permission)
}

export function notAllowed({ user, channel }: Access, permission: string): ChatError {
  return new ChatError(
    'NotAllowedError',
    `User '${user?.id}' with role '${user?.role}' is not allowed to perform action ${actionOf(permission)} in scope '${channel.type}'`,
  )
}
