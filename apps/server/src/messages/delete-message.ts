import type { Message } from '@parley/protocol/messages'
import type { Access } from '../channels/channel-access.ts'
import { channelEvent } from '../channels/channel-wire.ts'
import type { MessageRow, UserRow } from '../database/tables.ts'
import { setUncounted } from '../reads/counting.ts'
import type { Effect } from '../realtime/publication.ts'
import type { Server } from '../server.ts'
import { facesOf } from '../users/faces.ts'
import { composeMessages } from './compose-messages.ts'
import { missing } from './message-access.ts'
import { eraseMessage, messageById, updateMessage } from './message-store.ts'
import { changeParent } from './post-reply.ts'

/**
 * Deletes a message: softly it stays as a tombstone [MSG-23, MSG-36]; hard, it goes with its reactions and
 * replies [MSG-24]. A counted message counts no more for those who had not read it.
 */
export async function deleteMessage(
  server: Server,
  access: Access,
  id: string,
  { hard }: { hard: boolean },
  deleter: UserRow | undefined,
): Promise<Message> {
  const { app, cid } = access.channel
  return server.commit.write(app, [cid], async (batch) => {
    const row = await messageById(batch.db, app, id)
    if (!row) throw missing(id)
    const channel = batch.channel(app, cid)!
    if (row.deleted_at !== null && !hard) {
      const [message] = await composeMessages(server, app, [row], deleter?.id, batch.db)
      return message!
    }

    const at = batch.nextTime(channel)
    const gone: MessageRow = { ...row, deleted_at: row.deleted_at ?? at, updated_at: at }
    const [heard] = await composeMessages(server, app, [gone], undefined, batch.db)
    const effects: Effect[] = []
    const uncount = async (message: MessageRow) => {
      if (!message.counted || message.deleted_at !== null) return
      await setUncounted(batch.db, message, true)
      effects.push({ do: 'uncount', ordinal: message.ordinal, author: message.user_id })
    }
    await uncount(row)
    if (hard) for (const reply of await eraseMessage(batch.db, app, id)) await uncount(reply)
    else await updateMessage(batch.db, app, id, { deleted_at: at, updated_at: at })

    const user = deleter && (await facesOf(server, app, [deleter.id])).of(deleter.id)
    const body = channelEvent(channel, 'message.deleted', at, {
      message: heard,
      message_id: id,
      hard_delete: hard,
      ...(user && { user }),
    })
    batch.publish(channel, 'message.deleted', {
      at,
      watchers: body,
      // A badge elsewhere must not go on counting a message that is gone [READ-18].
      others: { body, onlyChanged: true },
      totals: 'members',
      effects,
    })
    if (row.parent_id !== null && row.deleted_at === null) {
      const parent = await messageById(batch.db, app, row.parent_id)
      if (parent)
        await changeParent(server, batch, channel, parent, {
          reply_count: Math.max(0, parent.reply_count - 1),
          ...(!hard && { deleted_reply_count: parent.deleted_reply_count + 1 }),
        })
    }
    return { ...heard!, ...(hard && { latest_reactions: [], own_reactions: [] }) }
  })
}
