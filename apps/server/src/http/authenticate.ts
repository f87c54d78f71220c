import { ChatError } from '../chat-error.ts'
import type { AppRow, UserRow } from '../database/tables.ts'
import type { Server } from '../server.ts'
import type { Caller } from './caller.ts'
import type { Claims, Tokens } from './tokens.ts'

/** What a call says of its caller, from headers or query [messaging.md 1.2, 1.3]. */
export interface Credentials {
  apiKey: string | undefined
  token: string
  authType: string | undefined
  userId: string | undefined
  connectionId: string | undefined
}

/** @throws ChatError AccessKeyError (2) — no such app */
export async function appOf(server: Server, apiKey: string | undefined): Promise<AppRow> {
  const app = apiKey === undefined ? undefined : await server.apps.byKey(apiKey)
  if (!app) throw new ChatError('AccessKeyError', 'api_key not valid')
  return app
}

/**
 * Who calls. A client's `user_id` must be the token's [AUTH-6]; a server may name the user it acts for.
 *
 * @throws ChatError 2, 5, 40, 41, 42, 43 — see `Tokens`
 */
export async function authenticate(server: Server, tokens: Tokens, credentials: Credentials): Promise<Caller> {
  const app = await appOf(server, credentials.apiKey)
  if (credentials.authType === 'anonymous' && credentials.token === '')
    return { app, server: false, user: anonymousUser(app, '!anon'), connectionId: credentials.connectionId }

  const claims = tokens.verify(app, credentials.token, credentials.userId)
  if (claims.server) {
    const user = credentials.userId === undefined ? undefined : await server.users.get(app.id, credentials.userId)
    return { app, server: true, user, connectionId: undefined }
  }
  const id = claims.user_id as string
  const user = await server.users.get(app.id, id)
  if (!user) throw new ChatError('AuthenticationError', `user ${id} does not exist; connect it first`)
  checkActive(user, claims)
  return { app, server: false, user, connectionId: credentials.connectionId }
}

/** @throws ChatError — deactivated or deleted (5), or the token was revoked (40) [AUTH-14, USR-20] */
export function checkActive(user: UserRow, { iat }: Claims) {
  if (user.deleted_at !== null) throw new ChatError('AuthenticationError', `user "${user.id}" is deleted`)
  if (user.deactivated_at !== null) throw new ChatError('AuthenticationError', `user "${user.id}" is deactivated`)
  if (user.revoke_before !== null && (iat === undefined || iat * 1_000_000 < user.revoke_before))
    throw new ChatError('AuthErrorTokenExpired', 'JWTAuth error: token is expired (revoked)')
}

/** Somebody without a name: reads what the role anonymous may read, and never writes [AUTH-20]. */
export function anonymousUser(app: AppRow, id: string): UserRow {
  return {
    app: app.id,
    id,
    role: 'anonymous',
    name: null,
    image: null,
    language: '',
    invisible: 0,
    teams_json: null,
    teams_role_json: null,
    privacy_json: null,
    data: '{}',
    created_at: 0,
    updated_at: 0,
    last_active: null,
    deactivated_at: null,
    deleted_at: null,
    revoke_before: null,
    banned: 0,
    shadow_banned: 0,
    ban_expires: null,
  }
}
