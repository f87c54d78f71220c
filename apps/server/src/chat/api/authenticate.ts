import { ChatError } from '../../platform/chat-error.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import { microsOf } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import type { App } from '../apps/app.ts'
import { ANONYMOUS } from '../permissions/assign-role.ts'
import { emptyUser } from '../users/user-rows.ts'
import type { Caller } from './caller.ts'
import type { Claims, Tokens } from './tokens.ts'

/** A call's credentials, from headers or query [messaging.md 1.2, 1.3]. */
export interface Credentials {
  apiKey: string | undefined
  token: string
  authType: string | undefined
  userId: string | undefined
  connectionId: string | undefined
  /** The client's description of itself. */
  client: string | undefined
  /** The caller's address, if known. */
  address: string | undefined
}

/**
 * @throws ChatError AccessKeyError (2) — no such app
 * @throws ChatError ErrWrongRegion (69) — the app is placed in another region than this server
 * @throws ChatError AuthenticationFailedError (3) — see `lookedUp`
 */
export async function appOf(server: Server, apiKey: string | undefined): Promise<App> {
  const app = apiKey === undefined ? undefined : await lookedUp(server.apps.byKey(apiKey))
  if (!app) throw new ChatError('AccessKeyError', 'api_key not valid')
  const { region } = server.settings
  if (region !== undefined && app.placement !== '' && app.placement !== region)
    throw new ChatError('ErrWrongRegion', `the app is placed in ${app.placement}, and this server in ${region}`)
  return app
}

/**
 * Something that decides who calls.
 *
 * @throws ChatError AuthenticationFailedError (3) — it cannot be read just now; the same call may work later
 */
async function lookedUp<Found>(looking: Promise<Found>): Promise<Found> {
  try {
    return await looking
  } catch (cause) {
    throw new ChatError('AuthenticationFailedError', 'who calls could not be looked up just now', { cause })
  }
}

/**
 * Authenticates the caller. A client's `user_id` must be the token's [AUTH-6]; a server may name the user it acts for.
 *
 * @throws ChatError 2, 3, 69 — see `appOf`; 5, 40, 41, 42, 43 — see `Tokens`
 */
export async function authenticate(server: Server, tokens: Tokens, credentials: Credentials): Promise<Caller> {
  const app = await appOf(server, credentials.apiKey)
  if (credentials.authType === 'anonymous' && credentials.token === '')
    return { app, server: false, user: anonymousUser(app, '!anon'), connectionId: credentials.connectionId }

  const claims = tokens.verify(app, credentials.token, credentials.userId)
  if (claims.server) {
    const named = credentials.userId
    const user = named === undefined ? undefined : await lookedUp(server.users.get(app.id, named))
    return { app, server: true, user, connectionId: undefined }
  }
  const id = claims.user_id as string
  const user = await lookedUp(server.users.get(app.id, id))
  if (!user) throw new ChatError('AuthenticationError', `user ${id} does not exist; connect it first`)
  checkActive(app, user, claims)
  const acting = await lookedUp(server.addresses.from(user, credentials.address))
  return { app, server: false, user: acting, connectionId: credentials.connectionId }
}

export function suspended({ stored }: App): ChatError {
  return new ChatError('AppSuspendedError', `the app is suspended. ${stored.suspended_explanation ?? ''}`.trim())
}

/** @throws ChatError — deactivated or deleted (5), or the token was revoked (40) [AUTH-14, USR-20] */
export function checkActive(app: App, user: UserRow, claims: Claims) {
  if (user.deleted_at !== null) throw new ChatError('AuthenticationError', `user "${user.id}" is deleted`)
  if (user.deactivated_at !== null) throw new ChatError('AuthenticationError', `user "${user.id}" is deactivated`)
  if (isRevoked(app, user, claims))
    throw new ChatError('AuthErrorTokenExpired', 'JWTAuth error: token is expired (revoked)')
}

/** A token without an issue time counts as issued before [messaging.md 1.5]. */
export function isRevoked(
  { settings }: App,
  { revoke_before }: Pick<UserRow, 'revoke_before'>,
  { iat }: Claims,
): boolean {
  const issued = iat === undefined ? Number.NEGATIVE_INFINITY : iat * 1_000_000
  const ofApp = settings.revoke_tokens_issued_before
  return (revoke_before !== null && issued < revoke_before) || (ofApp !== null && issued < microsOf(ofApp)!)
}

/** An anonymous user: reads what the role anonymous may read, and never writes [AUTH-20]. */
export function anonymousUser(app: App, id: string): UserRow {
  return { ...emptyUser, app: app.id, id, role: ANONYMOUS }
}
