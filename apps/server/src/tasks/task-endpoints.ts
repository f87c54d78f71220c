import { TaskAnswer } from '@parley/protocol/tasks'
import { ChatError } from '../chat-error.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { isoOf } from '../micros.ts'
import { taskById } from './task-store.ts'

const get = endpoint(
  { name: 'GetTask', method: 'GET', path: '/tasks/:id', answer: TaskAnswer, serverOnly: true },
  async ({ caller, params }, { database }) => {
    const task = await taskById(database.read, caller.app.id, params.id!)
    if (!task) throw new ChatError('DoesNotExistError', `Can't find task with id ${params.id}`)
    return {
      task_id: task.id,
      status: task.status,
      created_at: isoOf(task.created_at),
      updated_at: isoOf(task.updated_at),
      ...(task.result_json !== null && { result: JSON.parse(task.result_json) }),
      ...(task.error_json !== null && { error: JSON.parse(task.error_json) }),
    }
  },
)

export const taskEndpoints: Endpoint[] = [get]
