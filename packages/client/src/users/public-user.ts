/** Users as others see them, and where the loaded state has them; needed with the first event or sent message. */
import type { Me, OwnUser, User } from '../shapes.ts'

/** Fields of the own user that come with the connection and own events, but not with user events. */
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

/** Fields that only the user's own devices get [USR-1]. */
const ownAlone = [
  ...apart,
  'invisible',
  'bypass_moderation',
  'privacy_settings',
  'revoke_tokens_issued_before',
] satisfies (keyof OwnUser)[]

/** The own user after an event: fields that were unset are removed. */
export function ownNow(before: object = {}, user: User): Partial<OwnUser> {
  const gone = Object.keys(without(before, apart)).map((field) => [field, undefined])
  return { ...Object.fromEntries(gone), ...user }
}

/** The own user with public fields only, as the server shows the author of a message. */
export function publicUserOf(user: Me): User {
  return { ...without(user, ownAlone), blocked_user_ids: [] } as unknown as User
}

function without(user: object, fields: readonly string[]): object {
  return Object.fromEntries(Object.entries(user).filter(([field]) => !fields.includes(field)))
}

/** The names of fields that contain users, directly or nested, on the wire and in the state. */
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
/** Fields that contain users by their id. */
const keyed = ['members', 'watchers', 'read']

/** Replaces a user everywhere in an object; returns the same object if it does not contain the user [USR-18]. */
export function following(user: User): <Has>(has: Has) => Has {
  const face = publicUserOf(user)
  return (has) => withPublicUser(has, face)
}

/** Runs for every loaded message whenever a user changes, so it allocates only if something changes. */
function withPublicUser<Has>(has: Has, face: User, parts?: readonly string[]): Has {
  const held = has as Record<string, unknown>
  // Only users have this field for presence; a message or a channel may have a custom field of that name.
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
