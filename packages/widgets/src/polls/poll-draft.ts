import type { PollData } from '@parley/client'
import type { TextKey } from '../i18n/translate.ts'
import { POLL_VOTES_MAX, POLL_VOTES_MIN } from '../limits.ts'
import { sameOption } from './same-option.ts'

/** A poll being written; the last option is always an empty one. */
export interface PollDraft {
  question: string
  options: { key: number; text: string }[]
  anonymous: boolean
  multiple: boolean
  /** as typed; only used with multiple answers */
  votes: string
  comments: boolean
  suggestions: boolean
}

/** The errors of a draft; options by their key. */
export interface PollProblems {
  question?: TextKey
  options: Map<number, TextKey>
  votes?: TextKey
}

export const emptyPoll: PollDraft = {
  question: '',
  options: [
    { key: 0, text: '' },
    { key: 1, text: '' },
  ],
  anonymous: false,
  multiple: false,
  votes: '',
  comments: false,
  suggestions: false,
}

/** Whether it contains any text. */
export function isWritten({ question, options }: PollDraft): boolean {
  return [question, ...options.map(({ text }) => text)].some((text) => text.trim() !== '')
}

/** The draft with a changed option; a new empty field is added when the last is filled. */
export function withOption(draft: PollDraft, key: number, text: string): PollDraft {
  const options = draft.options.map((option) => (option.key === key ? { key, text } : option))
  if (options.at(-1)?.text) options.push({ key: Math.max(...options.map((option) => option.key)) + 1, text: '' })
  return { ...draft, options }
}

/** Removes a field; two always stay. */
export function withoutOption(draft: PollDraft, key: number): PollDraft {
  if (draft.options.length <= 2) return draft
  return { ...draft, options: draft.options.filter((option) => option.key !== key) }
}

/** Moves an option by one place; the empty last field stays where it is. */
export function withMoved(draft: PollDraft, key: number, by: 1 | -1): PollDraft {
  const at = draft.options.findIndex((option) => option.key === key)
  const [one, other] = [draft.options[at], draft.options[at + by]]
  if (!one?.text || !other?.text) return draft
  return { ...draft, options: draft.options.with(at, other).with(at + by, one) }
}

/** All errors of a draft [POL-6, POL-8, POL-34]. */
export function problemsOf(draft: PollDraft): PollProblems {
  const problems: PollProblems = { options: new Map() }
  if (draft.question.trim() === '') problems.question = 'poll.question.missing'
  const filled = draft.options.filter(({ text }) => text.trim() !== '')
  for (const [at, { key, text }] of filled.entries())
    if (filled.slice(0, at).some((earlier) => sameOption(earlier.text, text)))
      problems.options.set(key, 'poll.optionExists')
  const empty = draft.options.find(({ text }) => text.trim() === '')
  if (filled.length < 2 && empty) problems.options.set(empty.key, 'poll.options.missing')
  if (draft.multiple && votesOf(draft) === undefined) problems.votes = 'poll.votesPrompt'
  return problems
}

/** The poll as it is sent. */
export function pollOf(draft: PollDraft) {
  const options = draft.options.flatMap(({ text }) => (text.trim() ? [{ text: text.trim() }] : []))
  const voting_visibility: PollData['voting_visibility'] = draft.anonymous ? 'anonymous' : 'public'
  return {
    name: draft.question.trim(),
    options,
    voting_visibility,
    enforce_unique_vote: !draft.multiple,
    max_votes_allowed: draft.multiple ? (votesOf(draft) ?? null) : null,
    allow_answers: draft.comments,
    allow_user_suggested_options: draft.suggestions,
  }
}

/** A whole number in the range, or undefined. */
function votesOf({ votes }: PollDraft): number | undefined {
  const number = /^\d{1,2}$/.test(votes.trim()) ? Number(votes) : Number.NaN
  return number >= POLL_VOTES_MIN && number <= POLL_VOTES_MAX ? number : undefined
}
