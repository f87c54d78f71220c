import type { Batch } from '../../platform/database/batch.ts'
import { erasing } from '../../platform/tasks/erasing.ts'
import type { Server } from '../../server.ts'
import { deleteRunPage } from './campaign-store.ts'

/** Targets one write deletes. */
const PAGE = 1_000

/** Deletes the targets of a campaign's run; their messages stay. */
export const erasingRun = erasing<{ run: string }>('erase-campaign-targets', async ({ db, dialect }, app, { run }) => {
  return (await deleteRunPage(db, dialect, app, run, PAGE)) === PAGE
})

export async function beginErasing(server: Server, batch: Batch, app: string, run: string) {
  await server.tasks.begin(batch, app, erasingRun.name, { run })
}
