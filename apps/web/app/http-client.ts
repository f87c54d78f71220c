/** The general HTTP client of the product: calls to its own server. Chat has a client of its own. */

const CSRF_COOKIE = 'XSRF-TOKEN'
const CSRF_HEADER = 'X-XSRF-TOKEN'
const SHOWN_TO_HEADER = 'X-Shown-To'
const DEFAULT_TIMEOUT_MS = 0

/** A call that did not succeed. `status` is 0 when no answer came. */
export class CallError extends Error {
  override readonly name = 'CallError'
  readonly status: number
  /** The sentence the server gave for people, if it gave one. */
  readonly said: string | undefined
  constructor(status: number, said?: string, options?: ErrorOptions) {
    super(said ?? `The call was answered with status ${status}.`, options)
    this.status = status
    this.said = said
  }
}

export interface CallOptions {
  method?: 'GET' | 'POST'
  body?: FormData
  headers?: Record<string, string>
  signal?: AbortSignal
  /** 0 waits as long as it takes [HTTP-13]. */
  timeoutMs?: number
}

/**
 * Calls the product's server and reads the JSON it answers with.
 *
 * @throws CallError for every status outside 200 to 299 [HTTP-6, HTTP-7] and when no answer came
 */
export async function call<Answer>(
  path: string,
  { method = 'GET', body, headers, signal, timeoutMs = DEFAULT_TIMEOUT_MS }: CallOptions = {},
): Promise<Answer> {
  const signals = [signal, timeoutMs > 0 ? AbortSignal.timeout(timeoutMs) : undefined].filter((given) => !!given)
  const response = await fetch(path, { method, body, headers, signal: AbortSignal.any(signals) }).catch((cause) => {
    if (signal?.aborted) throw cause
    throw new CallError(0, undefined, { cause })
  })
  if (response.status === 401) signInAgain()
  if (response.status < 200 || response.status > 299) throw new CallError(response.status, await saidIn(response))
  return response.json()
}

let signInAgain = () => {}

/** What a page does when a call of it is answered with 401, whatever else its caller does [APP-31]. */
export function whenSignedOut(lead: () => void): () => void {
  signInAgain = lead
  return () => {
    signInAgain = () => {}
  }
}

/** A key under which a call may be repeated without doing its work twice. */
export function newIdempotencyKey(): string {
  // Pages served over plain http from another machine have no randomUUID.
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

let shownTo: string | undefined

/** Has every call say whose page it comes from: in another tab somebody else may have signed in since. */
export function showTo(personId: string | undefined): void {
  shownTo = personId
}

/**
 * Makes every changing call to the product carry the CSRF token [HTTP-15], and all of them say whose page they come
 * from: ours and those the router makes for its forms and pages, which has no door of its own for a header. Calls to
 * other origins, chat among them, stay as they are.
 */
export function sayWhoCalls(target: Pick<typeof globalThis, 'fetch'> = globalThis): void {
  const plain = target.fetch
  target.fetch = (input, init) => {
    const request = new Request(input, init)
    if (new URL(request.url).origin !== location.origin) return plain(input, init)
    if (!['GET', 'HEAD'].includes(request.method)) request.headers.set(CSRF_HEADER, csrfToken(document.cookie))
    if (shownTo) request.headers.set(SHOWN_TO_HEADER, shownTo)
    return plain(request)
  }
}

/** The token in the cookies of the page, or nothing. */
export function csrfToken(cookies: string): string {
  const pair = cookies.split(/;\s*/).find((cookie) => cookie.startsWith(`${CSRF_COOKIE}=`))
  return pair?.slice(CSRF_COOKIE.length + 1) ?? ''
}

async function saidIn(response: Response): Promise<string | undefined> {
  const answer: unknown = await response.json().catch(() => undefined)
  return typeof answer === 'object' && answer && 'error' in answer ? String(answer.error) : undefined
}
