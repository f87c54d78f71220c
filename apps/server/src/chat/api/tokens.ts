/**
 * User and server tokens: HS256 web tokens signed with the app's secret.
 * @see messaging.md 1.4, 1.5; rules AUTH-6, AUTH-14, AUTH-19
 */
import { TOKEN_SKEW_MS } from '@parley/protocol/limits'
import { createDecoder, createSigner, createVerifier, TokenError } from 'fast-jwt'
import { ChatError } from '../../platform/chat-error.ts'
import type { Clock } from '../../platform/clock.ts'
import type { App } from '../apps/app.ts'

export interface Claims {
  user_id?: string
  server?: boolean
  exp?: number
  nbf?: number
  iat?: number
}

/** Tokens whose signature was checked lately; their times are looked at in every call. */
const TOKENS_KEPT = 20_000

export class Tokens {
  #clock: Clock
  #checked = new Map<string, Claims>()
  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * The claims of a token that is valid now. Errors that never go away come first [messaging.md 1.4].
   *
   * @param userId the claimed user; a server token may name any
   * @throws ChatError AuthenticationError (5) — none, malformed, or another user's; 43 signature, 40 expired, 41 not
   * yet valid, 42 issued in the future
   */
  verify(app: App, token: string, userId: string | undefined): Claims {
    const key = `${app.id}|${app.secret}|${token}`
    const known = this.#checked.get(key)
    const claims = known ?? readClaims(token)
    if (!claims.server && userId !== undefined && userId !== claims.user_id)
      throw new ChatError('AuthenticationError', `user_id ${userId} is not the user of the token`)
    // Without signature checks, a client can claim to be any user, but never the app's server [AUTH-22].
    if (!known && app.settings.disable_auth_checks && !claims.server) checkAlgorithm(token)
    else if (!known) {
      checkSignature(app, token)
      if (this.#checked.size >= TOKENS_KEPT) this.#checked.delete(this.#checked.keys().next().value as string)
      this.#checked.set(key, claims)
    }
    this.#checkTimes(claims)
    return claims
  }

  #checkTimes({ exp, nbf, iat }: Claims) {
    const now = this.#clock.now()
    if (exp !== undefined && exp * 1000 <= now)
      throw new ChatError('AuthErrorTokenExpired', 'JWTAuth error: token is expired (exp)')
    if (nbf !== undefined && nbf * 1000 > now + TOKEN_SKEW_MS)
      throw new ChatError('AuthErrorTokenNotValidYet', 'JWTAuth error: token is not valid yet (nbf)')
    if (iat !== undefined && iat * 1000 > now + TOKEN_SKEW_MS)
      throw new ChatError('AuthErrorTokenUsedBeforeIssuedAt', 'JWTAuth error: token used before issued at (iat)')
  }
}

/** A guest's token: a user token without an end. */
export function signUserToken(app: App, userId: string): string {
  return createSigner({ key: app.secret, algorithm: 'HS256', noTimestamp: true })({ user_id: userId })
}

const decode = createDecoder()
const decodeWhole = createDecoder({ complete: true })

/** What the token claims, which is not yet to be believed. */
function readClaims(token: string): Claims {
  if (token === '') throw new ChatError('AuthenticationError', 'JWTAuth error: a token is required')
  let claims: unknown
  try {
    claims = decode(token)
  } catch (cause) {
    throw new ChatError('AuthenticationError', 'JWTAuth error: token is malformed', { cause })
  }
  const { user_id, server, exp, nbf, iat } = (claims ?? {}) as Record<string, unknown>
  // Some server clients sign the word.
  const isServer = server === true || server === 'true'
  if (!isServer && (typeof user_id !== 'string' || user_id === '' || user_id.includes('\0')))
    throw new ChatError('AuthenticationError', 'JWTAuth error: the claim user_id is missing or no name')
  return {
    ...(typeof user_id === 'string' && { user_id }),
    ...(isServer && { server: true }),
    ...seconds({ exp, nbf, iat }),
  }
}

function checkSignature(app: App, token: string) {
  try {
    createVerifier({ key: app.secret, algorithms: ['HS256'], ignoreExpiration: true, ignoreNotBefore: true })(token)
  } catch (cause) {
    if (cause instanceof TokenError && cause.code === TokenError.codes.invalidSignature)
      throw new ChatError('AuthErrorTokenSignatureInvalid', 'JWTAuth error: signature is invalid', { cause })
    throw new ChatError('AuthenticationError', 'JWTAuth error: token is malformed', { cause })
  }
}

/** An unsigned token has the same format. */
function checkAlgorithm(token: string) {
  const { header } = decodeWhole(token) as { header: { alg?: unknown } }
  if (header.alg !== 'HS256') throw new ChatError('AuthenticationError', 'JWTAuth error: token is malformed')
}

/** Seconds since 1970, as some server libraries write them: as text. */
const SECONDS = /^\d{1,12}(\.\d+)?$/

/** A time claim that is no number makes the token malformed; an empty one must not make it endless. */
function seconds(times: Record<string, unknown>): Claims {
  const claims: Record<string, number> = {}
  for (const [name, value] of Object.entries(times)) {
    if (value === undefined || value === null) continue
    const time = typeof value === 'string' && SECONDS.test(value) ? Number(value) : value
    if (typeof time !== 'number' || !Number.isFinite(time))
      throw new ChatError('AuthenticationError', `JWTAuth error: the claim ${name} is not a number`)
    claims[name] = time
  }
  return claims
}
