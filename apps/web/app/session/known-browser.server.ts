import { randomBytes } from 'node:crypto'
import type { Product } from '../product.server.ts'
import { cookieOf, signed, signedText } from './signed.server.ts'

const NAME = 'parley.known-browser'

/** A browser is known for this long after the last sign-in. */
const SECONDS = 365 * 24 * 3_600

type Site = Pick<Product, 'secret' | 'publicUrl'>

/**
 * Marks a browser as known to an e-mail address, beyond the end of the session. It does not authenticate; see
 * docs/decisions/0022-a-known-browser-tries-on-its-own.md.
 */
export function knownBrowserSetCookie({ secret, publicUrl }: Site, email: string): string {
  const mark = signed(randomBytes(12).toString('base64url'), purposeOf(email), secret)
  const secure = publicUrl.startsWith('https:')
  return `${NAME}=${mark}; Max-Age=${SECONDS}; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
}

/** The mark of the request's browser, if a user has signed in there with this address before. */
export function knownBrowserOf(request: Request, { secret }: Site, email: string): string | undefined {
  return signedText(cookieOf(request, NAME), purposeOf(email), secret)
}

function purposeOf(email: string): string {
  return `known-browser:${email.toLowerCase()}`
}
