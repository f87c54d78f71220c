import { Command, CreateCommandRequest, UpdateCommandRequest } from '@parley/protocol/commands'
import { RunMessageActionAnswer, RunMessageActionRequest } from '@parley/protocol/messages'
import { answer } from '@parley/protocol/wire'
import Type from 'typebox'
import { type Endpoint, endpoint } from '../../chat/api/endpoint.ts'
import { ChatError } from '../../platform/chat-error.ts'
import { createCommand, deleteCommand, updateCommand } from './change-commands.ts'
import { runAction } from './run-action.ts'

const list = endpoint(
  {
    name: 'ListCommands',
    method: 'GET',
    path: '/commands',
    answer: answer({ commands: Type.Array(Command) }),
  },
  async ({ caller }) => ({ commands: [...caller.app.commands.values()] }),
)

const get = endpoint(
  { name: 'GetCommand', method: 'GET', path: '/commands/:name', answer: answer(Command.properties) },
  async ({ caller, params }) => {
    const command = caller.app.commands.get(params.name!)
    if (!command) throw new ChatError('DoesNotExistError', `Can't find command with name ${params.name}`)
    return command
  },
)

const create = endpoint(
  {
    name: 'CreateCommand',
    method: 'POST',
    path: '/commands',
    body: CreateCommandRequest,
    answer: answer({ command: Command }),
    serverOnly: true,
    status: 201,
  },
  async ({ caller, body }, server) => ({ command: await createCommand(server, caller.app, body) }),
)

const update = endpoint(
  {
    name: 'UpdateCommand',
    method: 'PUT',
    path: '/commands/:name',
    body: UpdateCommandRequest,
    answer: answer({ command: Command }),
    serverOnly: true,
  },
  async ({ caller, params, body }, server) => ({
    command: await updateCommand(server, caller.app, params.name!, body),
  }),
)

const remove = endpoint(
  {
    name: 'DeleteCommand',
    method: 'DELETE',
    path: '/commands/:name',
    answer: answer({ name: Type.String() }),
    serverOnly: true,
  },
  async ({ caller, params }, server) => {
    await deleteCommand(server, caller.app, params.name!)
    return { name: params.name! }
  },
)

const action = endpoint(
  {
    name: 'RunMessageAction',
    method: 'POST',
    path: '/messages/:id/action',
    body: RunMessageActionRequest,
    answer: RunMessageActionAnswer,
    status: 201,
  },
  async ({ caller, params, body }, server) => {
    const message = await runAction(server, caller, params.id!, body.form_data)
    return message ? { message } : {}
  },
)

export const commandEndpoints: Endpoint[] = [list, get, create, update, remove, action]
