import { redirect } from 'react-router'
import { syncChatUser } from '../chat/sync-users.server.ts'
import { personWithEmail } from '../people/person-store.server.ts'
import type { Product } from '../product.server.ts'
import { giveBack, type RateLimit, spend } from '../rate-limit.server.ts'
import { knownBrowserOf, knownBrowserSetCookie } from './known-browser.server.ts'

export type SignIn = { type: 'success'; cookies: string[] } | { type: 'refused' } | { type: 'tooOften' }

/**
 * Limits password guesses for one account, from any number of addresses. The text for users who have to wait also names
 * a minute.
 */
const GUESSES: RateLimit = { name: 'guesses', atOnce: 10, pauseMs: 60_000 }

interface Given {
  email: string
  password: string
  address: string
}

/**
 * Checks an e-mail address and a password. It goes through the sign-in library's endpoint, which limits the attempts
 * per address; attempts per account are limited here.
 *
 * @param given.knownAs  the known browser, if any: its attempts count separately from strangers', so that strangers
 *   cannot lock the user out
 */
export async function signIn(
  product: Product,
  { email, password, address, knownAs }: Given & { knownAs?: string },
  now?: Date,
): Promise<SignIn> {
  const { database, isClosedTo } = product
  // Attempts on a missing account count in the same way, or the difference would reveal it.
  const whose = knownAs ? `known:${knownAs}` : `account:${email.toLowerCase()}`
  // This comes first, so that concurrent guesses do not exceed the limit.
  if (!(await spend(database, GUESSES, whose, 1, now))) return { type: 'tooOften' }

  const { id } = (isClosedTo && (await personWithEmail(database, email))) ?? {}
  if (id !== undefined && isClosedTo?.(id, password)) return { type: 'refused' }

  const answer = await product.auth.handler(
    new Request(`${product.publicUrl}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: product.publicUrl, 'x-forwarded-for': address },
      body: JSON.stringify({ email, password }),
    }),
  )
  if (answer.ok || answer.status === 429) await giveBack(database, GUESSES, whose)
  if (answer.status === 429) return { type: 'tooOften' }
  if (!answer.ok) return { type: 'refused' }
  return { type: 'success', cookies: answer.headers.getSetCookie() }
}

/** Signs a user in and redirects to a path of the product; otherwise returns the reason. */
export async function signInTo(
  product: Product,
  request: Request,
  given: Given,
  path: string,
): Promise<Response | 'refused' | 'tooOften'> {
  const answer = await signIn(product, { ...given, knownAs: knownBrowserOf(request, product, given.email) })
  if (answer.type !== 'success') return answer.type
  const person = await personWithEmail(product.database, given.email)
  // Sends the user's present name and picture to the chat server.
  if (person?.chatAccess) await syncChatUser(product, person.id)
  const cookies = [...answer.cookies, knownBrowserSetCookie(product, given.email)]
  return redirect(path, { headers: new Headers(cookies.map((cookie) => ['set-cookie', cookie])) })
}

/** Ends the session of this browser and returns the cookies that clear it. */
export async function signOut(product: Product, request: Request): Promise<string[]> {
  const { headers } = await product.auth.api.signOut({ headers: request.headers, returnHeaders: true })
  return headers.getSetCookie()
}

/**
 * A path of this product to return to; anything that would lead to another site becomes the start page. It is parsed as
 * browsers parse it: they skip tabs and read a backslash as a slash.
 */
export function safeBack(back: string | null): string {
  const here = 'http://product.invalid'
  const url = back?.startsWith('/') ? URL.parse(back, here) : null
  if (url?.origin !== here || url.pathname.startsWith('//')) return '/'
  return `${url.pathname}${url.search}${url.hash}`
}
