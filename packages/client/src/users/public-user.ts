/** People as others see them, and where they stand in what is loaded; needed with the first event, or what is sent. */
import type { Me, OwnUser, User } from '../shapes.ts'

/** What of the own user comes with the connection and with events of its own, and not with what is told of users. */
const apart = [
  'devices',
  'mutes',
  'channel_mutes',
  'unread_count',
  'total_unread_count',
  'unread_channels',
  'unread_threads',
  'total_unread_count_by_team',
  'push_preferences',
  'latest_hidden_channels',
] satisfies (keyof OwnUser)[]

/** What only one's own devices are told of oneself [USR-1]. */
const ownAlone = [
  ...apart,
  'invisible',
  'bypass_moderation',
  'privacy_settings',
  'revoke_tokens_issued_before',
] satisfies (keyof OwnUser)[]

/** The own user as they are now: what they have no more goes. */
export function ownNow(before: object = {}, user: User): Partial<OwnUser> {
  const gone = Object.keys(without(before, apart)).map((field) => [field, undefined])
  return { ...Object.fromEntries(gone), ...user }
}

/** The own user as everybody else sees them, and as the server shows them in what they say. */
export function publicUserOf(user: Me): User {
  return { ...without(user, ownAlone), blocked_user_ids: [] } as unknown as User
}

function without(user: object, fields: readonly string[]): object {
  return Object.fromEntries(Object.entries(user).filter(([field]) => !fields.includes(field)))
}

/** Where people stand, by the names that the wire and the state give it everywhere. */
const places: readonly string[] = [
  'user',
  'created_by',
  'pinned_by',
  'mentioned_users',
  'thread_participants',
  'latest_reactions',
  'own_reactions',
  'quoted_message',
  'poll',
  'latest_answers',
  'latest_votes_by_option',
  'own_votes',
  'data',
  'membership',
  'members',
  'watchers',
  'read',
]
/** Where they stand under their id. */
const keyed = ['members', 'watchers', 'read']

/** Gives what holds people with one of them as they are now, wherever they stand in it; itself where they do not [USR-18]. */
export function following(user: User): <Has>(has: Has) => Has {
  const face = publicUserOf(user)
  return (has) => withPublicUser(has, face)
}

/** Asked of every message that is loaded, whenever anybody comes or goes: nothing is made where nothing changes. */
function withPublicUser<Has>(has: Has, face: User, parts?: readonly string[]): Has {
  const held = has as Record<string, unknown>
  // Only of people it is said whether they are there; a message or a channel may have a field of that name.
  if ('online' in held && !('cid' in held)) return held.id === face.id ? (face as Has) : has
  const isList = Array.isArray(held)
  let next: typeof held | undefined
  for (const part of parts ?? (isList ? Object.keys(held) : places)) {
    const known = held[part]
    if (typeof known !== 'object' || known === null) continue
    const inside = keyed.includes(part) ? [face.id] : part === 'latest_votes_by_option' ? Object.keys(known) : undefined
    const now = withPublicUser(known, face, inside)
    if (now === known) continue
    next ??= isList ? ([...held] as unknown as typeof held) : { ...held }
    next[part] = now
  }
  return (next ?? has) as Has
}
