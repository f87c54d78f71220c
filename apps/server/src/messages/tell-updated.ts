import { channelEvent } from '../channels/channel-wire.ts'
import type { Batch } from '../database/batch.ts'
import type { MessageRow } from '../database/tables.ts'
import type { Server } from '../server.ts'
import { composeMessages } from './compose-messages.ts'
import { hearerOf } from './message-wire.ts'
import { hearersNow } from './who-sees.ts'

/** Tells those who see a message what it is now. */
export async function tellUpdated(server: Server, batch: Batch, row: MessageRow) {
  const channel = batch.channel(row.app, row.cid)
  if (!channel) return
  const at = batch.nextTime(channel)
  const [message] = await composeMessages(server, row.app, [row], hearerOf(row), batch.db)
  batch.publish(channel, 'message.updated', {
    at,
    watchers: channelEvent(channel, 'message.updated', at, { message, message_id: row.id, user: message!.user }),
    ...(await hearersNow(server, batch.db)(row)),
  })
}
