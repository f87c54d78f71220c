import { splitCid } from '@parley/protocol/cid'
import type { Message } from '@parley/protocol/messages'
import { ChatError, inputError } from '../../platform/chat-error.ts'
import type { MessageRow } from '../../platform/database/tables.ts'
import type { ThreadTotals } from '../../platform/realtime/publication.ts'
import type { Server } from '../../server.ts'
import type { Caller } from '../api/caller.ts'
import { accessChannel } from '../channels/channel-access.ts'
import { totalsOf, unreadUnder } from '../threads/thread-totals.ts'
import { existingUser } from '../users/user-access.ts'
import { sentAt, withExtras } from './extras.ts'
import { missing } from './message-access.ts'
import { messageById, removeRow, updateMessage } from './message-store.ts'
import { postMessage } from './post-message.ts'
import { undeleteMessage } from './undelete-message.ts'

/**
 * Releases a message that moderation held back: a rejected or shadowed message is delivered as new, a deleted one is
 * restored.
 *
 * @param held the row of a rejected message, which is not stored among the messages
 * @throws ChatError InputError (4) — it is not held back, or its author has used its id for another message since
 * @throws ChatError DoesNotExistError (16) — it, its author, its channel or its parent is gone
 */
export async function releaseMessage(
  server: Server,
  caller: Caller,
  id: string,
  held: MessageRow | undefined,
): Promise<Message> {
  const stored = await messageById(server.database.read, caller.app.id, id)
  const row = stored ?? held
  if (!row) throw new ChatError('DoesNotExistError', `Can't find message with id ${id}`)
  const author = await existingUser(server, row.app, row.user_id)
  const access = await accessChannel(
    server,
    { ...caller, server: true, user: author },
    splitCid(row.cid),
    'read-channel',
  )
  if (stored && stored.deleted_at !== null) return undeleteMessage(server, access, id, caller.user)
  if (stored && !stored.shadowed) throw notKeptBack(id)
  const isShown = row.parent_id === null || row.show_in_channel === 1
  const out: MessageRow = { ...row, shadowed: 0, counted: !row.silent && isShown ? 1 : 0 }
  const quoted =
    row.quoted_message_id === null ? undefined : await messageById(server.database.read, row.app, row.quoted_message_id)
  const threads: Record<string, ThreadTotals> = {}
  return postMessage(server, access, author, out, {
    quoted,
    keepDraft: true,
    threads,
    ...(stored && {
      first: async (batch) => {
        // Another request may have deleted, changed or released it since it was read.
        const now = await messageById(batch.db, row.app, id)
        if (!now) throw missing(id)
        if (now.deleted_at !== null || !now.shadowed) throw notKeptBack(id)
        const { shadowed, counted, audience_json } = out
        Object.assign(out, now, { shadowed, counted, audience_json })
        out.extras_json = withExtras(now, { sent_at: sentAt(now) })
        // Its thread is visible again to its participants, and unread for some of them.
        const created_at = batch.nextTime(batch.channel(row.app, row.cid)!)
        await updateMessage(batch.db, row.app, id, { shadowed, audience_json, created_at })
        Object.assign(threads, await totalsOf(server, batch.db, row.app, await unreadUnder(server, batch.db, [now])))
        // Only its place changes: its reactions and replies stay.
        await removeRow(batch.db, row.app, id)
      },
    }),
  })
}

function notKeptBack(id: string): ChatError {
  return inputError('item_id', `message ${id} is not kept back`)
}
