import { randomBytes } from 'node:crypto'
import { cookieOf, same, signed, signedText } from './signed.server.ts'

/** The browser's cookie [HTTP-14], and the header that repeats it [HTTP-15]. */
export const csrfCookie = 'XSRF-TOKEN'
const csrfHeader = 'x-xsrf-token'

const PURPOSE = 'csrf'

const harmless = new Set(['GET', 'HEAD', 'OPTIONS'])

/** A request that changes nothing needs no CSRF proof. */
export function changesNothing({ method }: Request): boolean {
  return harmless.has(method)
}

/** A new token: random text with our signature, so that a neighbouring site cannot plant its own. */
export function csrfToken(secret: string): string {
  return signed(randomBytes(24).toString('base64url'), PURPOSE, secret)
}

/** The token in the request's cookie, if we have signed it. */
export function csrfTokenOf(request: Request, secret: string): string | undefined {
  const token = cookieOf(request, csrfCookie)
  return signedText(token, PURPOSE, secret) === undefined ? undefined : token
}

/**
 * Whether the request may change something: the header repeats the cookie [HTTP-15], or the browser itself has
 * submitted a form of one of our pages because our scripts were not loaded yet.
 */
export function provesOrigin(request: Request, secret: string): boolean {
  if (changesNothing(request)) return true
  const token = csrfTokenOf(request, secret)
  if (token === undefined) return false
  const header = request.headers.get(csrfHeader)
  return header === null ? isOwnForm(request) : same(header, token)
}

/** No page can forge these headers: the browser itself sets how and from where the request was made. */
function isOwnForm({ headers }: Request): boolean {
  return headers.get('sec-fetch-site') === 'same-origin' && headers.get('sec-fetch-mode') === 'navigate'
}

/** Readable by the product's scripts, which repeat it in a header. */
export function csrfSetCookie(token: string, { secure }: { secure: boolean }): string {
  return `${csrfCookie}=${token}; Path=/; SameSite=Lax${secure ? '; Secure' : ''}`
}
