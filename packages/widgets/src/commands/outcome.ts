import type { LocalMessage } from '@parley/client'
import type { TextKey, Translate } from '../i18n/translate.ts'

/** What came of the commands that act upon somebody, as the server says it after their name, and as the kit does. */
const outcomes: Readonly<Record<string, { said: string; key: TextKey }>> = {
  ban: { said: ' is banned from this channel.', key: 'ban.done' },
  unban: { said: ' may write in this channel again.', key: 'unban.done' },
  mute: { said: ' is muted for you.', key: 'mute.done' },
  unmute: { said: ' is no longer muted for you.', key: 'unmute.done' },
  flag: { said: ' is reported to the moderators.', key: 'outcome.flag' },
}

/** What came of a command, in the reader's language. */
export interface Outcome {
  text: string
  /** why it did not work, in the server's words */
  details?: string
}

type Answered = Pick<LocalMessage, 'type' | 'text' | 'command'>

/**
 * Undefined for every other message, and for an answer in other words than those known here: then its own have to do.
 */
export function outcomeOf(t: Translate, { type, text, command = '' }: Answered): Outcome | undefined {
  const known = Object.hasOwn(outcomes, command) ? outcomes[command] : undefined
  if (!known) return undefined
  if (type === 'error') return { text: t('outcome.failed', { command: `/${command}` }), details: text }
  if (type !== 'ephemeral' || !text.endsWith(known.said)) return undefined
  return { text: t(known.key, { name: text.slice(0, -known.said.length) }) }
}
