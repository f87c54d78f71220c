import type { Server } from '../../server.ts'
import { setLastActive } from './user-store.ts'

/** Writes that these users are active, in one transaction with other pending writes. */
export async function touchLastActive(server: Server, app: string, userIds: readonly string[]): Promise<void> {
  const rows = await server.users.getAll(app, userIds)
  const seen = [...rows.values()].filter((user) => !user.invisible)
  if (seen.length === 0) return
  await server.commit.writeAlong(app, async (batch) => {
    const ids = seen.map((user) => user.id)
    const at = batch.now()
    await setLastActive(batch.db, batch.dialect, app, ids, at)
    for (const id of ids) batch.seenUsers.set(`${app}|${id}`, at)
  })
}
