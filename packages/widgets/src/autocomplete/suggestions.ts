import type { Channel, User } from '@parley/client'
import type { Command } from '@parley/protocol/commands'
import { othersOf } from '../chat/channel-facts.ts'
import { personName } from '../chat/seen-name.ts'
import { rememberedEmoji } from '../emoji/emoji-memory.ts'
import { findEmoji, readEmoji, withTone } from '../emoji/emoji-set.ts'
import { isCalled } from '../i18n/folded.ts'
import { MEMBERS_FOUND, SUGGESTIONS_MAX } from '../limits.ts'
import type { Unfinished } from './unfinished.ts'

/** One suggestion for a word. */
export type Suggestion =
  | { kind: 'command'; id: string; command: Command }
  | { kind: 'mention'; id: string; user: User }
  | { kind: 'emoji'; id: string; emoji: string; name: string; shortName: string | undefined }

export interface SuggestionSources {
  channel: Channel
  commands: readonly Command[]
  me: string | undefined
  language: string
}

/** The suggestions known at once; undefined for emoji, whose names have to be loaded. */
export function suggestionsAtHand({ kind, query }: Unfinished, sources: SuggestionSources): Suggestion[] | undefined {
  if (kind === 'emoji') return undefined
  return kind === 'command' ? commandsLike(query, sources.commands) : peopleLike(query, sources)
}

function commandsLike(query: string, commands: readonly Command[]): Suggestion[] {
  const wanted = query.toLowerCase()
  return commands
    .filter(({ name }) => name.toLowerCase().startsWith(wanted))
    .map((command) => ({ kind: 'command', id: command.name, command }))
}

/** The most recent authors come first, then the others by name. */
function peopleLike(query: string, { channel, me }: SuggestionSources): Suggestion[] {
  const state = channel.snapshot()
  const spoke = [...new Set(state.messages.toReversed().map(({ user }) => user.id))]
  const place = (user: User) => (spoke.includes(user.id) ? spoke.indexOf(user.id) : spoke.length)
  return othersOf(state, me)
    .filter((user) => isCalled(personName(user), query))
    .sort((a, b) => place(a) - place(b))
    .slice(0, SUGGESTIONS_MAX)
    .map(asSuggestion)
}

function asSuggestion(user: User): Suggestion {
  return { kind: 'mention', id: user.id, user }
}

/** The client does not know every member of a large channel. */
export function asksServer({ kind, query }: Unfinished, { channel }: SuggestionSources): boolean {
  const { data, members } = channel.snapshot()
  return kind === 'mention' && query !== '' && (data.member_count ?? 0) > Object.keys(members).length
}

/** Members of the channel found by the server, after those known here. */
export async function peopleFound(
  query: string,
  known: readonly Suggestion[],
  sources: SuggestionSources,
): Promise<Suggestion[]> {
  const { members } = await sources.channel.queryMembers({ name: { $autocomplete: query } }, [], {
    limit: MEMBERS_FOUND,
  })
  const others = members.flatMap(({ user }) => (user && user.id !== sources.me ? [asSuggestion(user as User)] : []))
  return [...known, ...others.filter(({ id }) => known.every((one) => one.id !== id))]
}

export async function emojiFound(query: string, { language }: SuggestionSources): Promise<Suggestion[]> {
  const { recent, tone } = rememberedEmoji()
  const found = findEmoji(await readEmoji(language), query, recent, SUGGESTIONS_MAX)
  return found.map(({ emoji, name, shortNames }) => ({
    kind: 'emoji',
    id: emoji,
    emoji: withTone(emoji, tone),
    name,
    shortName: shortNames[0],
  }))
}
