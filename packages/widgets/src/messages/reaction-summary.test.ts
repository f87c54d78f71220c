import type { LocalMessage } from '@parley/client'
import { expect, it } from 'vitest'
import { reactionSummary } from './reaction-summary.ts'

it('of kinds as frequent as each other the older one comes first, however its time is written', () => {
  const group = (first_reaction_at: string) => ({
    count: 1,
    sum_scores: 1,
    first_reaction_at,
    last_reaction_at: first_reaction_at,
  })
  const message = {
    reaction_groups: {
      wow: group('2026-01-05T08:30:17.150001Z'),
      love: group('2026-01-05T08:30:17.15Z'),
      haha: group('2026-01-05T08:30:17Z'),
    },
    own_reactions: [],
    latest_reactions: [],
  } as unknown as LocalMessage
  expect(reactionSummary(message).map(({ type }) => type)).toEqual(['haha', 'love', 'wow'])
})
