import type { App } from '../../chat/apps/app.ts'
import { messagesBetween } from '../../chat/messages/messages-of-channels.ts'
import { counts, readsOfMembers, unreadOf } from '../../chat/reads/counting.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { ChannelRow } from '../../platform/database/tables.ts'
import type { Effect } from '../../platform/realtime/publication.ts'
import type { Server } from '../../server.ts'
import {
  belonging,
  hideFromBlockers,
  memberCounts,
  newestMoving,
  setOrdinals,
  setReadPositions,
  setUncountedBetween,
  shownAfter,
} from './settle-store.ts'

/** Messages numbered in one write. */
const PAGE = 1_000

/** How far a channel is settled: up to which time, and how many messages counted so far. */
export interface Settling {
  cid: string
  at: number
  ordinal: number
}

/**
 * Renumbers a page of a channel's messages in order of time; after the last page, updates the read states and counters
 * that depend on the order. Messages sent meanwhile are numbered with the rest.
 *
 * @returns where the next page begins; undefined when the channel is settled
 */
export async function settleChannelPage(
  server: Server,
  batch: Batch,
  app: App,
  { cid, at, ordinal }: Settling,
): Promise<Settling | undefined> {
  const { db, dialect } = batch
  const channel = batch.channel(app.id, cid)
  if (!channel) return undefined
  await batch.flush()
  const page = await shownAfter(db, channel, at, PAGE)
  let count = ordinal
  const numbered = page.map((message) => {
    count += message.counted
    return { ...message, was: message.ordinal, ordinal: count }
  })
  const moved = numbered.filter((message) => message.was !== message.ordinal)
  await setOrdinals(
    db,
    dialect,
    moved.map(({ app, id, ordinal }) => ({ app, id, ordinal })),
  )
  const isLast = page.length < PAGE
  const gone = numbered.filter((message) => message.counted === 1 && message.deleted_at !== null)
  await setUncountedBetween(
    db,
    dialect,
    channel,
    ordinal,
    isLast ? undefined : count,
    gone.map(({ ordinal, user_id }) => ({ ordinal, user_id })),
  )
  if (!isLast) return { cid, at: page.at(-1)!.created_at, ordinal: count }
  await settle(server, batch, app, channel, count)
  return undefined
}

async function settle(server: Server, batch: Batch, app: App, channel: ChannelRow, counted: number) {
  const { db, dialect } = batch
  const { members, hiding } = await memberCounts(db, channel)
  channel.counted = counted
  channel.member_count = members
  channel.hidden_by_some = hiding > 0 ? 1 : 0
  const since = channel.truncated_at ?? 0
  channel.message_count = await messagesBetween(batch, channel, since)
  const withSystem = !app.configOf(channel).skip_last_msg_update_for_system_msgs
  const last = Math.max((await newestMoving(db, channel, since, { withSystem })) ?? 0, channel.last_message_at ?? 0)
  channel.last_message_at = last > 0 && last >= since ? last : null
  channel.activity_at = channel.last_message_at ?? channel.created_at
  channel.event_at = Math.max(channel.event_at, last)
  await hideFromBlockers(db, channel)
  await setReadPositions(db, dialect, channel)
  batch.touch(channel)
  await batch.flushCounters()
  batch.changedChannels.add(`${channel.app}|${channel.cid}`)
  // An internal event without recipients: nodes drop their caches of the channel, and connected users count
  // from here on.
  batch.publish(channel, 'import', {
    at: batch.nextTime(channel),
    effects: await unreadStates(server, batch, app, channel),
  })
}

/** The unread states of the connected members. */
async function unreadStates(server: Server, batch: Batch, app: App, { cid, type }: ChannelRow): Promise<Effect[]> {
  const here = (await belonging(batch.db, { app: app.id, cid })).filter((id) => server.presence.isOnline(app.id, id))
  const places = here.map((user_id) => ({ cid, user_id }))
  const reads = await readsOfMembers(batch.db, batch.dialect, app.id, places)
  return [...reads.values()].map((read) => ({
    do: 'join',
    user: read.user_id,
    ordinal: read.ordinal,
    counts: counts(app, { ...read, type }),
    unread: unreadOf(app, read),
    hiddenTo: read.hide_before,
    joinedAt: read.joined,
  }))
}
