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

/** Where the chat server tells what happened. */
export const EVENTS_PATH = '/chat/api/events'

/** Whose page a call comes from. */
export const shownToHeader = 'x-shown-to'

/** The signed-in person, or null. */
export const sessionContext = createContext<Person | null>(null)

/** Who is asking, and may they change something: runs before every loader and action. */
export const sessionMiddleware: MiddlewareFunction<Response> = async ({ request, url, context }, next) => {
  const product = context.get(productContext)
  // The chat server has no session, and proves itself by its signature.
  if (new URL(request.url).pathname === EVENTS_PATH) return next()
  // First of all: at a wrong address the browser keeps no cookies of ours, and all else fails for no reason one sees.
  const refused = await refusedOrigin(request, product)
  if (refused) throw refused
  if (!provesOrigin(request, product.secret))
    return Response.json({ type: 'error', error: 'The page is out of date. Reload it and try again.' }, { status: 403 })

  // No text of ours has NUL in it, and PostgreSQL takes none.
  if (request.url.includes('%00'))
    return Response.json({ type: 'error', error: 'An address has no NUL in it.' }, { status: 400 })

  const { person, headers } = await personOfRequest(product, request)
  const shownTo = request.headers.get(shownToHeader)
  // Nobody acts in the name of somebody else without seeing it: the page begins anew, as theirs.
  if (person && shownTo && shownTo !== person.id) return anew({ request, url })
  context.set(sessionContext, person)
  const response = await next()

  for (const cookie of headers.getSetCookie()) {
    response.headers.append('set-cookie', cookie)
    // Whoever keeps an answer for everybody would hand out the session with it.
    response.headers.set('cache-control', 'no-store')
  }
  // What a page says is for one person and this moment, and with it comes the chat token.
  if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'no-store')
  // Only pages need it; pictures and the like stay cacheable for everybody.
  const isPage = response.headers.get('content-type')?.startsWith('text/html')
  if (isPage && !csrfTokenOf(request, product.secret)) {
    const secure = product.publicUrl.startsWith('https:')
    response.headers.append('set-cookie', csrfSetCookie(csrfToken(product.secret), { secure }))
  }
  return response
}

/**
 * The signed-in person, for pages and their forms; anybody else is sent to sign-in and comes back to the page
 * afterwards [APP-31], or is welcomed.
 */
export function requirePerson({ request, url, context }: Asked): Person {
  const person = context.get(sessionContext)
  if (person) return person
  const { pathname, search } = pageOf({ request, url })
  const back = `${pathname}${search}`
  // Whoever had a page until now wants it again, and no welcome.
  const isNew = back === '/' && !request.headers.has(shownToHeader)
  throw redirect(isNew ? '/welcome' : `/sign-in?back=${encodeURIComponent(back)}`)
}

/** The signed-in person for calls made by scripts, which want a status and no page. */
export function requireCaller({ context }: Pick<Asked, 'context'>): Person {
  const person = context.get(sessionContext)
  if (!person) throw signInFirst()
  return person
}

/** `url` is that of the page; the request's own may be that of its data alone, where nobody wants to come back to. */
type Asked = Pick<LoaderFunctionArgs, 'request' | 'url' | 'context'>

/** The page that is asked for, or from which a form was sent. */
function pageOf({ request: { method, headers }, url }: Omit<Asked, 'context'>): URL {
  return method === 'GET' ? url : (URL.parse(headers.get('referer') ?? '') ?? url)
}

/** Loads the page of a call from the router; a script that calls by itself is led by way of the sign-in. */
function anew({ request, url }: Omit<Asked, 'context'>): Response {
  if (new URL(request.url).pathname === url.pathname) return signInFirst()
  const { pathname, search } = pageOf({ request, url })
  return redirectDocument(`${pathname}${search}`)
}

function signInFirst(): Response {
  return Response.json({ type: 'error', error: 'Sign in first.' }, { status: 401 })
}

/** Reading a session may also prolong it; the headers carry the new cookie then. */
async function personOfRequest(product: Product, request: Request) {
  const { response, headers } = await product.auth.api.getSession({ headers: request.headers, returnHeaders: true })
  const person = response && (await personWithId(product.database, response.user.id))
  return { person: person ?? null, headers }
}
