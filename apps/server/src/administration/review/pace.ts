import { createHash } from 'node:crypto'
import { PACE_MESSAGES, PACE_SECONDS } from '@parley/protocol/limits'
import { mayHaveLinks } from '@parley/protocol/text/addresses'
import type { Verdict } from '../../chat/messages/text-moderation.ts'
import type { Clock } from '../../platform/clock.ts'
import { stronger } from '../block-lists/verdict.ts'
import { compared, type KnownConfig, type PaceRule } from './known-configs.ts'

/** Users whose messages are remembered; the least recently active user is dropped, which bounds the memory. */
const USERS_MAX = 10_000

interface Said {
  at: number
  identical: string
  similar: string
  hasLink: boolean
}

/**
 * Tracks how fast users write, for apps with rules on it. Every node counts for itself, as with rate limits: a message
 * does not wait for another node.
 */
export class Pace {
  #clock: Clock
  #said = new Map<string, Said[]>()
  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Records a message and returns the strongest verdict of a configuration's rules. */
  verdictOn(app: string, userId: string, text: string, { pace, allowed, config }: Asked): Verdict | undefined {
    if (pace.length === 0) return undefined
    const now = this.#clock.now()
    const key = `${app}|${userId}`
    const known = (this.#said.get(key) ?? []).filter(({ at }) => at > now - PACE_SECONDS * 1000)
    const said = [...known.slice(1 - PACE_MESSAGES), saidNow(text, now)]
    this.#said.delete(key)
    this.#said.set(key, said)
    if (this.#said.size > USERS_MAX) this.#said.delete(this.#said.keys().next().value!)
    let verdict: Verdict | undefined
    for (const rule of pace) {
      if (rule.by === 'flood' && allowed.has(compared(text))) continue
      if (counted(rule, said, now) < rule.threshold) continue
      const { does, by, ban } = rule
      verdict = stronger(verdict, { does, by, text, ...(config && { config: config.key }), ...(ban && { ban }) })
    }
    return verdict
  }
}

type Asked = Pick<KnownConfig, 'pace' | 'allowed'> & { config?: KnownConfig['config'] }

function counted({ seconds, onlyLinks, same }: PaceRule, said: readonly Said[], now: number): number {
  const last = said.at(-1)!
  if (onlyLinks && !last.hasLink) return 0
  return said.filter(
    (one) =>
      one.at > now - seconds * 1000 && (!onlyLinks || one.hasLink) && (same === undefined || one[same] === last[same]),
  ).length
}

function saidNow(text: string, at: number): Said {
  return {
    at,
    identical: digest(compared(text)),
    // Punctuation and repeated letters make no difference: `Buuuy!!!` equals `buy`.
    similar: digest(
      compared(text)
        .replace(/[^\p{L}\p{N}]+/gu, '')
        .replace(/(.)\1+/gu, '$1'),
    ),
    hasLink: mayHaveLinks(text),
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
