import type { Command } from '@parley/protocol/commands'
import { merged } from '../live.ts'
import type { ChannelData } from '../shapes.ts'

/** A text that begins with a command. */
export interface CommandText {
  readonly command: Command
  /** Its arguments. */
  readonly args: string
}

/** Commands that require a capability; all users may run the others [CMD-10]. */
const capabilities: Record<string, string> = {
  ban: 'ban-channel-members',
  unban: 'ban-channel-members',
  flag: 'flag-message',
}

/** The channel's commands that the user may run [CMD-10]. */
export function usableCommands({ config, own_capabilities = [] }: ChannelData): readonly Command[] {
  const commands: readonly Command[] = config?.commands ?? []
  return commands.filter(({ name }) => !capabilities[name] || own_capabilities.includes(capabilities[name]))
}

/** The command a text begins with, as `/giphy cats` does; it needs the space behind its name. @param known  the last */
export function commandIn(data: ChannelData, text: string, known?: CommandText): CommandText | undefined {
  const [, name, args = ''] = /^\/([\w-]+)\s(.*)$/s.exec(text) ?? []
  const command = usableCommands(data).find((one) => one.name === name)
  return command && (known ? merged(known, { command, args }) : { command, args })
}
