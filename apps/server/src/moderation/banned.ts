import type { Access } from '../channels/channel-access.ts'
import { ChatError } from '../chat-error.ts'
import type { Batch } from '../database/batch.ts'
import type { MemberRow, UserRow } from '../database/tables.ts'
import type { Caller } from '../http/caller.ts'
import type { Server } from '../server.ts'
import { banOf, bansAmong } from './ban-store.ts'

/** All bans in a channel that is erased. */
export { deleteBansIn } from './ban-store.ts'

const unmarked = Symbol('banned without a mark')
type Barred = UserRow & { [unmarked]?: { shadow: boolean } }

/** A user who is banned although nothing of theirs says so: here, or from where they call. */
export function barred(user: UserRow, ban: { shadow: boolean }): UserRow {
  const marked: Barred = { ...user, [unmarked]: ban }
  return marked
}

/** Whether somebody writes nowhere in the app. */
export function isBanned(user: UserRow): boolean {
  return user.banned === 1 || (user as Barred)[unmarked]?.shadow === false
}

/**
 * A banned user reads on and writes nothing [MOD-17].
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
 * The same, for one channel, of somebody who may be no member: then nothing at hand says whether they are banned there.
 *
 * @returns the user as `isShadowed` is to be asked about
 * @throws ChatError NotAllowedError (17)
 */
export async function checkWriter(server: Server, user: UserRow, access: Access): Promise<UserRow> {
  checkNotBanned(user, access)
  const writer = await asStranger(server, user, access)
  if (isBanned(writer)) throw bannedIn(access, user)
  return writer
}

/**
 * Who is banned changes nothing that others see either, whatever their role; the app's server may, for anybody. What
 * somebody changes who is shadow-banned is seen by them alone: the write is to know [MOD-19].
 *
 * @returns for whom alone the change is to be done; nobody where it is done for all
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

/** Somebody who is not banned in the app, as `isBanned` and `isShadowed` are to be asked about them in one channel. */
export async function asStranger(server: Server, user: UserRow, { channel, member }: Access): Promise<UserRow> {
  const ban = member ? undefined : await banOf(server.database.read, channel.app, user.id, channel.cid)
  return !ban || ban.lapsed ? user : barred(user, { shadow: Boolean(ban.shadow) })
}

/** The marks of bans on people who join a channel: whoever leaves and comes back is still banned. */
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

/** Whether what somebody writes here is seen by nobody else [MOD-4]. */
export function isShadowed(user: UserRow, { member }: Access): boolean {
  return user.shadow_banned === 1 || (user as Barred)[unmarked]?.shadow === true || member?.shadow_banned === 1
}
