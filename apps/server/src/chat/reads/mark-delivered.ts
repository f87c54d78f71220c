import type { DeliveryRow, MemberRow, UserRow } from '../../platform/database/tables.ts'
import { isoOf } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import type { Caller } from '../api/caller.ts'
import { accessChannels, accessWith } from '../channels/channel-access.ts'
import { channelEvent } from '../channels/channel-wire.ts'
import { membershipsNow } from '../members/members-of-channels.ts'
import { horizonOf, isWithin } from '../messages/message-access.ts'
import { messagesNamed } from '../messages/messages-of-threads.ts'
import { hides } from '../users/privacy.ts'
import { userSummariesOf } from '../users/user-summaries.ts'
import { deliveriesOf, putDeliveries } from './delivery-store.ts'

/**
 * Stores the last message of each channel that was delivered to a member, and publishes `message.delivered` to the
 * watchers. Does nothing in channels without delivery events, for a message older than the stored one, and for a user
 * who hides delivery receipts [messaging.md 4.11, administration.md 14.4].
 */
export async function markDelivered(
  server: Server,
  caller: Caller,
  user: UserRow,
  latest: readonly { cid: string; id: string }[],
): Promise<void> {
  const app = caller.app.id
  const asked = [...new Set(latest.map(({ cid }) => cid))]
  const channels = await accessChannels(server, caller, asked, 'read-channel')
  const accesses = new Map(channels.map((access) => [access.channel.cid, access]))
  if (hides(user, 'delivery_receipts')) return
  const named = await messagesNamed(
    server,
    app,
    latest.map(({ id }) => id),
  )
  const concerned = named.filter((row) => {
    const access = accesses.get(row.cid)
    return access?.config.delivery_events && access.member && row.user_id !== user.id
  })
  if (concerned.length === 0) return
  const cids = [...new Set(concerned.map(({ cid }) => cid))]
  await server.commit.write(app, cids, async (batch) => {
    const memberships = await membershipsNow(batch, user, cids)
    const before = await deliveriesOf(batch.db, batch.dialect, app, [...memberships.values()])
    const userSummary = (await userSummariesOf(server, app, [user.id])).of(user.id)
    const deliveries: DeliveryRow[] = []
    for (const cid of cids) {
      const channel = batch.channel(app, cid)
      const member = memberships.get(cid)
      if (!channel || channel.deleted_at !== null || !takesPart(member)) continue
      const horizon = horizonOf(accessWith(server, channel, false, user, member))
      const newest = concerned
        .filter((row) => row.cid === cid && isWithin(row, horizon))
        .sort((a, b) => b.created_at - a.created_at)[0]
      const was = before.get(`${cid}|${user.id}`)
      if (!newest || (was && was.message_at >= newest.created_at)) continue
      const at = batch.now()
      deliveries.push({
        app,
        cid,
        user_id: user.id,
        message_id: newest.id,
        message_at: newest.created_at,
        delivered_at: at,
      })
      const body = channelEvent(channel, 'message.delivered', at, {
        user: userSummary,
        last_delivered_at: isoOf(at),
        last_delivered_message_id: newest.id,
      })
      // A receipt is not kept in the event log: a client that was offline gets it with the channel.
      batch.publications.push({ app, cid, seq: 0, at, watchers: body })
    }
    await putDeliveries(batch.db, batch.dialect, deliveries)
  })
}

function takesPart(member: MemberRow | undefined): boolean {
  return member?.status === 'member' || member?.status === 'accepted'
}

export { deliveriesOf } from './delivery-store.ts'
