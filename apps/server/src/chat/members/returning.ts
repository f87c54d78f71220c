import type { Batch } from '../../platform/database/batch.ts'
import type { ChannelRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { channelEvent, channelWire, usersOfChannel } from '../channels/channel-wire.ts'
import { readsOfMembers, unreadOf } from '../reads/counting.ts'
import { userSummariesOf } from '../users/user-summaries.ts'
import { isNotifiedOf } from './change-members.ts'
import { membersAll } from './member-store.ts'
import { memberWire } from './member-wire.ts'

/** Publishes to connected members that a channel is restored, with their unread state in it. */
export async function announceReturn(server: Server, batch: Batch, channel: ChannelRow) {
  const { app, cid } = channel
  const members = (await membersAll(batch.db, app, cid)).filter((member) =>
    server.presence.isOnline(app, member.user_id),
  )
  await batch.flushCounters()
  const reads = await readsOfMembers(batch.db, batch.dialect, app, members)
  const userSummaries = await userSummariesOf(server, app, [
    ...usersOfChannel(channel),
    ...members.map((member) => member.user_id),
  ])
  const wire = channelWire(server, channel, userSummaries)
  const counts = server.apps.of(app).countsReads(channel.type)
  const users = await server.users.getAll(
    app,
    members.map((member) => member.user_id),
  )
  for (const member of members) {
    const read = reads.get(`${cid}|${member.user_id}`)
    if (!read || (member.status !== 'member' && member.status !== 'accepted')) continue
    if (!isNotifiedOf(server, channel, member, users.get(member.user_id))) continue
    const at = batch.nextTime(channel)
    const fields = { channel: wire, member: memberWire(member, userSummaries.of(member.user_id), channel.created_by) }
    const body = channelEvent(channel, 'notification.added_to_channel', at, fields)
    batch.publish(channel, 'notification.added_to_channel', {
      at,
      personal: [{ users: [member.user_id], body, totals: true }],
      effects: [
        {
          do: 'join',
          user: member.user_id,
          ordinal: read.ordinal,
          counts,
          unread: unreadOf(server.apps.of(app), read),
          hiddenTo: read.hide_before,
          joinedAt: read.joined,
        },
      ],
    })
  }
}
