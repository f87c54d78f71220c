import type { LocalMessage } from '@parley/client'
import type { TextKey, Translate } from '../i18n/translate.ts'

/**
 * The results of the commands that act on a user, in the server's text after the user's name, and the kit's text for
 * each.
 */
const outcomes: Readonly<Record<string, { said: string; key: TextKey }>> = {
  ban: { said: ' is banned from this channel.', key: 'ban.done' },
  unban: { said: ' may write in this channel again.', key: 'unban.done' },
  mute: { said: ' is muted for you.', key: 'mute.done' },
  unmute: { said: ' is no longer muted for you.', key: 'unmute.done' },
  flag: { said: ' is reported to the moderators.', key: 'outcome.flag' },
}

/** The result of a command, in the reader's language. */
export interface Outcome {
  text: string
  /** the reason for a failure, in the server's text */
  details?: string
}

type Answered = Pick<LocalMessage, 'type' | 'text' | 'command'>

/** Undefined for every other message, and for an answer with an unknown text: then its own text is shown. */
export function outcomeOf(t: Translate, { type, text, command = '' }: Answered): Outcome | undefined {
  const known = Object.hasOwn(outcomes, command) ? outcomes[command] : undefined
  if (!known) return undefined
  if (type === 'error') return { text: t('outcome.failed', { command: `/${command}` }), details: text }
  if (type !== 'ephemeral' || !text.endsWith(known.said)) return undefined
  return { text: t(known.key, { name: text.slice(0, -known.said.length) }) }
}
