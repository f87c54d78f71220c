import { Command } from '@parley/protocol/commands'
import { RunMessageActionAnswer, RunMessageActionRequest } from '@parley/protocol/messages'
import { answer } from '@parley/protocol/wire'
import Type from 'typebox'
import { ChatError } from '../chat-error.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
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

export const commandEndpoints: Endpoint[] = [list, get, action]
