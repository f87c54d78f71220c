import type { Batch } from '../../platform/database/batch.ts'
import type { ChannelRow, MemberRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { channelEvent, channelWire, usersOfChannel } from '../channels/channel-wire.ts'
import { readsOfMembers, unreadOf } from '../reads/counting.ts'
import { userSummariesOf } from '../users/user-summaries.ts'
import { blockersIn, cidsOfPair, markedBlocked, setBlocked } from './member-store.ts'

/** The cids of the channels whose only members are these two. */
export function pairsOf(server: Server, app: string, one: string, other: string): Promise<string[]> {
  return cidsOfPair(server.database.read, app, one, other)
}

/** Whether a user's connection may receive a channel's events: not where a block hides it. */
export function mayWatch(member: MemberRow | undefined): boolean {
  return member?.blocked !== 1
}

/**
 * Updates a channel's visibility after a block: in a direct conversation where one member blocked the other, the
 * channel is hidden from the blocker, who receives no events of it; a group stays visible to all [USR-19].
 *
 * The hub does not count a blocker as a member, so blocks add no cost to an event.
 *
 * @param fresh members who have not received the channel yet, so no hidden event is needed
 * @returns the users it is hidden from
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
    // A pending invitee receives no events yet, and a user who declined receives none.
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
