import { TaskAnswer } from '@parley/protocol/tasks'
import { ChatError } from '../../platform/chat-error.ts'
import { isoOf } from '../../platform/micros.ts'
import { taskOf } from '../../platform/tasks/task-state.ts'
import { type Endpoint, endpoint } from './endpoint.ts'

/** Reads a task; exports have a second address for theirs [IMP-8]. */
export const taskAt = (name: string, path: string): Endpoint =>
  endpoint({ name, method: 'GET', path, answer: TaskAnswer, serverOnly: true }, async ({ caller, params }, server) => {
    const { tasks } = server
    const task = await taskOf(server, caller.app.id, params.id!)
    if (!task) throw new ChatError('DoesNotExistError', `Can't find task with id ${params.id}`)
    const result = tasks.shown(task) as Record<string, unknown> | undefined
    return {
      task_id: task.id,
      status: task.status,
      created_at: isoOf(task.created_at),
      updated_at: isoOf(task.updated_at),
      ...(result && { result }),
      ...(task.error_json !== null && { error: JSON.parse(task.error_json) }),
    }
  })

export const taskEndpoints: Endpoint[] = [taskAt('GetTask', '/tasks/:id')]
