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

it('one emoji is one reaction, however clients write it', () => {
  const at = (seconds: string, count = 1) => ({ count, first_reaction_at: `2026-01-05T08:30:${seconds}Z` })
  const message = {
    reaction_groups: { '❤': at('17'), '☺️': at('16', 3), love: at('18', 2), '❤️': at('19'), '☺\ufe0e': at('20') },
    own_reactions: [{ type: '❤️' }],
    latest_reactions: [
      { type: '❤️', user_id: 'bo' },
      { type: 'love', user_id: 'cy' },
    ],
  } as unknown as LocalMessage
  expect(reactionSummary(t, message)).toEqual([
    { type: '☺️', types: ['☺️', '☺\ufe0e'], count: 4, mine: false, names: [] },
    { type: 'love', types: ['love', '❤', '❤️'], count: 4, mine: true, names: ['bo', 'cy'] },
  ])
})
