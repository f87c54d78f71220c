import type { Message } from '@parley/protocol/messages'
import type { Server } from '../../server.ts'
import type { Access } from '../channels/channel-access.ts'
import { composeMessages } from './compose-messages.ts'
import { deletedAmong } from './deleted-for-me-store.ts'
import { isWithin, sightOf } from './message-access.ts'
import { messagesByIds } from './message-store.ts'

/**
 * Messages as an event would show them to a reader now, by id; messages that are deleted for good, or that the reader
 * cannot see, are left out.
 *
 * @param open  the reader's access, by cid; messages of other channels are left out
 */
export async function messagesNow(
  server: Server,
  app: string,
  ids: readonly string[],
  readerId: string,
  open: ReadonlyMap<string, Access>,
): Promise<Map<string, Message>> {
  const { read, dialect } = server.database
  const wanted = [...new Set(ids)]
  const rows = await messagesByIds(read, dialect, app, wanted)
  const seen = rows.filter((row) => open.has(row.cid) && isWithin(row, sightOf(open.get(row.cid)!)))
  const gone = await deletedAmong(read, dialect, app, readerId, wanted)
  const deletedForMe = new Map(gone.map(({ message_id, at }) => [message_id, at]))
  const composed = await composeMessages(server, app, seen, readerId, read, { asEvent: true, deletedForMe })
  return new Map(composed.map((message) => [message.id, message]))
}
