import type { Command } from './commands.ts'

/** A text that calls a command of its channel. */
export interface SlashText {
  command: string
  args: string
}

/** Undefined for any other text, also for one that names no command of the channel [CMD-12]. */
export function slashTextIn(commands: readonly Command[], text: string): SlashText | undefined {
  const [, name = '', args = ''] = /^\/([A-Za-z0-9_-]+)(?:\s+(.*))?$/s.exec(text.trim()) ?? []
  return commands.some((command) => command.name === name) ? { command: name, args } : undefined
}
