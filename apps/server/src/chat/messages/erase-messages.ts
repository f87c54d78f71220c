/** What is left of the history of a channel that is emptied for good. */
import { forgetFlagsInChannel } from '../../administration/moderation/forget-flags.ts'
import { forgetSaidPage } from '../../features/sync/forget-events.ts'
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
  const page = () =>
    server.commit.write(task.app, [], async (batch) => {
      const erased = await eraseMessagesPage(batch.db, batch.dialect, task.app, cid, before, PAGE)
      await task.save(batch, {})
      return erased
    })
  while ((await page()) > 0);
  const forgetReports = () =>
    server.commit.write(task.app, [], async (batch) => {
      const more = await forgetFlagsInChannel(batch, task.app, cid, before)
      await task.save(batch, {})
      return more
    })
  while (await forgetReports());
  const forget = () =>
    server.commit.write(task.app, [], async (batch) => {
      const forgotten = await forgetSaidPage(batch, task.app, cid, before)
      await task.save(batch, {})
      return forgotten
    })
  while ((await forget()) > 0);
}
