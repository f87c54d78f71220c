import type { Access } from '../channels/channel-access.ts'
import { ChatError } from '../chat-error.ts'
import type { Batch } from '../database/group-commit.ts'
import type { MemberRow, UserRow } from '../database/tables.ts'
import type { Server } from '../server.ts'
import { banOf, bansAmong } from './ban-store.ts'

const byAddress = Symbol('banned by address')
type Barred = UserRow & { [byAddress]?: { shadow: boolean } }

/** A user who calls from where somebody else was banned: as if they were banned themself, though nothing says so. */
export function barred(user: UserRow, ban: { shadow: boolean }): UserRow {
  const marked: Barred = { ...user, [byAddress]: ban }
  return marked
}

/** Whether somebody writes nowhere in the app. */
export function isBanned(user: UserRow): boolean {
  return user.banned === 1 || (user as Barred)[byAddress]?.shadow === false
}

/**
 * A banned user reads on and writes nothing [MOD-17].
 *
 * @throws ChatError NotAllowedError (17) — banned in the app, or in this channel
 */
export function checkNotBanned(user: UserRow | undefined, access?: Access) {
  if (user && isBanned(user)) throw new ChatError('NotAllowedError', `You are banned: user '${user.id}'`)
  if (access?.member?.banned)
    throw new ChatError('NotAllowedError', `You are banned in channel ${access.channel.cid}: user '${user?.id}'`)
}

/**
 * The same, for one channel, of somebody who is no member: nothing at hand says whether they are banned there.
 *
 * @throws ChatError NotAllowedError (17)
 */
export async function checkStranger(server: Server, user: UserRow, { channel }: Access) {
  const ban = await banOf(server.database.read, channel.app, user.id, channel.cid)
  if (ban && !ban.lapsed && !ban.shadow)
    throw new ChatError('NotAllowedError', `You are banned in channel ${channel.cid}: user '${user.id}'`)
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
  return user.shadow_banned === 1 || (user as Barred)[byAddress]?.shadow === true || member?.shadow_banned === 1
}
