import { Command } from '@parley/protocol/channels'
import { answer } from '@parley/protocol/wire'
import Type from 'typebox'
import { builtInCommands } from '../channels/channel-types.ts'
import { ChatError } from '../chat-error.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'

const list = endpoint(
  {
    name: 'ListCommands',
    method: 'GET',
    path: '/commands',
    answer: answer({ commands: Type.Array(Command) }),
  },
  async () => ({ commands: builtInCommands }),
)

const get = endpoint(
  { name: 'GetCommand', method: 'GET', path: '/commands/:name', answer: answer(Command.properties) },
  async ({ params }) => {
    const command = builtInCommands.find(({ name }) => name === params.name)
    if (!command) throw new ChatError('DoesNotExistError', `Can't find command with name ${params.name}`)
    return command
  },
)

export const commandEndpoints: Endpoint[] = [list, get]
