import { MUTES_PER_USER } from '@parley/protocol/limits'
import type { ChannelMute, Mute, OwnUser, User } from '@parley/protocol/users'
import { ChatError, inputError } from '../../platform/chat-error.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { ChannelMuteRow, UserMuteRow, UserRow } from '../../platform/database/tables.ts'
import { isoOf } from '../../platform/micros.ts'
import type { TaskKind } from '../../platform/tasks/tasks.ts'
import type { Server } from '../../server.ts'
import type { Caller } from '../api/caller.ts'
import { notGranted } from '../permissions/demand-in-app.ts'
import { totalsIn } from '../reads/counting.ts'
import { lockKnownUsers, lockUser } from '../users/lock-user.ts'
import { acquaintances } from '../users/user-access.ts'
import { cachedUserSummaries, userSummariesOf } from '../users/user-summaries.ts'
import {
  channelMutesOf,
  endChannelMutes,
  endUserMutes,
  mutersOf,
  putChannelMutes,
  putUserMutes,
  userMutesOf,
} from './mute-store.ts'
import { mutesOf } from './muted-unread.ts'
import { channelMuteWires, muteWires, ownUser } from './own-user.ts'

/** Few enough that this write does not block others noticeably. */
const MUTERS_PER_WRITE = 20

/**
 * Mutes users for one user, for some minutes or for ever; muting a muted user again replaces the end
 * [MOD-6, MOD-18]. Their messages are still delivered and do not count.
 *
 * @throws ChatError InputError (4) — oneself, or too many mutes
 * @throws ChatError DoesNotExistError (16) — there is no such user; of several they are `missing`
 * @throws ChatError NotAllowedError (17)
 */
export async function muteUsers(
  server: Server,
  caller: Caller,
  muter: UserRow,
  targets: string | readonly string[],
  minutes: number | undefined,
): Promise<{ mutes: Mute[]; ownUser: OwnUser; missing: string[] }> {
  const found = await acquaintances(server, caller, [targets].flat())
  const { known, missing } = existing(server, caller, muter, targets, found)
  if (known.includes(muter.id)) throw inputError('target_id', 'you cannot mute yourself')
  return server.commit.write(muter.app, [], async (batch) => {
    const user = await lockUser(batch, muter)
    const now = batch.now()
    const until = minutes === undefined || minutes === 0 ? null : now + minutes * 60_000_000
    const lasting = (await userMutesOf(batch.db, user.app, user.id)).filter(
      (mute) => mute.until === null || mute.until > now,
    )
    const rows = known.map((target_id): UserMuteRow => {
      const before = lasting.find((mute) => mute.target_id === target_id)
      return {
        app: user.app,
        user_id: user.id,
        target_id,
        created_at: before?.created_at ?? now,
        updated_at: now,
        until,
      }
    })
    const fresh = rows.filter((row) => !lasting.some((mute) => mute.target_id === row.target_id))
    if (lasting.length + fresh.length > MUTES_PER_USER)
      throw inputError('target_ids', `a user can mute at maximum ${MUTES_PER_USER} users`)
    if (rows.length > 0) await putUserMutes(batch.db, batch.dialect, rows)
    const own = await publish(server, batch, user, 'notification.mutes_updated')
    const mutes = await muteWires(server, user, rows)
    if (mutes.length > 0)
      publishOutbound(server, batch, user, 'user.muted', targetsIn(mutes.map(({ target }) => target)))
    return { mutes, ownUser: own, missing }
  })
}

/** @throws ChatError DoesNotExistError (16) — there is no such user; NotAllowedError (17) */
export async function unmuteUsers(
  server: Server,
  caller: Pick<Caller, 'server'>,
  muter: UserRow,
  targets: string | readonly string[],
): Promise<{ missing: string[] }> {
  const found = await server.users.getAll(muter.app, [targets].flat())
  const { known, missing } = existing(server, caller, muter, targets, found)
  await server.commit.write(muter.app, [], async (batch) => {
    const user = await lockUser(batch, muter)
    await endUserMutes(batch.db, batch.dialect, user.app, user.id, known, batch.now())
    await publish(server, batch, user, 'notification.mutes_updated')
    const userSummaries = await userSummariesOf(server, user.app, known)
    if (known.length > 0)
      publishOutbound(server, batch, user, 'user.unmuted', targetsIn(known.map((id) => userSummaries.of(id))))
  })
  return { missing }
}

/** Mutes channels for one user; unread messages in them no longer count [CHN-28]. */
export async function muteChannels(
  server: Server,
  muter: UserRow,
  cids: readonly string[],
  milliseconds: number | undefined,
): Promise<{ mutes: ChannelMute[]; ownUser: OwnUser }> {
  return server.commit.write(muter.app, [], async (batch) => {
    const user = await lockUser(batch, muter)
    const now = batch.now()
    const until = milliseconds === undefined || milliseconds === 0 ? null : now + milliseconds * 1000
    const known = await channelMutesOf(batch.db, user.app, user.id)
    const rows = cids.map((cid): ChannelMuteRow => {
      const before = known.find((mute) => mute.cid === cid && (mute.until === null || mute.until > now))
      return { app: user.app, user_id: user.id, cid, created_at: before?.created_at ?? now, updated_at: now, until }
    })
    await putChannelMutes(batch.db, batch.dialect, rows)
    const own = await publish(server, batch, user, 'notification.channel_mutes_updated')
    const mutes = await channelMuteWires(server, user, rows, batch.db)
    publishOutbound(server, batch, user, 'channel.muted', mutesIn(mutes))
    return { mutes, ownUser: own }
  })
}

/** Unmutes channels; new messages count again [CHN-29]. */
export async function unmuteChannels(server: Server, muter: UserRow, cids: readonly string[]): Promise<void> {
  await server.commit.write(muter.app, [], async (batch) => {
    const user = await lockUser(batch, muter)
    const known = await channelMutesOf(batch.db, user.app, user.id)
    await endChannelMutes(batch.db, batch.dialect, user.app, user.id, cids, batch.now())
    await publish(server, batch, user, 'notification.channel_mutes_updated')
    const ended = known.filter(({ cid, until }) => cids.includes(cid) && (until === null || until > batch.now()))
    const mutes = await channelMuteWires(server, user, ended, batch.db)
    if (mutes.length > 0) publishOutbound(server, batch, user, 'channel.unmuted', mutesIn(mutes))
  })
}

/** Publishes the new mutes to connected users who mute a channel or user that was deleted or restored. */
export async function publishToMuters(
  server: Server,
  batch: Batch,
  app: string,
  muted: { cid: string } | { target_id: string },
): Promise<void> {
  const muters = await mutersOf(batch.db, app, muted, batch.now())
  const users = muters.filter((id) => server.presence.isOnline(app, id))
  const type = 'cid' in muted ? 'notification.channel_mutes_updated' : 'notification.mutes_updated'
  if (users.length > 0) await server.tasks.begin(batch, app, publishingToMuters.name, { users, type })
}

/** Publishes in batches: there may be very many muters, and each payload is read for one user. */
export const publishingToMuters: TaskKind<{ users: string[]; type: string }, { told: number }> = {
  name: 'tell-muters',
  async run(server, task) {
    const { users, type } = task.input
    for (let told = task.progress?.told ?? 0; told < users.length; told += MUTERS_PER_WRITE)
      await server.commit.write(task.app, [], async (batch) => {
        await task.save(batch, { told: told + MUTERS_PER_WRITE })
        const page = users.slice(told, told + MUTERS_PER_WRITE)
        for (const user of await lockKnownUsers(batch, task.app, page)) await publish(server, batch, user, type)
      })
    return {}
  },
}

/** Publishes the current mutes to the user's own connections and to the hub. */
async function publish(server: Server, batch: Batch, user: UserRow, type: string): Promise<OwnUser> {
  const { app, id } = user
  await batch.flushCounters()
  const totals = await totalsIn(batch.db, batch.dialect, server.apps.of(app), id)
  const me = await ownUser(server, user, { mutesAnything: true, totals }, batch.db)
  const body = JSON.stringify({ type, created_at: isoOf(batch.now()), me })
  batch.publishToUsers({
    app,
    quiet: { user: id, ...(await mutesOf(batch.db, app, id)) },
    personal: [{ users: [id], body, totals: true }],
  })
  return me
}

/** Publishes the events that carry all mutes of a user to the user's own connections [administration.md 6.6, 6.7]. */
function publishOutbound(server: Server, batch: Batch, { app, id }: UserRow, type: string, fields: object) {
  const user = cachedUserSummaries(server, app).known(id)
  batch.publishOutbound(app, () => JSON.stringify({ type, created_at: isoOf(batch.now()), user, ...fields }))
}

const targetsIn = (targets: readonly User[]) =>
  targets.length === 1 ? { target_user: targets[0] } : { target_users: targets }

const mutesIn = (mutes: readonly ChannelMute[]) => (mutes.length === 1 ? { mute: mutes[0] } : { mutes })

/** A single named user must exist; of several, the missing ones are returned [administration.md 6.6]. */
function existing(
  server: Server,
  { server: isServer }: Pick<Caller, 'server'>,
  user: UserRow,
  targets: string | readonly string[],
  found: ReadonlyMap<string, UserRow>,
) {
  if (!isServer && !server.apps.of(user.app).allows(user, 'mute-user')) throw notGranted(user, 'mute-user')
  const ids = [...new Set([targets].flat())]
  const known = ids.filter((id) => found.has(id) && found.get(id)!.deleted_at === null)
  if (typeof targets === 'string' && known.length === 0)
    throw new ChatError('DoesNotExistError', `Can't find user with id ${targets}`)
  return { known, missing: ids.filter((id) => !known.includes(id)) }
}
