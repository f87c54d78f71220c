/** Messages that a member deletes only for themselves [messaging.md 5.7]. */
import { DELETED_FOR_ME } from '@parley/protocol/limits'
import type { Message } from '@parley/protocol/messages'
import { ChatError } from '../../platform/chat-error.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { MessageRow, UserRow } from '../../platform/database/tables.ts'
import type { Effect } from '../../platform/realtime/publication.ts'
import type { Server } from '../../server.ts'
import { type Access, notAllowed, stillThere } from '../channels/channel-access.ts'
import { channelEvent } from '../channels/channel-wire.ts'
import { setUncounted } from '../reads/counting.ts'
import { setAside } from '../reads/set-aside.ts'
import { totalsOf } from '../threads/thread-totals.ts'
import { userSummariesOf } from '../users/user-summaries.ts'
import { composeMessages } from './compose-messages.ts'
import { deletedInChannels, deletersOf, insertDeletedForMe } from './deleted-for-me-store.ts'
import { missing } from './message-access.ts'
import { countedBy } from './message-recipients.ts'
import { messageById } from './message-store.ts'
import { countsFor } from './unread-messages.ts'

/**
 * Makes a message a tombstone for one member, on all their devices. It no longer counts as unread for them.
 *
 * @throws ChatError NotAllowedError (17) — the caller is not a member
 * @throws ChatError InputError (4) — it is deleted, or the member deleted a hundred messages of the channel already
 */
export async function deleteForMe(server: Server, access: Access, id: string, user: UserRow): Promise<Message> {
  const { app, cid } = access.channel
  if (!access.member) throw notAllowed(access, 'delete-message')
  return server.commit.write(app, [cid], async (batch) => {
    const row = await messageById(batch.db, app, id)
    if (!row) throw missing(id)
    if (row.deleted_at !== null) throw new ChatError('InputError', `message ${id} is deleted`)
    const channel = stillThere(batch, access.channel)
    const deleted = await deletedInChannels(batch.db, batch.dialect, app, user.id, [cid])
    const before = deleted.find(({ message_id }) => message_id === id)
    const at = before?.at ?? batch.nextTime(channel)
    const [message] = await composeMessages(server, app, [row], user.id, batch.db, {
      deletedForMe: new Map([[id, at]]),
    })
    if (before) return message!
    if (deleted.length >= DELETED_FOR_ME)
      throw new ChatError('InputError', `you have deleted ${DELETED_FOR_ME} messages of this channel for yourself`)

    await insertDeletedForMe(batch.db, { app, cid, user_id: user.id, message_id: id, at })
    const read = row.counted && row.user_id !== user.id ? await setAside(batch, row, [user.id], 1) : undefined
    const threads = row.parent_id === null ? undefined : await totalsOf(server, batch.db, app, [user.id])
    const userSummary = (await userSummariesOf(server, app, [user.id])).of(user.id)
    batch.publish(channel, 'message.deleted', {
      at,
      personal: [
        {
          users: [user.id],
          totals: true,
          ...(threads && { threads: threads[user.id]! }),
          body: channelEvent(channel, 'message.deleted', at, {
            message: { ...message, own_reactions: [] },
            message_id: id,
            user: userSummary,
            hard_delete: false,
            deleted_for_me: true,
          }),
        },
      ],
      ...(read && { effects: [{ do: 'read', user: user.id, ordinal: read.ordinal, unread: read.unread }] }),
    })
    return message!
  })
}

/**
 * Removes the countable ones of these messages of a channel from all unread counts, or puts them back. The counts of
 * members who deleted a message for themselves do not change.
 *
 * @returns the effect on unread counts, by message id
 */
export async function uncount(
  batch: Batch,
  messages: readonly MessageRow[],
  gone: boolean,
): Promise<Map<string, Effect>> {
  const rows = messages.filter((row) => row.counted)
  const [first] = rows
  if (!first) return new Map()
  const ids = rows.map((row) => row.id)
  const deleters = await deletersOf(batch.db, batch.dialect, first.app, ids)
  const exceptFor = (row: MessageRow) => deleters(row.id).filter((id) => countsFor(row, id))
  await setUncounted(batch.db, batch.dialect, rows, gone)
  for (const row of rows) {
    const except = exceptFor(row)
    if (except.length > 0) await setAside(batch, row, except, gone ? -1 : 1)
  }
  return new Map(
    rows.map((row) => {
      const except = exceptFor(row)
      const effect: Effect = {
        do: gone ? 'uncount' : 'recount',
        ordinal: row.ordinal,
        author: row.user_id,
        postedAt: row.created_at,
        ...countedBy(row),
        ...(except.length > 0 && { except }),
      }
      return [row.id, effect]
    }),
  )
}

/** The ids of the messages a user deleted for themselves in these channels, by cid. */
export async function deletedForMeIn(
  server: Server,
  app: string,
  userId: string,
  cids: readonly string[],
): Promise<Map<string, string[]>> {
  const { read, dialect } = server.database
  const byCid = Map.groupBy(await deletedInChannels(read, dialect, app, userId, cids), (row) => row.cid)
  return new Map([...byCid].map(([cid, rows]) => [cid, rows.map((row) => row.message_id)]))
}
