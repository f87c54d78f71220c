import type { Message } from '@parley/protocol/messages'
import type { Kysely } from 'kysely'
import type { Tables } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { composeMessages } from './compose-messages.ts'
import { messagesByIds } from './message-store.ts'

/**
 * Messages as moderators see them, by id; missing ones are left out.
 *
 * @param db the transaction, if it may have written them
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
