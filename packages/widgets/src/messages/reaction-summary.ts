import { byTime, type LocalMessage } from '@parley/client'
import type { Translate } from '../i18n/translate.ts'
import { nameOf } from './message-name.ts'
import { isSameReaction, reactionKey } from './reaction-kinds.ts'

export interface ReactionSummary {
  /** the most frequent of the types */
  type: string
  /** all types of the message that are this reaction: clients write ❤ in several ways */
  types: readonly string[]
  count: number
  mine: boolean
  /** the users known without asking the server, newest first; fewer than `count` for busy messages */
  names: readonly string[]
}

/** The reactions of a message by kind: most frequent first, then the one that came first. */
export function reactionSummary(t: Translate, message: LocalMessage): ReactionSummary[] {
  const groups = Object.entries(message.reaction_groups ?? {})
    .filter(([, group]) => group.count > 0)
    .sort(([, a], [, b]) => b.count - a.count || byTime(a.first_reaction_at, b.first_reaction_at))
  const byKey = new Map<string, ReactionSummary & { types: string[] }>()
  for (const [type, { count }] of groups) {
    const known = byKey.get(reactionKey(type))
    if (known) {
      known.types.push(type)
      known.count += count
    } else {
      const isIt = (reaction: { type: string }) => isSameReaction(reaction.type, type)
      byKey.set(reactionKey(type), {
        type,
        types: [type],
        count,
        mine: message.own_reactions.some(isIt),
        names: message.latest_reactions.flatMap((reaction) => (isIt(reaction) ? nameOf(t, reaction) : [])),
      })
    }
  }
  return [...byKey.values()].sort((a, b) => b.count - a.count)
}
