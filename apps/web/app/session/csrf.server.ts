import { randomBytes } from 'node:crypto'
import { cookieOf, same, signed, signedText } from './signed.server.ts'

/** What the browser keeps [HTTP-14], and what it must send back [HTTP-15]. */
export const csrfCookie = 'XSRF-TOKEN'
const csrfHeader = 'x-xsrf-token'

const PURPOSE = 'csrf'

const harmless = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Who changes nothing needs no proof of where they come from. */
export function changesNothing({ method }: Request): boolean {
  return harmless.has(method)
}

/** A new token: random text and our signature, so that a neighbouring site cannot plant one of its own. */
export function csrfToken(secret: string): string {
  return signed(randomBytes(24).toString('base64url'), PURPOSE, secret)
}

/** The token the browser brought along, if it is one of ours. */
export function csrfTokenOf(request: Request, secret: string): string | undefined {
  const token = cookieOf(request, csrfCookie)
  return signedText(token, PURPOSE, secret) === undefined ? undefined : token
}

/**
 * Whether the request may change something: the header holds the value of the cookie [HTTP-15], or it is a form of one
 * of our pages that the browser itself has sent because our scripts were not there yet.
 */
export function provesOrigin(request: Request, secret: string): boolean {
  if (changesNothing(request)) return true
  const token = csrfTokenOf(request, secret)
  if (token === undefined) return false
  const header = request.headers.get(csrfHeader)
  return header === null ? isOwnForm(request) : same(header, token)
}

/** No page can make these headers up: the browser says by itself who navigates, and from where. */
function isOwnForm({ headers }: Request): boolean {
  return headers.get('sec-fetch-site') === 'same-origin' && headers.get('sec-fetch-mode') === 'navigate'
}

/** Readable by scripts of the product, because they send it back in a header. */
export function csrfSetCookie(token: string, { secure }: { secure: boolean }): string {
  return `${csrfCookie}=${token}; Path=/; SameSite=Lax${secure ? '; Secure' : ''}`
}
