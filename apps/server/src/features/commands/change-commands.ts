import type { Command, CreateCommandRequest, UpdateCommandRequest } from '@parley/protocol/commands'
import type { App } from '../../chat/apps/app.ts'
import { changeApp } from '../../chat/apps/change-app.ts'
import { builtInCommands } from '../../chat/channels/channel-types.ts'
import { ChatError, inputError } from '../../platform/chat-error.ts'
import type { Server } from '../../server.ts'

const COMMAND_NAME = /^[A-Za-z0-9_-]{1,64}$/
/** Names of command sets in the list of a channel type [administration.md 4.1]. */
const setNames = ['all', ...builtInCommands.map(({ set }) => set)]

/** @throws ChatError InputError (4) — a malformed or taken name, or a set of such a name [CMD-13] */
export async function createCommand(
  server: Server,
  app: App,
  { name, description, args = '', set = '' }: CreateCommandRequest,
): Promise<Command> {
  if (!COMMAND_NAME.test(name)) throw inputError('name', `"${name}" may hold letters, digits, "_" and "-" only`)
  const changed = await changeApp(server, app, async (change) => {
    const { commands } = change.app
    if (commands.has(name)) throw inputError('name', `command ${name} exists`)
    // In the list of a channel type it would mean the set, too.
    if (setNames.includes(name) || [...commands.values()].some((command) => command.set === name))
      throw inputError('name', `${name} is the name of a set of commands`)
    checkSet(change.app, name, set)
    await change.put('command', name, { description, args, set })
  })
  return changed.commands.get(name)!
}

/** Changes what is named [CMD-7]. */
export async function updateCommand(
  server: Server,
  app: App,
  name: string,
  request: UpdateCommandRequest,
): Promise<Command> {
  const changed = await changeApp(server, app, async (change) => {
    const { description, args, set } = ownCommand(change.app, name)
    if (request.set !== undefined) checkSet(change.app, name, request.set)
    await change.put('command', name, {
      description: request.description ?? description,
      args: request.args ?? args,
      set: request.set ?? set,
    })
  })
  return changed.commands.get(name)!
}

/** @throws ChatError InputError (4) — a channel type names it [CMD-8] */
export async function deleteCommand(server: Server, app: App, name: string): Promise<void> {
  await changeApp(server, app, async (change) => {
    ownCommand(change.app, name)
    for (const type of change.app.types.values())
      if (type.config.commands.includes(name))
        throw inputError('name', `channels of type ${type.name} have the command ${name}; take it away there first`)
    await change.remove('command', name)
  })
}

export function isBuiltInCommand(name: string): boolean {
  return builtInCommands.some((command) => command.name === name)
}

/** @throws ChatError InputError (4) — where a channel type lists that other command, it would list this one, too */
function checkSet({ commands }: App, name: string, set: string) {
  if (set !== name && commands.has(set)) throw inputError('set', `${set} is the name of another command`)
}

/** @throws ChatError DoesNotExistError (16); InputError (4) — built-in ones stay as they are [CMD-13] */
function ownCommand(app: App, name: string): Command {
  const command = app.commands.get(name)
  if (!command) throw new ChatError('DoesNotExistError', `Can't find command with name ${name}`)
  if (isBuiltInCommand(name)) throw inputError('name', `command ${name} is built in and can't be changed`)
  return command
}
