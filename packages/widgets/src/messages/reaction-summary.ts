import { byTime, type LocalMessage } from '@parley/client'
import type { Translate } from '../i18n/translate.ts'
import { nameOf } from './message-name.ts'

export interface ReactionSummary {
  type: string
  count: number
  mine: boolean
  /** the users known without asking the server, newest first; fewer than `count` for busy messages */
  names: readonly string[]
}

/** The reactions of a message by kind: most frequent first, then the one that came first. */
export function reactionSummary(t: Translate, message: LocalMessage): ReactionSummary[] {
  return Object.entries(message.reaction_groups ?? {})
    .filter(([, group]) => group.count > 0)
    .sort(([, a], [, b]) => b.count - a.count || byTime(a.first_reaction_at, b.first_reaction_at))
    .map(([type, { count }]) => ({
      type,
      count,
      mine: message.own_reactions.some((reaction) => reaction.type === type),
      names: message.latest_reactions.flatMap((reaction) => (reaction.type === type ? nameOf(t, reaction) : [])),
    }))
}
