import type { ChannelState, User } from '@parley/client'
import type { Command } from '@parley/protocol/commands'
import { may } from '../chat/channel-facts.ts'
import type { TextKey } from '../i18n/translate.ts'

/** What the kit itself says about the commands that every server knows; others bring their own words. */
const builtIn: Record<string, { about: TextKey; asks: TextKey }> = {
  giphy: { about: 'command.giphy', asks: 'command.giphy.asks' },
  ban: { about: 'command.ban', asks: 'command.ban.asks' },
  unban: { about: 'command.unban', asks: 'command.unban.asks' },
  mute: { about: 'command.mute', asks: 'command.mute.asks' },
  unmute: { about: 'command.unmute', asks: 'command.unmute.asks' },
}

/** Commands that need a right of their own; everybody may run the others [CMD-10]. */
const capabilities: Record<string, string> = {
  ban: 'ban-channel-members',
  unban: 'ban-channel-members',
  flag: 'flag-message',
}

/** The commands of a channel that the reader may use [CMD-10]. */
export function commandsOf(state: ChannelState): readonly Command[] {
  const commands: readonly Command[] = state.data.config?.commands ?? []
  return commands.filter(({ name }) => capabilities[name] === undefined || may(state, capabilities[name]))
}

/** What a command does, in one line. */
export function aboutCommand(t: (key: TextKey) => string, { name, description }: Command): string {
  const known = builtIn[name]
  return known ? t(known.about) : description
}

/** What has to be said after a command, in a few words. */
export function askedBy(t: (key: TextKey) => string, { name, args }: Command): string {
  const known = builtIn[name]
  return known ? t(known.asks) : args
}

/** A text that begins with a command. */
export interface CommandText {
  command: Command
  /** What is said after it. */
  rest: string
}

export function commandIn(commands: readonly Command[], text: string): CommandText | undefined {
  const [, name, rest = ''] = /^\/([A-Za-z0-9_-]+)\s(.*)$/s.exec(text) ?? []
  const command = commands.find((one) => one.name === name)
  return command && { command, rest }
}

/** Whether a command acts upon somebody. */
export function isAboutSomebody({ args }: Command): boolean {
  return args.startsWith('[@')
}

/** It acts upon somebody, and nobody is named yet. */
export function lacksSomebody({ command, rest }: CommandText, mentioned: readonly User[]): boolean {
  if (!isAboutSomebody(command)) return false
  return !/^@\S/.test(rest) && !mentioned.some((user) => rest.includes(`@${user.name || user.id}`))
}
