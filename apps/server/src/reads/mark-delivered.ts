import { accessChannels } from '../channels/channel-access.ts'
import { channelEvent } from '../channels/channel-wire.ts'
import type { DeliveryRow, UserRow } from '../database/tables.ts'
import type { Caller } from '../http/caller.ts'
import { horizonOf, isWithin } from '../messages/message-access.ts'
import { messagesNamed } from '../messages/messages-of-threads.ts'
import { isoOf } from '../micros.ts'
import type { Server } from '../server.ts'
import { facesOf } from '../users/faces.ts'
import { hides } from '../users/privacy.ts'
import { deliveriesOf, putDeliveries } from './delivery-store.ts'

/**
 * Notes up to which message each channel has reached a member; who watches is told. Nothing happens in channels
 * without delivery events, for older messages than before, and for somebody who lets nobody know
 * [messaging.md 4.11, administration.md 14.4].
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
  const reached = named.filter((row) => {
    const access = accesses.get(row.cid)
    if (!access?.member || !access.config.delivery_events || row.user_id === user.id) return false
    const { status } = access.member
    return (status === 'member' || status === 'accepted') && isWithin(row, horizonOf(access))
  })
  if (reached.length === 0) return
  const cids = [...new Set(reached.map(({ cid }) => cid))]
  await server.commit.write(app, cids, async (batch) => {
    const members = cids.map((cid) => ({ cid, user_id: user.id }))
    const before = await deliveriesOf(batch.db, batch.dialect, app, members)
    const face = (await facesOf(server, app, [user.id])).of(user.id)
    const deliveries: DeliveryRow[] = []
    for (const cid of cids) {
      const newest = reached.filter((row) => row.cid === cid).reduce((a, b) => (a.created_at > b.created_at ? a : b))
      const was = before.get(`${cid}|${user.id}`)
      const channel = batch.channel(app, cid)
      if (!channel || (was && was.message_at >= newest.created_at)) continue
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
        user: face,
        last_delivered_at: isoOf(at),
        last_delivered_message_id: newest.id,
      })
      // A receipt is not kept in the log: whoever was away reads it with the channel.
      batch.publications.push({ app, cid, seq: 0, at, watchers: body })
    }
    await putDeliveries(batch.db, batch.dialect, deliveries)
  })
}

export { deliveriesOf } from './delivery-store.ts'
