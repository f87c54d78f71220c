/** Erases the remaining history of a channel that is truncated for good. */
import type { Batch } from '../../platform/database/batch.ts'
import type { Task, TaskKind } from '../../platform/tasks/tasks.ts'
import type { Server } from '../../server.ts'
import { eraseMessagesPage } from './message-store.ts'

/** Messages erased in one write: few enough not to delay other writes. */
const PAGE = 200

interface Erasing {
  cid: string
  /** Erases only messages older than this. */
  before: number
}

/** Erases a channel's messages from before a time, which are hidden from all users, and their events in the log. */
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
