import type { CommandText, User } from '@parley/client'
import type { Command } from '@parley/protocol/commands'
import type { TextKey } from '../i18n/translate.ts'

/** The commands of every server, for which the kit has texts; other commands bring their own. */
const builtIn = ['giphy', 'ban', 'unban', 'mute', 'unmute'] as const
const builtInCalled = (name: string) => builtIn.find((one) => one === name)

/** The description of a command, in one line. */
export function aboutCommand(t: (key: TextKey) => string, { name, description }: Command): string {
  const known = builtInCalled(name)
  return known ? t(`command.${known}`) : description
}

/** The arguments of a command, in a few words. */
export function askedBy(t: (key: TextKey) => string, { name, args }: Command): string {
  const known = builtInCalled(name)
  return known ? t(`command.${known}.asks`) : args
}

/** Whether a command acts on a user. */
function isAboutSomebody({ args }: Command): boolean {
  return args.startsWith('[@')
}

/** It acts on a user, and none is named yet. */
export function lacksSomebody({ command, args }: CommandText, mentioned: readonly User[]): boolean {
  if (!isAboutSomebody(command)) return false
  return !/^@\S/.test(args) && !mentioned.some((user) => args.includes(`@${user.name || user.id}`))
}
