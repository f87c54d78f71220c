import type { Server } from '../../server.ts'
import type { TaskRow } from '../database/tables.ts'
import { openTasksOfKinds, taskById, tasksOfKinds } from './task-store.ts'

/** A task of an app by its id. */
export function taskOf({ database }: Server, app: string, id: string): Promise<TaskRow | undefined> {
  return taskById(database.read, app, id)
}

/** Whether a task has come to its end, well or not. */
export async function taskIsOver({ database }: Server, app: string, id: string): Promise<boolean> {
  const task = await taskById(database.read, app, id)
  return task === undefined || task.status === 'completed' || task.status === 'failed'
}

/** What the tasks of some kinds are about that have not come to their end. */
export async function inputsToDo({ database }: Server, app: string, kinds: readonly string[]): Promise<unknown[]> {
  return (await openTasksOfKinds(database.read, app, kinds)).map(({ input_json }) => JSON.parse(input_json))
}

/** The tasks of some kinds that came to their end well, or may yet, with what they are to do and came to. */
export async function tasksWithInput({ database }: Server, app: string, kinds: readonly string[]) {
  const rows = await tasksOfKinds(database.read, app, kinds)
  return rows.map(({ id, kind, input_json, result_json }) => ({
    id,
    kind,
    input: JSON.parse(input_json) as unknown,
    result: JSON.parse(result_json ?? 'null') as unknown,
  }))
}
