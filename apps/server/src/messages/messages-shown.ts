import type { Message } from '@parley/protocol/messages'
import type { Server } from '../server.ts'
import { composeMessages } from './compose-messages.ts'
import { messagesByIds } from './message-store.ts'

/** The messages there are among these, as moderators see them, by id. */
export async function messagesShown(
  server: Server,
  app: string,
  ids: readonly string[],
): Promise<Map<string, Message>> {
  const rows = await messagesByIds(server.database.read, server.database.dialect, app, ids)
  return new Map((await composeMessages(server, app, rows, undefined)).map((message) => [message.id, message]))
}
