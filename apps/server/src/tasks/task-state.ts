import type { Server } from '../server.ts'
import { taskById } from './task-store.ts'

/** Whether a task has come to its end, well or not. */
export async function taskIsOver({ database }: Server, app: string, id: string): Promise<boolean> {
  const task = await taskById(database.read, app, id)
  return task === undefined || task.status === 'completed' || task.status === 'failed'
}
