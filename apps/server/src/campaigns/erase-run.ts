import type { Batch } from '../database/group-commit.ts'
import type { Server } from '../server.ts'
import type { TaskKind } from '../tasks/tasks.ts'
import { deleteRunPage } from './campaign-store.ts'

/** Targets one write erases. */
const PAGE = 1_000

/** Erases who was to get a campaign, and what they got; their messages stay. */
export const erasingRun: TaskKind<{ run: string }, object> = {
  name: 'erase-campaign-targets',
  async run(server, task) {
    const page = () =>
      server.commit.write(task.app, [], async (batch) => {
        const erased = await deleteRunPage(batch.db, batch.dialect, task.app, task.input.run, PAGE)
        await task.save(batch, {})
        return erased
      })
    while ((await page()) === PAGE);
    return {}
  },
}

export async function beginErasing(server: Server, batch: Batch, app: string, run: string) {
  await server.tasks.begin(batch, app, erasingRun.name, { run })
}
