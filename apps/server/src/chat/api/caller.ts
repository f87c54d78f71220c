import { ChatError } from '../../platform/chat-error.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import type { App } from '../apps/app.ts'

/** The caller: the app's server, or one of its users. */
export interface Caller {
  app: App
  /** Authenticated with a server token: no permission is checked. */
  server: boolean
  /** The user, or the one the server acts for; absent for a server that names none. */
  user: UserRow | undefined
  /** The socket that `watch` and `presence` are tied to. */
  connectionId: string | undefined
}

/**
 * The user a call acts for, when the call needs a named one: anonymous users have no data [AUTH-20].
 * @throws ChatError InputError (4) — a server-side call that names no user; NotAllowedError (17) — an anonymous one
 */
export function namedUser(caller: Caller): UserRow {
  const user = actingUser(caller)
  if (user.role === 'anonymous') throw new ChatError('NotAllowedError', 'this is for users with a name')
  return user
}

/**
 * The user a call acts for.
 * @throws ChatError InputError (4) — a server-side call that names no user
 */
export function actingUser({ user }: Caller): UserRow {
  if (!user)
    throw new ChatError('InputError', 'either user or user_id must be provided when using server side auth.', {
      fields: { user_id: 'user_id is a required field' },
    })
  return user
}
