import { REQUEST_TIMEOUT_MS } from '@parley/protocol/limits'
import { answeredError, ChatError, type RateLimit } from './chat-error.ts'
import { type Clock, pause } from './clock.ts'
import { backoffRange, spread } from './connection/backoff.ts'
import { TOKEN_LOADS_MAX } from './limits.ts'
import { randomID } from './random-id.ts'
import type { Tokens } from './token.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface RequestOptions {
  /** undefined values are left out, arrays are joined with commas, objects become JSON. */
  query?: Record<string, unknown>
  /** Sent as JSON; a `FormData` is sent as it is, and without a timeout [HTTP-18]. */
  body?: unknown
  signal?: AbortSignal
  /** Replaces `fetch` for this call. */
  fetch?: typeof fetch
  /** The call continues when the page is left. */
  keepalive?: boolean
}

/** The user and the device that make a call. */
export interface Caller {
  key: string
  baseURL: string
  /** Named in `X-Stream-Client` [HTTP-16]. */
  agent: string
  /** The timeout of a call, in milliseconds [HTTP-5]. */
  timeoutMs?: number
  tokens: Tokens
  userID(): string | undefined
  connectionID(): string | undefined
  clock: Clock
  random(): number
  fetch: typeof fetch
}

/**
 * Makes one API call. It is not retried, except with a freshly loaded token after code 40 [HTTP-20, AUTH-15].
 * @throws ChatError with the server's code, or with one of the generic codes [HTTP-17]
 */
export async function request<Answer>(
  caller: Caller,
  method: Method,
  path: string,
  { withoutToken, ...options }: RequestOptions & { withoutToken?: boolean } = {},
): Promise<Answer> {
  // A retry with a fresh token keeps the id: it is the same request of the same user.
  const requestID = randomID()
  const userID = caller.userID()
  let token = withoutToken ? '' : await unless(options, caller.tokens.ready())
  for (let loads = 0; ; loads++) {
    try {
      return await once<Answer>(caller, { userID, token, requestID }, method, path, options)
    } catch (error) {
      const expired = error instanceof ChatError && error.kind === 'AuthErrorTokenExpired'
      if (!expired || !caller.tokens.isRenewable || loads >= TOKEN_LOADS_MAX) throw error
      if (loads > 0) await unless(options, pause(caller.clock, spread(backoffRange(loads), caller.random)))
      // The next token belongs to another user, who has not made this call.
      if (caller.userID() !== userID) throw error
      token = await unless(options, caller.tokens.renewed(token))
    }
  }
}

/** Waits for the value, unless the call is aborted first. @throws ChatError ERR_CANCELED */
export function unless<Value>({ signal }: { signal?: AbortSignal }, awaited: Promise<Value>): Promise<Value> {
  if (!signal) return awaited
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(givenUp())
    if (signal.aborted) giveUp()
    signal.addEventListener('abort', giveUp)
    awaited.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp))
  })
}

/** @throws ChatError ERR_CANCELED — the call was aborted before it began */
export function checkWanted({ signal }: { signal?: AbortSignal }) {
  if (signal?.aborted) throw givenUp()
}

export function givenUp(): ChatError {
  return new ChatError('The call was given up', { code: 'ERR_CANCELED' })
}

/** The user of a call: the same for a retry, even if another user has signed in by then. */
interface Identity {
  userID: string | undefined
  token: string
  requestID: string
}

async function once<Answer>(
  caller: Caller,
  { userID, token, requestID }: Identity,
  method: Method,
  path: string,
  { query = {}, body, signal, fetch = caller.fetch, keepalive }: RequestOptions,
): Promise<Answer> {
  const timeoutMs = caller.timeoutMs ?? REQUEST_TIMEOUT_MS
  const isForm = body instanceof FormData
  // A body that cannot be serialized is an error of the program, not of the network.
  const sent = isForm || body === undefined ? body : JSON.stringify(body)
  const giveUp = new AbortController()
  const late = () => giveUp.abort(new ChatError(`No answer within ${timeoutMs} ms`, { code: 'ECONNABORTED' }))
  const stopTimeout = isForm ? undefined : caller.clock.after(timeoutMs, late)
  const cancel = () => giveUp.abort(givenUp())
  signal?.addEventListener('abort', cancel)
  if (signal?.aborted) cancel()

  try {
    const headers: Record<string, string> = {
      Authorization: token,
      'stream-auth-type': token === '' ? 'anonymous' : 'jwt',
      'X-Stream-Client': caller.agent,
      'x-client-request-id': requestID,
    }
    if (typeof sent === 'string') headers['Content-Type'] = 'application/json'
    const connection_id = caller.userID() === userID ? caller.connectionID() : undefined
    const always = { api_key: caller.key, user_id: userID, connection_id }
    const response = await fetch(address(caller.baseURL + path, always, query), {
      method,
      headers,
      credentials: 'omit',
      body: sent,
      signal: giveUp.signal,
      ...(keepalive && { keepalive }),
    })
    const text = await response.text()
    return read<Answer>(response, text)
  } catch (error) {
    if (error instanceof ChatError) throw error
    // Thrown here, because browsers have different errors for it.
    if (giveUp.signal.aborted) throw giveUp.signal.reason
    throw new ChatError('The chat server gave no answer', { code: 'ERR_NETWORK', cause: error })
  } finally {
    stopTimeout?.()
    signal?.removeEventListener('abort', cancel)
  }
}

function read<Answer>(response: Response, text: string): Answer {
  const body = parsed(text)
  if (!response.ok) throw answeredError(body ?? text, response.status, rateLimitOf(response.headers))
  if (body === undefined)
    throw new ChatError('The answer could not be read', {
      code: 'ERR_BAD_RESPONSE',
      status: response.status,
      response: text,
    })
  return body as Answer
}

/** A URL with its query; undefined values are left out. */
export function address(place: string, ...queries: Record<string, unknown>[]): string {
  const url = new URL(place)
  for (const [name, value] of queries.flatMap((query) => Object.entries(query)))
    if (value !== undefined) url.searchParams.set(name, inQuery(value))
  return url.href
}

function inQuery(value: unknown): string {
  if (Array.isArray(value)) return value.join(',')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** The parsed JSON; undefined for anything else. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function rateLimitOf(headers: Headers): RateLimit | undefined {
  const said = (what: string) => headers.get(`X-RateLimit-${what}`)
  if (said('Limit') === null) return undefined
  return { limit: Number(said('Limit')), remaining: Number(said('Remaining')), reset: Number(said('Reset')) }
}
