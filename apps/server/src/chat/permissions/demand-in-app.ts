import { ChatError } from '../../platform/chat-error.ts'
import type { Caller } from '../api/caller.ts'
import { APP_SCOPE } from './default-grants.ts'
import { actionOf } from './permissions.ts'

/** The error for a missing grant in a scope: the app, or a channel type [administration.md 0.1]. */
export function notGranted(
  user: { id: string; role: string } | undefined,
  permission: string,
  scope = APP_SCOPE,
): ChatError {
  return new ChatError(
    'NotAllowedError',
    `User '${user?.id}' with role '${user?.role}' is not allowed to perform action ${actionOf(permission)} in scope '${scope}'`,
  )
}

/**
 * Requires a permission that is not scoped to a channel.
 *
 * @param owns whether the caller owns the resource
 * @throws ChatError NotAllowedError (17)
 */
export function demandInApp({ server, app, user }: Caller, permission: string, owns = false) {
  if (!server && !app.allows(user, permission, owns)) throw notGranted(user, permission)
}
