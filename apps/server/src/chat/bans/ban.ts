import { ChatError, inputError } from '../../platform/chat-error.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { BanRow, ChannelRow, UserRow } from '../../platform/database/tables.ts'
import { isoOf } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import { type Access, stillThere } from '../channels/channel-access.ts'
import { channelEvent } from '../channels/channel-wire.ts'
import { announceCapabilities } from '../channels/publish-capabilities.ts'
import { memberIn, moderatorsOf, setMemberBan } from '../members/bans.ts'
import { beginDeleting, type Fate } from '../messages/messages-of-user.ts'
import { notGranted } from '../permissions/demand-in-app.ts'
import { setUserBan } from '../users/bans.ts'
import { lockKnownUsers, lockUser } from '../users/lock-user.ts'
import { userSummariesOf } from '../users/user-summaries.ts'
import { userWire } from '../users/user-wire.ts'
import { banNetworks, liftNetworks } from './addresses.ts'
import { banOf, bansToLapse, countBans, deleteBan, putBan } from './ban-store.ts'
import { checkNotBanned, checkWriter } from './banned.ts'
import { banFromFutureChannels } from './future-bans.ts'

/** The scope of a ban, and the caller's access: one channel, or the whole app. */
export interface Scope {
  app: string
  access: Access | undefined
}

/** @throws ChatError NotAllowedError (17) — also for a banned user, who could otherwise lift their own ban */
export async function checkMayBan(server: Server, { app, access }: Scope, by: UserRow) {
  const may = access
    ? access.can('ban-channel-member') || access.can('ban-user')
    : server.apps.of(app).allows(by, 'ban-user')
  if (!may) throw access ? notGranted(by, 'ban-channel-member', access.channel.type) : notGranted(by, 'ban-user')
  if (access) await checkWriter(server, by, access)
  else checkNotBanned(by)
}

/**
 * Bans a user from writing, in a channel or everywhere; the messages of a shadow-banned user are seen by no other user
 * [MOD-1, MOD-3, MOD-4].
 *
 * @throws ChatError InputError (4) — the caller bans themself, or wrong options; DoesNotExistError (16) — no such user
 */
export async function banUser(
  server: Server,
  scope: Scope,
  targetId: string,
  by: UserRow | undefined,
  { minutes, reason, shadow, deletes, fromFutureChannels, withAddresses }: BanOptions,
): Promise<void> {
  if (fromFutureChannels && !scope.access)
    throw inputError('ban_from_future_channels', 'ban_from_future_channels needs a channel')
  if (withAddresses && scope.access) throw inputError('ip_ban', 'ip_ban is for bans in the whole app')
  const target = await existing(server, scope.app, targetId)
  if (target.id === by?.id) throw inputError('target_user_id', 'you cannot ban yourself')
  await change(server, scope, target, async (batch, channel) => {
    const now = batch.now()
    const ban: BanRow = {
      app: scope.app,
      target_id: target.id,
      cid: channel?.cid ?? '',
      banned_by: by?.id ?? null,
      reason: reason ?? null,
      shadow: shadow ? 1 : 0,
      created_at: now,
      expires: minutes ? now + minutes * 60_000_000 : null,
      lapsed: 0,
    }
    const before = await banOf(batch.db, scope.app, target.id, ban.cid)
    // Recipients who know of one ban must not mistake it for the other, which they may not know of.
    if (before && !before.lapsed && before.shadow !== ban.shadow)
      await apply(server, batch, channel, target, { ...before, lapsed: 1 }, by)
    await putBan(batch.db, ban)
    if (!channel) await liftNetworks(batch, ban)
    if (withAddresses) await banNetworks(batch, ban)
    const marked = await apply(server, batch, channel, target, ban, by)
    if (fromFutureChannels) await banFromFutureChannels(batch, ban)
    if (deletes)
      await beginDeleting(server, batch, marked, { app: scope.app, fate: deletes, at: now, cid: channel?.cid })
  })
}

interface BanOptions {
  minutes?: number | undefined
  reason?: string | undefined
  shadow: boolean
  /** Also from channels the same user creates, or adds the target to, later. */
  fromFutureChannels?: boolean
  /** Also bans the networks the target called from lately; only in the whole app. */
  withAddresses?: boolean
  /** What happens to all messages of the target there; a task does it after the answer. */
  deletes?: Fate | undefined
}

/** Lifts a ban or shadow ban in exactly this scope; without one it does nothing [MOD-2, MOD-5]. */
export async function unbanUser(
  server: Server,
  scope: Scope,
  targetId: string,
  by: UserRow | undefined,
): Promise<void> {
  const target = await existing(server, scope.app, targetId)
  await change(server, scope, target, async (batch, channel) => {
    const ban = await banOf(batch.db, scope.app, target.id, channel?.cid ?? '')
    if (!ban) return
    await deleteBan(batch.db, ban)
    if (!channel) await liftNetworks(batch, ban)
    if (!ban.lapsed) await apply(server, batch, channel, target, { ...ban, lapsed: 1 }, by)
  })
}

/** Ends expired bans: they stay on record and no longer mark their targets. A failed one is retried on the next run. */
export async function lapseBans(server: Server): Promise<void> {
  for (const ban of await bansToLapse(server.database.read, server.clock.micros()))
    await lapse(server, ban).catch((error: unknown) =>
      server.faults.report('a ban did not end', error, { app: ban.app }),
    )
}

async function lapse(server: Server, { app, target_id, cid }: BanRow) {
  await server.apps.byId(app)
  const target = await server.users.get(app, target_id)
  await server.commit.write(app, cid === '' ? [] : [cid], async (batch) => {
    if (cid === '') await lockKnownUsers(batch, app, [target_id])
    const channel = cid === '' ? undefined : batch.channel(app, cid)
    const ban = await banOf(batch.db, app, target_id, cid)
    if (!ban || ban.lapsed || ban.expires === null || ban.expires > batch.now()) return
    const over: BanRow = { ...ban, lapsed: 1 }
    await putBan(batch.db, over)
    if (!channel) await liftNetworks(batch, over)
    if (target) await apply(server, batch, channel, target, over, undefined)
  })
}

/**
 * Changes a ban under a lock on the channel, or on the target for a ban in the whole app.
 *
 * @throws ChatError DoesNotExistError (16) — the channel or the target was deleted concurrently
 */
function change(
  server: Server,
  { app, access }: Scope,
  target: UserRow,
  run: (batch: Batch, channel: ChannelRow | undefined) => Promise<void>,
): Promise<void> {
  return server.commit.write(app, access ? [access.channel.cid] : [], async (batch) => {
    if (!access) await lockUser(batch, target)
    return run(batch, access && stillThere(batch, access.channel))
  })
}

/** Marks or unmarks the target and publishes the ban; a shadow ban goes only to users who could lift it. */
async function apply(
  server: Server,
  batch: Batch,
  channel: ChannelRow | undefined,
  target: UserRow,
  ban: BanRow,
  by: UserRow | undefined,
): Promise<UserRow> {
  const { app } = ban
  const marks = {
    banned: !ban.lapsed && !ban.shadow ? 1 : 0,
    shadow_banned: !ban.lapsed && ban.shadow ? 1 : 0,
    ban_expires: ban.lapsed ? null : ban.expires,
  } as const
  const type = ban.lapsed ? 'user.unbanned' : 'user.banned'
  const marked = channel ? target : await setUserBan(batch, target, marks)
  const userSummaries = await userSummariesOf(server, app, by ? [by.id] : [])
  const fields = {
    user: userWire(marked, server.presence.isOnline(app, target.id)),
    ...(by && { created_by: userSummaries.of(by.id) }),
    ...(!ban.lapsed && { total_bans: await countBans(batch.db, app, target.id) }),
    ...(!ban.lapsed && ban.reason !== null && { reason: ban.reason }),
    ...(!ban.lapsed && ban.expires !== null && { expiration: isoOf(ban.expires) }),
    shadow: ban.shadow === 1,
  }
  if (!channel) {
    const body = JSON.stringify({ type, created_at: isoOf(batch.now()), ...fields })
    if (ban.shadow) batch.publishOutbound(app, body)
    else batch.publishToUsers({ app, personal: [{ users: [target.id], body }] })
    return marked
  }
  const before = await memberIn(batch.db, app, channel.cid, target.id)
  await setMemberBan(batch, channel, target.id, marks)
  // A ban also expires in a deleted channel, so that a restored channel has no expired marks.
  if (channel.deleted_at !== null) return marked
  const at = batch.nextTime(channel)
  const body = channelEvent(channel, type, at, fields)
  if (ban.shadow) {
    const users = (await moderatorsOf(batch.db, app, channel.cid)).filter((id) => id !== target.id)
    batch.publishToUsers({ app, personal: [{ users, body }] })
    return marked
  }
  batch.publish(channel, type, { at, watchers: body, personal: [{ users: [target.id], body, unwatched: true }] })
  announceCapabilities(server, batch, channel, target, { before, after: before && { ...before, ...marks } })
  return marked
}

async function existing(server: Server, app: string, id: string): Promise<UserRow> {
  const user = await server.users.get(app, id)
  if (!user || user.deleted_at !== null) throw new ChatError('DoesNotExistError', `Can't find user with id ${id}`)
  return user
}
