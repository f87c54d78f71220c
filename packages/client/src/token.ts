import { ChatError, clientError } from './chat-error.ts'

/** A token, or a function that returns one; it is called again when the server reports a token as expired. */
export type TokenOrProvider = string | (() => string | Promise<string>)

/**
 * The token of the current user: checked when it is set, loaded once for all waiting callers, kept until the server
 * reports it as expired [client.md 1.3].
 */
export class Tokens {
  #source: TokenOrProvider | undefined
  #accepts: (token: string) => void = () => {}
  #token: string | undefined
  #loading: Promise<string> | undefined

  /**
   * Sets a user's token.
   * @throws ChatError CLIENT_TOKEN_TYPE, CLIENT_TOKEN_EMPTY, CLIENT_TOKEN_USER
   */
  setForUser(userID: string, source: TokenOrProvider) {
    const accepts = (token: string) => {
      if (typeof token !== 'string')
        throw clientError('CLIENT_TOKEN_TYPE', 'The user token must be a string or a function that returns one')
      if (token === '')
        throw clientError('CLIENT_TOKEN_EMPTY', 'A non-empty user token is required unless the user is anonymous')
      if (userIdOf(token) !== userID)
        throw clientError('CLIENT_TOKEN_USER', "The token's user_id must be the id of the connecting user")
    }
    if (typeof source !== 'function') accepts(source)
    this.forget()
    this.#source = source
    this.#accepts = accepts
    if (typeof source === 'string') this.#token = source
  }

  /** Sets the empty token of an anonymous user, or one that this program signed itself. */
  setFixed(token: string) {
    this.forget()
    this.#source = token
    this.#token = token
  }

  forget() {
    this.#source = undefined
    this.#token = undefined
    this.#loading = undefined
    this.#accepts = () => {}
  }

  /** Whether it can be loaded again; a fixed string cannot [AUTH-18]. */
  get isRenewable() {
    return typeof this.#source === 'function'
  }

  /** The token to use now. All callers share one load while it is pending. */
  async ready(): Promise<string> {
    if (this.#token !== undefined) return this.#token
    const source = this.#source
    if (typeof source !== 'function')
      throw clientError('CLIENT_TOKEN_MISSING', 'No token is set. Call connectUser first')
    this.#loading ??= this.#load(source)
    return this.#loading
  }

  /** A token other than the refused one. If another caller has already renewed it, that one. */
  renewed(refused: string | undefined): Promise<string> {
    if (this.#token === refused) this.#token = undefined
    return this.ready()
  }

  async #load(source: () => string | Promise<string>): Promise<string> {
    // Another user may connect with the same function.
    const accepts = this.#accepts
    const isCurrent = () => accepts === this.#accepts
    try {
      // Never in the same turn: a function that throws at once must find `#loading` set.
      const token = await Promise.resolve().then(source)
      accepts(token)
      if (isCurrent()) this.#token = token
      return token
    } catch (cause) {
      if (cause instanceof ChatError) throw cause
      throw clientError('CLIENT_TOKEN_LOAD_FAILED', 'The token could not be loaded', cause)
    } finally {
      if (isCurrent()) this.#loading = undefined
    }
  }
}

/**
 * A token for development, valid only while the application's `disable_auth_checks` is on: no secret signs it.
 * @see messaging.md 1.4
 */
export function developmentToken(userID: string): string {
  return `${base64url({ alg: 'HS256', typ: 'JWT' })}.${base64url({ user_id: userID })}.devtoken`
}

/** The `user_id` claim; undefined for an unreadable token. */
export function userIdOf(token: string): string | undefined {
  try {
    const payload = token.split('.')[1] ?? ''
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))
    const claims = JSON.parse(new TextDecoder().decode(bytes))
    return typeof claims?.user_id === 'string' ? claims.user_id : undefined
  } catch {
    return undefined
  }
}

function base64url(value: unknown): string {
  const bytes = new TextEncoder().encode(JSON.stringify(value))
  const base64 = btoa(String.fromCharCode(...bytes))
  return base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}
