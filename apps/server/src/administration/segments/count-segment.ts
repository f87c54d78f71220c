import type { Batch } from '../../platform/database/batch.ts'
import type { SegmentRow } from '../../platform/database/tables.ts'
import type { TaskKind } from '../../platform/tasks/tasks.ts'
import type { Server } from '../../server.ts'
import { countAfter, segmentById, setCount } from './segment-store.ts'
import { targetsOf } from './targets-of-segment.ts'

/** Targets counted per query. */
const PAGE = 5_000

interface Progress {
  size: number
  after: string
}

/** Counts the targets of a segment with a filter, or of all users [administration.md 12.1]. */
export const countingSegment: TaskKind<{ id: string }, Progress> = {
  name: 'count-segment',
  async run(server, task) {
    const { app, id: taskId, input, progress } = task
    let { size, after } = progress ?? { size: 0, after: '' }
    for (;;) {
      const segment = await segmentById(server.database.read, app, input.id)
      // It was deleted, or changed and is counted by another task.
      if (segment?.task_id !== taskId) return {}
      const { count, last } = await countAfter(server.database.read, targetsOf(server, segment), after, PAGE)
      size += count
      after = last ?? after
      await server.commit.write(app, [], async (batch) => {
        await task.save(batch, { size, after })
        if (count < PAGE) await setCount(batch.db, app, taskId, input.id, size)
      })
      if (count < PAGE) return { size }
    }
  },
}

/** Starts counting; returns the task's id, for the segment's row. */
export function beginCounting(server: Server, batch: Batch, { app, id }: SegmentRow): Promise<string> {
  return server.tasks.begin(batch, app, countingSegment.name, { id })
}

/** Whether a task counts it: other segments are counted on change, or never. */
export function isCounted({ filter_json, all_users }: SegmentRow): boolean {
  return filter_json !== null || all_users === 1
}
