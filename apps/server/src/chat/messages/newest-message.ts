import type { MessageRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { messageById, newestMessages } from './message-store.ts'

/** A message by id, for the app's server, which may see all messages. */
export function messageIn(server: Server, app: string, id: string): Promise<MessageRow | undefined> {
  return messageById(server.database.read, app, id)
}

/** The newest message of these channels. */
export async function newestMessageIn(
  server: Server,
  app: string,
  cids: readonly string[],
): Promise<MessageRow | undefined> {
  const since = new Map(cids.map((cid) => [cid, 0]))
  const { read, dialect } = server.database
  const rows = await newestMessages(read, dialect, app, since, 1, undefined, [])
  return rows.reduce<MessageRow | undefined>(
    (newest, row) => (newest && newest.created_at > row.created_at ? newest : row),
    undefined,
  )
}
