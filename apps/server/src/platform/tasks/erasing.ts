import type { Batch } from '../database/batch.ts'
import type { TaskKind } from './tasks.ts'

/**
 * A task that erases unreachable data, one page per write, so that no call waits for it.
 *
 * @param page erases some of it; returns whether there may be more
 */
export function erasing<Input>(
  name: string,
  page: (batch: Batch, app: string, input: Input) => Promise<boolean>,
): TaskKind<Input, object> {
  return {
    name,
    async run({ commit }, task) {
      const write = () =>
        commit.write(task.app, [], async (batch) => {
          await task.save(batch, {})
          return page(batch, task.app, task.input)
        })
      while (await write());
      return {}
    },
  }
}
