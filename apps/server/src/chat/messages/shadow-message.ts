import type { Batch } from '../../platform/database/batch.ts'
import type { MessageRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import type { Access } from '../channels/channel-access.ts'
import { channelEvent } from '../channels/channel-wire.ts'
import { countMessage, messageCount } from '../channels/message-count.ts'
import { totalsAround, totalsOf, unreadUnder } from '../threads/thread-totals.ts'
import { composeMessages } from './compose-messages.ts'
import { uncount } from './delete-for-me.ts'
import { missing } from './message-access.ts'
import { recipientsNow } from './message-recipients.ts'
import { messageById, updateMessage } from './message-store.ts'
import { changeParent } from './post-reply.ts'

/**
 * Hides a message from all users but its author, who does not learn of it [administration.md 7.4].
 */
export async function shadowMessage(server: Server, access: Access, id: string): Promise<void> {
  const { app, cid } = access.channel
  await server.commit.write(app, [cid], async (batch) => {
    const row = await messageById(batch.db, app, id)
    if (!row) throw missing(id)
    if (!row.shadowed && row.deleted_at === null) await hideFromOthers(server, batch, row)
  })
}

/** The same inside another write; returns the message as it is now. */
export async function hideFromOthers(server: Server, batch: Batch, row: MessageRow): Promise<MessageRow> {
  const { app, cid, id } = row
  const channel = batch.channel(app, cid)!
  const at = batch.nextTime(channel)
  // `updated_at` does not change, so that the author cannot notice.
  const change = { shadowed: 1, counted: 0 } as const
  const hidden: MessageRow = { ...row, ...change }
  countMessage(channel, row, -1)
  const effects = [...(await uncount(batch, [row], true)).values()]
  const unread = await unreadUnder(server, batch.db, [row])
  await updateMessage(batch.db, app, id, change)
  const around = (await totalsAround(server, batch.db, [row]))(row)
  const threads = around ?? (await totalsOf(server, batch.db, app, unread))

  const [message] = await composeMessages(
    server,
    app,
    [{ ...hidden, deleted_at: at, shadowed: 0 }],
    undefined,
    batch.db,
  )
  const body = channelEvent(channel, 'message.deleted', at, {
    message,
    message_id: id,
    // The next query of these users does not return it.
    hard_delete: true,
    ...messageCount(server, channel),
  })
  batch.publish(channel, 'message.deleted', {
    at,
    watchers: body,
    ...(await recipientsNow(server, batch.db)(row)),
    except: row.user_id,
    others: { body, except: row.user_id, onlyChanged: true },
    totals: 'members',
    ...(threads && { threads }),
    effects,
  })
  const parent = row.parent_id === null ? undefined : await messageById(batch.db, app, row.parent_id)
  if (parent) await changeParent(server, batch, channel, parent, { reply_count: parent.reply_count - 1 })
  return hidden
}
