import type { Server } from '../../server.ts'
import { messagesByIds } from './message-store.ts'

/** The ids of those messages that are stored; one query for all. */
export async function storedAmong(server: Server, app: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await messagesByIds(server.database.read, server.database.dialect, app, ids)
  return new Set(rows.map((row) => row.id))
}
