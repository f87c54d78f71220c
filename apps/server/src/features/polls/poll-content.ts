import { randomUUID } from 'node:crypto'
import { POLL_OPTIONS } from '@parley/protocol/limits'
import type { PollOption, PollRequest } from '@parley/protocol/polls'
import { foldedCase } from '@parley/protocol/text/folding'
import { inputError } from '../../platform/chat-error.ts'
import { customOf } from '../../platform/custom-data.ts'
import type { PollRow } from '../../platform/database/tables.ts'
import { pollFields } from './poll-wire.ts'

/** The stored content of a poll that its creator sets. */
export type PollContent = Omit<
  PollRow,
  'app' | 'id' | 'counts_json' | 'answers_count' | 'created_by' | 'created_at' | 'updated_at'
>

/** All texts of a poll that its readers see. */
export function wordsOf({ name, description, options_json }: PollContent): string[] {
  const options: PollOption[] = JSON.parse(options_json)
  return [name, description, ...options.map(({ text }) => text)].filter((text) => text !== '')
}

const optionFields: ReadonlySet<string> = new Set(['id', 'text', 'user_id', 'user'])

/**
 * A poll's content from a request; fields left out get their defaults.
 *
 * @param known the existing options, whose ids may be named
 * @throws ChatError InputError (4) — no question, or two equal options
 * @throws ChatError PayloadTooBigError (22) — too much custom data
 */
export function contentOf(request: PollRequest, known: readonly PollOption[]): PollContent {
  if (request.name.trim() === '') throw inputError('name', 'name must not be empty')
  const options: PollOption[] = []
  for (const { id, ...said } of request.options ?? []) {
    if (id !== undefined && !known.some((option) => option.id === id))
      throw inputError('options', `there is no option with id ${id} in this poll`)
    if (options.some((option) => option.id === id)) throw inputError('options', `option ${id} is named twice`)
    options.push(newOption(said, options, id))
  }
  const flag = (value: boolean | undefined) => (value ? 1 : 0)
  return {
    name: request.name,
    description: request.description ?? '',
    voting_visibility: request.voting_visibility ?? 'public',
    enforce_unique_vote: flag(request.enforce_unique_vote),
    max_votes_allowed: request.max_votes_allowed ?? null,
    allow_user_suggested_options: flag(request.allow_user_suggested_options),
    allow_answers: flag(request.allow_answers),
    is_closed: flag(request.is_closed),
    options_json: JSON.stringify(options),
    data: JSON.stringify(customOf(request, pollFields)),
  }
}

/**
 * A new option among others; options are equal when they differ only in case and outer spaces [POL-8, POL-34].
 *
 * @throws ChatError InputError (4) — it is empty, one too many, or exists already
 */
export function newOption(
  said: { text: string },
  others: readonly PollOption[],
  id: string = randomUUID(),
): PollOption {
  if (said.text.trim() === '') throw inputError('text', 'the text of an option must not be empty')
  if (others.length >= POLL_OPTIONS) throw inputError('options', `a poll has at most ${POLL_OPTIONS} options`)
  if (others.some((other) => sameText(other.text, said.text))) throw inputError('text', 'Option already exists')
  return { ...customOf(said, optionFields), id, text: said.text }
}

function sameText(a: string, b: string): boolean {
  return foldedCase(a.trim()) === foldedCase(b.trim())
}
