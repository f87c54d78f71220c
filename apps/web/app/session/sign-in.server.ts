import { redirect } from 'react-router'
import { tellChat } from '../chat/tell-chat.server.ts'
import { personWithEmail } from '../people/person-store.server.ts'
import type { Product } from '../product.server.ts'

export type SignIn = { type: 'success'; cookies: string[] } | { type: 'refused' } | { type: 'tooOften' }

/** Checks an e-mail address and a password. Goes through the sign-in library's door, which counts the tries. */
export async function signIn(
  product: Product,
  { email, password, address }: { email: string; password: string; address: string },
): Promise<SignIn> {
  const answer = await product.auth.handler(
    new Request(`${product.publicUrl}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: product.publicUrl, 'x-forwarded-for': address },
      body: JSON.stringify({ email, password }),
    }),
  )
  if (answer.status === 429) return { type: 'tooOften' }
  if (!answer.ok) return { type: 'refused' }
  return { type: 'success', cookies: answer.headers.getSetCookie() }
}

/** Signs somebody in and leads them on to a path of the product; whoever is refused gets the reason. */
export async function signInTo(
  product: Product,
  given: { email: string; password: string; address: string },
  path: string,
): Promise<Response | 'refused' | 'tooOften'> {
  const answer = await signIn(product, given)
  if (answer.type !== 'success') return answer.type
  const person = await personWithEmail(product.database, given.email)
  // The chat server learns the name and picture of today.
  if (person?.chatAccess) await tellChat(product, person.id)
  return redirect(path, { headers: new Headers(answer.cookies.map((cookie) => ['set-cookie', cookie])) })
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
