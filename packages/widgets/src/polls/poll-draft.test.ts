import { expect, it } from 'vitest'
import { emptyPoll, type PollDraft, pollOf, problemsOf, withMoved, withOption, withoutOption } from './poll-draft.ts'

const lunch: PollDraft = {
  ...emptyPoll,
  question: ' Where do we eat? ',
  options: ['Noodles', ' Pizza ', ''].map((text, key) => ({ key, text })),
}
const texts = ({ options }: PollDraft) => options.map(({ text }) => text)

it('[POL-1] the enabled options become fields of the poll', () => {
  const all = { ...lunch, anonymous: true, multiple: true, votes: '3', comments: true, suggestions: true }
  expect(pollOf(all)).toEqual({
    name: 'Where do we eat?',
    options: [{ text: 'Noodles' }, { text: 'Pizza' }],
    voting_visibility: 'anonymous',
    enforce_unique_vote: false,
    max_votes_allowed: 3,
    allow_answers: true,
    allow_user_suggested_options: true,
  })
  expect(pollOf({ ...lunch, votes: '3' })).toMatchObject({
    voting_visibility: 'public',
    enforce_unique_vote: true,
    max_votes_allowed: null,
    allow_answers: false,
    allow_user_suggested_options: false,
  })
})

it.each(['', '1', '11', '100', '2.5', '-3', '1e1', 'two', '٣'])(
  '[POL-6] refuses "%s" as the maximum of votes',
  (votes) => {
    expect(problemsOf({ ...lunch, multiple: true, votes }).votes).toBe('poll.votesPrompt')
    expect(problemsOf({ ...lunch, multiple: false, votes }).votes).toBeUndefined()
  },
)

it.each(['2', '10', ' 7 '])('[POL-6] accepts "%s", also with fewer options', (votes) => {
  expect(problemsOf({ ...lunch, multiple: true, votes }).votes).toBeUndefined()
})

it('[POL-8][POL-34] an option is refused if an earlier one differs only in case and whitespace', () => {
  const twice = withOption(lunch, 2, 'pIZZA')
  expect([...problemsOf(twice).options]).toEqual([[2, 'poll.optionExists']])
})

it('needs a question and two options', () => {
  const { question, options } = problemsOf(withOption(emptyPoll, 0, 'Noodles'))
  expect(question).toBe('poll.question.missing')
  expect([...options]).toEqual([[1, 'poll.options.missing']])
  expect(problemsOf(lunch)).toEqual({ options: new Map() })
})

it('a new empty field follows the last, all fields but two can be removed, and options can be moved', () => {
  expect(texts(withOption(lunch, 2, 'Salad'))).toEqual(['Noodles', ' Pizza ', 'Salad', ''])
  expect(texts(withoutOption(lunch, 0))).toEqual([' Pizza ', ''])
  expect(withoutOption(emptyPoll, 0)).toBe(emptyPoll)
  expect(texts(withMoved(lunch, 1, -1))).toEqual([' Pizza ', 'Noodles', ''])
  expect(withMoved(lunch, 1, 1)).toBe(lunch)
})
