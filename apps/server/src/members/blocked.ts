import { channelEvent, channelWire, usersOfChannel } from '../channels/channel-wire.ts'
import type { Batch } from '../database/batch.ts'
import type { ChannelRow, MemberRow } from '../database/tables.ts'
import { readsOfMembers, unreadOf } from '../reads/counting.ts'
import type { Server } from '../server.ts'
import { userSummariesOf } from '../users/user-summaries.ts'
import { blockersIn, cidsOfPair, markedBlocked, setBlocked } from './member-store.ts'

/** The cids of the channels that have just these two members. */
export function pairsOf(server: Server, app: string, one: string, other: string): Promise<string[]> {
  return cidsOfPair(server.database.read, app, one, other)
}

/** Whether somebody's connection may hear of a channel: not where a block hides it. */
export function mayWatch(member: MemberRow | undefined): boolean {
  return member?.blocked !== 1
}

/**
 * Brings a channel in line with who blocked whom: where two are alone and one has blocked the other, it is hidden from
 * the blocker, who hears nothing of it any more; a group is open to all [USR-19].
 *
 * To the hub a blocker is no member, so that an event costs nothing more for there being blocks.
 *
 * @param fresh members who never heard of the channel, and so need not be told that it is hidden
 * @returns from whom it is hidden
 */
export async function settleBlocks(
  server: Server,
  batch: Batch,
  channel: ChannelRow,
  fresh: readonly string[] = [],
): Promise<string[]> {
  const { app, cid } = channel
  const marked = await markedBlocked(batch.db, app, cid)
  const blockers = channel.member_count === 2 ? await blockersIn(batch.db, app, cid) : []
  for (const userId of blockers)
    if (!marked.includes(userId)) await close(server, batch, channel, userId, !fresh.includes(userId))
  for (const userId of marked) if (!blockers.includes(userId)) await open(server, batch, channel, userId)
  return blockers
}

async function close(server: Server, batch: Batch, channel: ChannelRow, userId: string, tell: boolean) {
  const { app, cid } = channel
  await setBlocked(batch.db, app, cid, userId, true)
  batch.changedMembers.add(`${app}|${cid}|${userId}`)
  if (!tell) return
  const { wire, user } = await shown(server, channel, userId)
  const at = batch.nextTime(channel)
  const fields = { channel: { ...wire, hidden: true, blocked: true }, user, clear_history: false }
  const body = channelEvent(channel, 'channel.hidden', at, fields)
  batch.publish(channel, 'channel.hidden', {
    at,
    personal: [{ users: [userId], body, totals: true }],
    effects: [{ do: 'leave', user: userId }],
  })
}

async function open(server: Server, batch: Batch, channel: ChannelRow, userId: string) {
  const { app, cid } = channel
  await setBlocked(batch.db, app, cid, userId, false)
  batch.changedMembers.add(`${app}|${cid}|${userId}`)
  await batch.flushCounters()
  const reads = await readsOfMembers(batch.db, batch.dialect, app, [{ cid, user_id: userId }])
  const read = reads.get(`${cid}|${userId}`)
  if (!read) return
  const { wire, user } = await shown(server, channel, userId)
  const at = batch.nextTime(channel)
  const body = channelEvent(channel, 'channel.visible', at, {
    channel: { ...wire, hidden: false, blocked: false },
    user,
  })
  const counts = server.apps.of(app).countsReads(channel.type)
  batch.publish(channel, 'channel.visible', {
    at,
    personal: [{ users: [userId], body, totals: true }],
    // Who is only invited hears nothing of it yet, either, and who did not want to come, no more.
    effects:
      read.status === 'pending' || read.status === 'rejected'
        ? []
        : [
            {
              do: 'join',
              user: userId,
              ordinal: read.ordinal,
              counts,
              unread: unreadOf(server.apps.of(app), read),
              hiddenTo: read.hide_before,
              joinedAt: read.joined,
            },
          ],
  })
}

async function shown(server: Server, channel: ChannelRow, userId: string) {
  const userSummaries = await userSummariesOf(server, channel.app, [...usersOfChannel(channel), userId])
  return { wire: channelWire(server, channel, userSummaries), user: userSummaries.of(userId) }
}
