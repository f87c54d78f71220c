/** What is left of the history of a channel that is emptied for good. */
import type { Batch } from '../../platform/database/batch.ts'
import type { Task, TaskKind } from '../../platform/tasks/tasks.ts'
import type { Server } from '../../server.ts'
import { eraseMessagesPage } from './message-store.ts'

/** Messages one write erases: few enough that nobody waits for it. */
const PAGE = 200

interface Erasing {
  cid: string
  /** Only what is older than this. */
  before: number
}

/** Erases what was said in a channel before a time, which nobody can see any more, and what the log knows of it. */
export const erasingMessages: TaskKind<Erasing, object> = {
  name: 'erase-messages',
  async run(server, task) {
    await eraseMessages(server, task, task.input)
    return {}
  },
}

export async function eraseMessages(server: Server, task: Task<unknown, object>, { cid, before }: Erasing) {
  const eachPage = async (erase: (batch: Batch) => Promise<boolean>) => {
    const page = () =>
      server.commit.write(task.app, [], async (batch) => {
        const more = await erase(batch)
        await task.save(batch, {})
        return more
      })
    while (await page());
  }
  await eachPage(async ({ db, dialect }) => (await eraseMessagesPage(db, dialect, task.app, cid, before, PAGE)) > 0)
  for (const { erasePage } of server.extensions.messages)
    if (erasePage) await eachPage((batch) => erasePage(batch, task.app, cid, before))
}
