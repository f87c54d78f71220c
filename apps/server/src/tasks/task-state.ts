import type { Server } from '../server.ts'
import { taskById, tasksCompleted } from './task-store.ts'

/** Whether a task has come to its end, well or not. */
export async function taskIsOver({ database }: Server, app: string, id: string): Promise<boolean> {
  const task = await taskById(database.read, app, id)
  return task === undefined || task.status === 'completed' || task.status === 'failed'
}

/** The tasks of some kinds that came to their end well, with what they were to do and what came of it. */
export async function completedTasks({ database }: Server, app: string, kinds: readonly string[]) {
  const rows = await tasksCompleted(database.read, app, kinds)
  return rows.map(({ kind, input_json, result_json }) => ({
    kind,
    input: JSON.parse(input_json) as unknown,
    result: JSON.parse(result_json!) as unknown,
  }))
}
