import type { Message } from '@parley/protocol/messages'
import type { Kysely } from 'kysely'
import type { Tables } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { composeMessages } from './compose-messages.ts'
import { messagesByIds } from './message-store.ts'

/**
 * The messages there are among these, as moderators see them, by id.
 *
 * @param db the transaction, where they may have been written in it
 */
export async function messagesShown(
  server: Server,
  app: string,
  ids: readonly string[],
  db: Kysely<Tables> = server.database.read,
): Promise<Map<string, Message>> {
  const rows = await messagesByIds(db, server.database.dialect, app, ids)
  return new Map((await composeMessages(server, app, rows, undefined, db)).map((message) => [message.id, message]))
}
