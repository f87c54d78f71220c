import type { CommandText, User } from '@parley/client'
import type { Command } from '@parley/protocol/commands'
import type { TextKey } from '../i18n/translate.ts'

/** What the kit itself says about the commands that every server knows; others bring their own words. */
const builtIn: Record<string, { about: TextKey; asks: TextKey }> = {
  giphy: { about: 'command.giphy', asks: 'command.giphy.asks' },
  ban: { about: 'command.ban', asks: 'command.ban.asks' },
  unban: { about: 'command.unban', asks: 'command.unban.asks' },
  mute: { about: 'command.mute', asks: 'command.mute.asks' },
  unmute: { about: 'command.unmute', asks: 'command.unmute.asks' },
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

/** Whether a command acts upon somebody. */
export function isAboutSomebody({ args }: Command): boolean {
  return args.startsWith('[@')
}

/** It acts upon somebody, and nobody is named yet. */
export function lacksSomebody({ command, args }: CommandText, mentioned: readonly User[]): boolean {
  if (!isAboutSomebody(command)) return false
  return !/^@\S/.test(args) && !mentioned.some((user) => args.includes(`@${user.name || user.id}`))
}
