import type { Batch } from '../../platform/database/batch.ts'
import type { MessageRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { channelEvent } from '../channels/channel-wire.ts'
import { composeMessages } from './compose-messages.ts'
import { recipientsNow } from './message-recipients.ts'
import { eventViewerOf } from './message-wire.ts'

/** Publishes `message.updated` to the message's recipients. */
export async function publishUpdated(server: Server, batch: Batch, row: MessageRow) {
  const channel = batch.channel(row.app, row.cid)
  if (!channel) return
  const at = batch.nextTime(channel)
  const [message] = await composeMessages(server, row.app, [row], eventViewerOf(row), batch.db)
  batch.publish(channel, 'message.updated', {
    at,
    watchers: channelEvent(channel, 'message.updated', at, { message, message_id: row.id, user: message!.user }),
    ...(await recipientsNow(server, batch.db)(row)),
  })
}
