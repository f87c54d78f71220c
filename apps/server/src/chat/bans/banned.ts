import { ChatError } from '../../platform/chat-error.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { MemberRow, UserRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import type { Caller } from '../api/caller.ts'
import type { Access } from '../channels/channel-access.ts'
import { banOf, bansAmong } from './ban-store.ts'

/** All bans in an erased channel. */
export { deleteBansIn } from './ban-store.ts'

const unmarked = Symbol('banned without a mark')
type Barred = UserRow & { [unmarked]?: { shadow: boolean } }

/** A user whose row has no ban mark but who is banned here, or on the network they call from. */
export function barred(user: UserRow, ban: { shadow: boolean }): UserRow {
  const marked: Barred = { ...user, [unmarked]: ban }
  return marked
}

/** Whether a user is banned in the whole app. */
export function isBanned(user: UserRow): boolean {
  return user.banned === 1 || (user as Barred)[unmarked]?.shadow === false
}

/**
 * A banned user can read but not write [MOD-17].
 *
 * @throws ChatError NotAllowedError (17) — banned in the app, or in this channel
 */
export function checkNotBanned(user: UserRow | undefined, access?: Access) {
  if (user && isBanned(user)) throw new ChatError('NotAllowedError', `You are banned: user '${user.id}'`)
  if (access?.member?.banned) throw bannedIn(access, user)
}

function bannedIn({ channel }: Access, user: UserRow | undefined): ChatError {
  return new ChatError('NotAllowedError', `You are banned in channel ${channel.cid}: user '${user?.id}'`)
}

/**
 * The same for one channel and a user who may not be a member: then the ban must be looked up.
 *
 * @returns the user to pass to `isShadowed`
 * @throws ChatError NotAllowedError (17)
 */
export async function checkWriter(server: Server, user: UserRow, access: Access): Promise<UserRow> {
  checkNotBanned(user, access)
  const writer = await asStranger(server, user, access)
  if (isBanned(writer)) throw bannedIn(access, user)
  return writer
}

/**
 * A banned user cannot change what others see either, whatever their role; the app's server can, on behalf of any user.
 * A change by a shadow-banned user is visible to that user only: the caller must pass this on to the write [MOD-19].
 *
 * @returns the only user the change is visible to; undefined when it is visible to all
 * @throws ChatError NotAllowedError (17)
 */
export async function checkMayChange(
  server: Server,
  caller: Caller,
  access: Access,
): Promise<{ alone: string | undefined }> {
  if (!caller.user || caller.server) return { alone: undefined }
  const writer = await checkWriter(server, caller.user, access)
  return { alone: isShadowed(writer, access) ? writer.id : undefined }
}

/** A user who is not banned in the app, to pass to `isBanned` and `isShadowed` for one channel. */
export async function asStranger(server: Server, user: UserRow, { channel, member }: Access): Promise<UserRow> {
  const ban = member ? undefined : await banOf(server.database.read, channel.app, user.id, channel.cid)
  return !ban || ban.lapsed ? user : barred(user, { shadow: Boolean(ban.shadow) })
}

/** Marks banned users who join a channel: a user who leaves and rejoins is still banned. */
export async function markBanned(batch: Batch, members: readonly MemberRow[]) {
  const [first] = members
  if (!first) return
  const ids = members.map((member) => member.user_id)
  for (const ban of await bansAmong(batch.db, batch.dialect, first.app, first.cid, ids))
    for (const member of members)
      if (member.user_id === ban.target_id) {
        member.banned = ban.shadow ? 0 : 1
        member.shadow_banned = ban.shadow
        member.ban_expires = ban.expires
      }
}

/** Whether a user's messages here are hidden from all others [MOD-4]. */
export function isShadowed(user: UserRow, { member }: Access): boolean {
  return user.shadow_banned === 1 || (user as Barred)[unmarked]?.shadow === true || member?.shadow_banned === 1
}
