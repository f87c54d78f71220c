/** The product's HTTP client for its own server. Chat has another client. */

const CSRF_COOKIE = 'XSRF-TOKEN'
const CSRF_HEADER = 'X-XSRF-TOKEN'
const SHOWN_TO_HEADER = 'X-Shown-To'
const DEFAULT_TIMEOUT_MS = 0

/** A call that failed. `status` is 0 when there was no response. */
export class CallError extends Error {
  override readonly name = 'CallError'
  readonly status: number
  /** The server's message for users, if there is one. */
  readonly said: string | undefined
  /** The field of the form that the message is about, if it is about one. */
  readonly field: string | undefined
  constructor(status: number, { error, field }: Said = {}, options?: ErrorOptions) {
    super(error ?? `The call was answered with status ${status}.`, options)
    this.status = status
    this.said = error
    this.field = field
  }
}

interface Said {
  error?: string
  field?: string
}

export interface CallOptions {
  method?: 'GET' | 'POST'
  body?: FormData
  headers?: Record<string, string>
  signal?: AbortSignal
  /** 0 sets no limit [HTTP-13]. */
  timeoutMs?: number
}

/**
 * Calls the product's server and parses its JSON response.
 *
 * @throws CallError for every status outside 200 to 299 [HTTP-6, HTTP-7] and when there is no response
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

/** Sets what a page does when one of its calls gets a 401, whatever else the caller does [APP-31]. */
export function whenSignedOut(lead: () => void): () => void {
  signInAgain = lead
  return () => {
    signInAgain = () => {}
  }
}

/** An idempotency key, with which a call can be repeated safely. */
export function newIdempotencyKey(): string {
  // Pages on plain http from another machine have no randomUUID.
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

let shownTo: string | undefined

/** Adds the page's user to every call: in another tab, another user may have signed in since. */
export function showTo(personId: string | undefined): void {
  shownTo = personId
}

/**
 * Wraps `fetch` so that every changing call to the product carries the CSRF token [HTTP-15], and every call the page's
 * user. That covers the router's own calls for forms and pages, to which headers cannot be added otherwise. Calls to
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

/** The token in the page's cookies, or an empty string. */
export function csrfToken(cookies: string): string {
  const pair = cookies.split(/;\s*/).find((cookie) => cookie.startsWith(`${CSRF_COOKIE}=`))
  return pair?.slice(CSRF_COOKIE.length + 1) ?? ''
}

async function saidIn(response: Response): Promise<Said> {
  const answer: unknown = await response.json().catch(() => undefined)
  if (typeof answer !== 'object' || !answer || !('error' in answer)) return {}
  return { error: String(answer.error), ...('field' in answer && { field: String(answer.field) }) }
}
