import type { CommandText, User } from '@parley/client'
import type { Command } from '@parley/protocol/commands'
import type { TextKey } from '../i18n/translate.ts'

/** The commands that every server knows, about which the kit has words; others bring their own. */
const builtIn = ['giphy', 'ban', 'unban', 'mute', 'unmute'] as const
const builtInCalled = (name: string) => builtIn.find((one) => one === name)

/** What a command does, in one line. */
export function aboutCommand(t: (key: TextKey) => string, { name, description }: Command): string {
  const known = builtInCalled(name)
  return known ? t(`command.${known}`) : description
}

/** What has to be said after a command, in a few words. */
export function askedBy(t: (key: TextKey) => string, { name, args }: Command): string {
  const known = builtInCalled(name)
  return known ? t(`command.${known}.asks`) : args
}

/** Whether a command acts upon somebody. */
function isAboutSomebody({ args }: Command): boolean {
  return args.startsWith('[@')
}

/** It acts upon somebody, and nobody is named yet. */
export function lacksSomebody({ command, args }: CommandText, mentioned: readonly User[]): boolean {
  if (!isAboutSomebody(command)) return false
  return !/^@\S/.test(args) && !mentioned.some((user) => args.includes(`@${user.name || user.id}`))
}
