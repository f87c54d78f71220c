import type { LocalMessage } from '@parley/client'
import { expect, it } from 'vitest'
import { reactionSummary } from './reaction-summary.ts'

const t = (key: string) => `<${key}>`

it('of two equally frequent kinds the older one comes first, however its time is written', () => {
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
  expect(reactionSummary(t, message).map(({ type }) => type)).toEqual(['haha', 'love', 'wow'])
})

it('a user without a visible name is shown by id, and a deleted user by nothing of their own', () => {
  const message = {
    reaction_groups: { wow: { count: 2, first_reaction_at: '2026-01-05T08:30:17Z' } },
    own_reactions: [],
    latest_reactions: [
      { type: 'wow', user_id: 'bo', user: { id: 'bo', name: '\u200b\u202e' } },
      { type: 'wow', user_id: 'gone' },
      { type: 'wow', user_id: 'cy', user: { id: 'cy', name: 'Cy', deleted_at: '2026-01-05T08:30:17Z' } },
    ],
  } as unknown as LocalMessage
  expect(reactionSummary(t, message)[0]?.names).toEqual(['bo', 'gone', '<message.deletedUser>'])
})
