import type { TextKey } from '../i18n/translate.ts'
import { REACTIONS_RECENT } from '../limits.ts'
import { remember, remembered } from '../preferences/device-memory.ts'

export interface ReactionKind {
  type: string
  emoji: string
  /** the emoji's name for screen readers */
  name: TextKey
}

/** The reactions offered everywhere, most used first. */
export const reactionKinds: readonly ReactionKind[] = [
  { type: 'like', emoji: '👍', name: 'reactions.like' },
  { type: 'love', emoji: '❤️', name: 'reactions.love' },
  { type: 'haha', emoji: '😂', name: 'reactions.haha' },
  { type: 'wow', emoji: '😮', name: 'reactions.wow' },
  { type: 'sad', emoji: '😢', name: 'reactions.sad' },
  { type: 'celebrate', emoji: '🎉', name: 'reactions.celebrate' },
]

/** Where the device stores the user's recent reactions. */
const RECENT_KEY = 'chat-reactions'

/** The types of the user's recent reactions; before there are any, the most used ones. */
export function recentReactions(): string[] {
  const recent = remembered(RECENT_KEY)?.split(' ') ?? []
  return [...new Set([...recent, ...reactionKinds.map(({ type }) => type)])].slice(0, REACTIONS_RECENT)
}

/** A type that is already shown keeps its place: a button must not move from under the pointer. */
export function noteReaction(type: string) {
  const recent = recentReactions()
  if (!recent.includes(type)) remember(RECENT_KEY, [type, ...recent].slice(0, REACTIONS_RECENT).join(' '))
}

/** The type of a reaction with an emoji: the ones offered everywhere have a name, for others the emoji is the type. */
export function reactionOf(emoji: string): string {
  return kindOf(emoji)?.type ?? emoji
}

/** A reaction of an unknown type shows the type itself: other clients may use emoji as types. */
export function reactionLook(type: string): { emoji: string; name?: TextKey } {
  return kindOf(type) ?? { emoji: type }
}

/** Whether two types are one reaction to people: ❤ is ❤️, with and without the sign that asks for a colored picture. */
export function isSameReaction(a: string, b: string): boolean {
  return reactionKey(a) === reactionKey(b)
}

/** The same for all types that are one reaction. */
export function reactionKey(type: string): string {
  return kindOf(type)?.type ?? plain(type)
}

const plain = (emoji: string) => emoji.replace(/[\uFE0E\uFE0F]/g, '')

function kindOf(type: string): ReactionKind | undefined {
  return reactionKinds.find((kind) => kind.type === type || plain(kind.emoji) === plain(type))
}
