import { splitCid } from '@parley/protocol/cid'
import type { Kysely } from 'kysely'
import { ChatError, inputError } from '../../platform/chat-error.ts'
import type { ChannelRow, MemberRow, MessageRow, Tables } from '../../platform/database/tables.ts'
import type { Micros } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import type { Caller } from '../api/caller.ts'
import { type Access, accessChannel, notAllowed } from '../channels/channel-access.ts'
import { isMeantFor, restrictedFor } from './message-recipients.ts'
import { type Horizon, messageById } from './message-store.ts'

/**
 * The only way from a message id in a request to the message. A missing message and one that the caller may not read
 * get the same error.
 *
 * @throws ChatError DoesNotExistError (16) — no such message, or the caller may not see it
 * @throws ChatError NotAllowedError (17) — the caller may read it, but lacks this permission
 */
export async function accessMessage(
  server: Server,
  caller: Caller,
  id: string,
  permission: string,
): Promise<{ message: MessageRow; access: Access }> {
  const message = await messageById(server.database.read, caller.app.id, id)
  if (!message) throw missing(id)
  const access = await accessChannel(server, caller, splitCid(message.cid), 'read-channel').catch((error: unknown) => {
    throw error instanceof ChatError ? missing(id) : error
  })
  if (!isWithin(message, sightOf(access))) throw missing(id)
  const author = message.user_id === access.user?.id
  if (permission !== 'read-channel' && !access.can(permission) && !(author && canAsOwner(access, permission)))
    throw notAllowed(access, permission)
  return { message, access }
}

/**
 * The message that another message of the channel is to quote.
 *
 * @throws ChatError InputError (4) — it is not in the channel, or the caller may not see it
 */
export async function accessQuoted(server: Server, access: Access, id: string): Promise<MessageRow> {
  const { app, cid } = access.channel
  const quoted = await messageById(server.database.read, app, id)
  if (quoted?.cid !== cid || !isWithin(quoted, sightOf(access)))
    throw inputError('message.quoted_message_id', `message ${id} is not in this channel`)
  return quoted
}

/** Which messages the caller can get by id: for moderators, also the shadowed messages of others [MSG-38]. */
export function sightOf(access: Access): Horizon {
  const horizon = horizonOf(access)
  return access.can('read-message-flags') ? { ...horizon, shadowsOf: null } : horizon
}

/**
 * Which part of the channel's history the caller gets in lists. Only the app's server gets the shadowed messages of
 * others there: no event delivers them, and clients do not show them.
 */
export function horizonOf(access: Access): Horizon {
  const { channel, member, user, can } = access
  const isServer = user === undefined && can('read-message-flags')
  return {
    truncatedAt: channel.truncated_at,
    hideBefore: member?.hide_before ?? null,
    shadowsOf: isServer ? null : (user?.id ?? ''),
    restrictedFor: restrictedFor(access),
  }
}

/** Since when a user may see the history of a channel; `member` is undefined for a user who is not a member. */
export function shownSince({ truncated_at }: ChannelRow, member: MemberRow | undefined): Micros {
  return Math.max(truncated_at ?? 0, member?.hide_before == null ? 0 : member.hide_before + 1)
}

export function isWithin(message: MessageRow, { truncatedAt, hideBefore, shadowsOf, restrictedFor }: Horizon): boolean {
  if (restrictedFor !== null && !isMeantFor(message, restrictedFor)) return false
  if (message.shadowed && shadowsOf !== null && shadowsOf !== message.user_id) return false
  if (truncatedAt !== null && message.created_at < truncatedAt) return false
  return hideBefore === null || message.created_at > hideBefore
}

/** Whether pages may start from the message: the reader can see it, or could before the history was truncated. */
export function isPlaceFor(message: MessageRow, horizon: Horizon): boolean {
  return isWithin(message, { ...horizon, truncatedAt: null, hideBefore: null })
}

/** Whether a message has the id, even one hidden from all users. */
export async function isTaken(db: Kysely<Tables>, app: string, id: string): Promise<boolean> {
  return (await messageById(db, app, id)) !== undefined
}

export function missing(id: string): ChatError {
  return new ChatError('DoesNotExistError', `Can't find message with id ${id}`)
}

/** The owner form of a permission applies to the author of the message, not to the creator of the channel. */
function canAsOwner(access: Access, permission: string): boolean {
  return access.can(`${permission}-owner`)
}
