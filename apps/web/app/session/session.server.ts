import {
  createContext,
  type LoaderFunctionArgs,
  type MiddlewareFunction,
  redirect,
  redirectDocument,
} from 'react-router'
import type { Person } from '../people/person.ts'
import { personWithId } from '../people/person-store.server.ts'
import { type Product, productContext } from '../product.server.ts'
import { csrfSetCookie, csrfToken, csrfTokenOf, provesOrigin } from './csrf.server.ts'
import { refusedOrigin } from './origin.server.ts'

/** The path that receives the chat server's webhooks. */
export const EVENTS_PATH = '/chat/api/events'

/** The header with the user whose page makes the call. */
export const shownToHeader = 'x-shown-to'

/** The signed-in user, or null. */
export const sessionContext = createContext<Person | null>(null)

/** Authenticates the request and checks its origin, before every loader and action. */
export const sessionMiddleware: MiddlewareFunction<Response> = async ({ request, url, context }, next) => {
  const product = context.get(productContext)
  // The chat server has no session; its signature authenticates it.
  if (new URL(request.url).pathname === EVENTS_PATH) return next()
  // This check comes first: at a wrong address the browser stores none of our cookies, and everything else fails
  // without an obvious reason.
  const refused = await refusedOrigin(request, product)
  if (refused) throw refused
  if (!provesOrigin(request, product.secret))
    return Response.json({ type: 'error', error: 'The page is out of date. Reload it and try again.' }, { status: 403 })

  // None of our texts contains NUL, and PostgreSQL refuses it.
  if (request.url.includes('%00'))
    return Response.json({ type: 'error', error: 'An address has no NUL in it.' }, { status: 400 })

  const { person, headers } = await personOfRequest(product, request)
  const shownTo = request.headers.get(shownToHeader)
  // A page never acts for another user unnoticed: it reloads as that user's page.
  if (person && shownTo && shownTo !== person.id) return reloaded({ request, url })
  context.set(sessionContext, person)
  const response = await next()

  for (const cookie of headers.getSetCookie()) {
    response.headers.append('set-cookie', cookie)
    // A shared cache that stores the response would hand out the session.
    response.headers.set('cache-control', 'no-store')
  }
  // A page is for one user at one moment, and contains the chat token.
  if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'no-store')
  // Only pages need the cookie; pictures and the like stay cacheable in shared caches.
  const isPage = response.headers.get('content-type')?.startsWith('text/html')
  if (isPage && !csrfTokenOf(request, product.secret)) {
    const secure = product.publicUrl.startsWith('https:')
    response.headers.append('set-cookie', csrfSetCookie(csrfToken(product.secret), { secure }))
  }
  return response
}

/**
 * The signed-in user, for pages and their forms; other visitors go to sign-in and return to the page afterwards
 * [APP-31], or go to the welcome page.
 */
export function requirePerson({ request, url, context }: Asked): Person {
  const person = context.get(sessionContext)
  if (person) return person
  const { pathname, search } = pageOf({ request, url })
  const back = `${pathname}${search}`
  // A user whose session has ended wants the page back, not the welcome page.
  const isNew = back === '/' && !request.headers.has(shownToHeader)
  throw redirect(isNew ? '/welcome' : `/sign-in?back=${encodeURIComponent(back)}`)
}

/** The signed-in user for calls of scripts, which need a status and no page. */
export function requireCaller({ context }: Pick<Asked, 'context'>): Person {
  const person = context.get(sessionContext)
  if (!person) throw signInFirst()
  return person
}

/** `url` is that of the page; the request's own URL may be that of its data alone, where no user would return to. */
type Asked = Pick<LoaderFunctionArgs, 'request' | 'url' | 'context'>

/** The requested page, or the page that submitted the form. */
function pageOf({ request: { method, headers }, url }: Omit<Asked, 'context'>): URL {
  return method === 'GET' ? url : (URL.parse(headers.get('referer') ?? '') ?? url)
}

/** Reloads the page of a router call; for a script's own call it redirects through sign-in. */
function reloaded({ request, url }: Omit<Asked, 'context'>): Response {
  if (new URL(request.url).pathname === url.pathname) return signInFirst()
  const { pathname, search } = pageOf({ request, url })
  return redirectDocument(`${pathname}${search}`)
}

function signInFirst(): Response {
  return Response.json({ type: 'error', error: 'Sign in first.' }, { status: 401 })
}

/** Reading a session may also prolong it; the headers then contain the new cookie. */
async function personOfRequest(product: Product, request: Request) {
  const { response, headers } = await product.auth.api.getSession({ headers: request.headers, returnHeaders: true })
  const person = response && (await personWithId(product.database, response.user.id))
  return { person: person ?? null, headers }
}
