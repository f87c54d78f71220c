import { redirect } from 'react-router'
import { syncChatUser } from '../chat/sync-users.server.ts'
import { personWithEmail } from '../people/person-store.server.ts'
import type { Product } from '../product.server.ts'
import { giveBack, type RateLimit, spend } from '../rate-limit.server.ts'
import { knownBrowserOf, knownBrowserSetCookie } from './known-browser.server.ts'

export type SignIn = { type: 'success'; cookies: string[] } | { type: 'refused' } | { type: 'tooOften' }

/**
 * So often the password of one account may be guessed at once, and so often again, from however many addresses. What
 * people read who have to wait says a minute, too.
 */
const GUESSES: RateLimit = { name: 'guesses', atOnce: 10, pauseMs: 60_000 }

interface Given {
  email: string
  password: string
  address: string
}

/**
 * Checks an e-mail address and a password. Goes through the sign-in library's door, which counts the tries of each
 * address; those for each account are counted here.
 *
 * @param given.knownAs  who tries, if they are no stranger to the account: what they guess, and what strangers do, is
 *   counted apart, so that nobody keeps them out
 */
export async function signIn(
  product: Product,
  { email, password, address, knownAs }: Given & { knownAs?: string },
  now?: Date,
): Promise<SignIn> {
  const { database, isClosedTo } = product
  // An account that is not there is counted like one that is, or else it would show.
  const whose = knownAs ? `known:${knownAs}` : `account:${email.toLowerCase()}`
  // First of all, so that of many who guess at the same moment no more get an answer.
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

/** Signs somebody in and leads them on to a path of the product; whoever is refused gets the reason. */
export async function signInTo(
  product: Product,
  request: Request,
  given: Given,
  path: string,
): Promise<Response | 'refused' | 'tooOften'> {
  const answer = await signIn(product, { ...given, knownAs: knownBrowserOf(request, product, given.email) })
  if (answer.type !== 'success') return answer.type
  const person = await personWithEmail(product.database, given.email)
  // The chat server learns the name and picture of today.
  if (person?.chatAccess) await syncChatUser(product, person.id)
  const cookies = [...answer.cookies, knownBrowserSetCookie(product, given.email)]
  return redirect(path, { headers: new Headers(cookies.map((cookie) => ['set-cookie', cookie])) })
}

/** Ends the session of this browser and gives the cookies that say so. */
export async function signOut(product: Product, request: Request): Promise<string[]> {
  const { headers } = await product.auth.api.signOut({ headers: request.headers, returnHeaders: true })
  return headers.getSetCookie()
}

/**
 * A path of this product to return to; anything that would lead to another site becomes the start page. It is read as
 * browsers read it, who leave out tabs and take a backslash for a slash.
 */
export function safeBack(back: string | null): string {
  const here = 'http://product.invalid'
  const url = back?.startsWith('/') ? URL.parse(back, here) : null
  if (url?.origin !== here || url.pathname.startsWith('//')) return '/'
  return `${url.pathname}${url.search}${url.hash}`
}
