/** Custom slash commands; only for the application's own server [administration.md 4.2]. */
import type { Calling } from '../calling.ts'
import type { Answer, CallOptions, Command } from '../shapes.ts'

export type CommandRequest = { name: string; description: string; args?: string; set?: string }

export function listCommands(client: Calling, call: CallOptions = {}): Promise<Answer<{ commands: Command[] }>> {
  return client.request('GET', '/commands', call)
}

export function getCommand(client: Calling, name: string, call: CallOptions = {}): Promise<Answer<Command>> {
  return client.request('GET', commandPath(name), call)
}

export function createCommand(
  client: Calling,
  command: CommandRequest,
  call: CallOptions = {},
): Promise<Answer<{ command: Command }>> {
  return client.request('POST', '/commands', { body: command, ...call })
}

export function updateCommand(
  client: Calling,
  name: string,
  command: Partial<Omit<CommandRequest, 'name'>>,
  call: CallOptions = {},
): Promise<Answer<{ command: Command }>> {
  return client.request('PUT', commandPath(name), { body: command, ...call })
}

export function deleteCommand(
  client: Calling,
  name: string,
  call: CallOptions = {},
): Promise<Answer<{ name: string }>> {
  return client.request('DELETE', commandPath(name), call)
}

function commandPath(name: string): string {
  return `/commands/${encodeURIComponent(name)}`
}
