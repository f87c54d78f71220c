import { chooseLanguage } from '../i18n/languages.ts'
import { serverText } from '../i18n/server-text.server.ts'
import type { Product } from '../product.server.ts'
import { changesNothing } from './csrf.server.ts'
import type { WrongOrigin } from './wrong-origin.ts'

/** The most origins that are logged before {@link REPORTED_FOR_MS} is over. */
const MOST_REPORTED = 20
/** After this, an origin that still sends requests is logged again. */
const REPORTED_FOR_MS = 3_600_000

/**
 * The response to a form or call from a page at another address than `PUBLIC_URL`, which is the product's only one
 * [APP-34]; undefined for a permitted request. Programs, unlike pages, send no origin.
 */
export async function refusedOrigin(
  request: Request,
  { publicUrl }: Pick<Product, 'publicUrl'>,
): Promise<Response | undefined> {
  const origin = request.headers.get('origin')
  const own = new URL(publicUrl).origin
  if (origin === null || origin === own || changesNothing(request)) return undefined
  const given = URL.parse(origin)?.origin
  // A page with an opaque origin, as in a sandbox, is not ours.
  if (given === undefined || given === 'null')
    return Response.json({ type: 'error', error: 'Forbidden' }, { status: 403 })
  if (reported.isNew(given, Date.now()))
    console.warn(
      `A form from ${given} was refused, since PUBLIC_URL is ${own}. If people are to reach the product at ${given}, set PUBLIC_URL to it.`,
    )
  const values = { origin: given, publicUrl: own }
  const answer: WrongOrigin = {
    type: 'error',
    title: await serverText(request, null, 'wrongOrigin.title'),
    error: await serverText(request, null, 'wrongOrigin.body', values),
    publicUrl: own,
    language: chooseLanguage(undefined, request.headers.get('accept-language')),
  }
  return Response.json(answer, { status: 403, headers: { 'cache-control': 'no-store' } })
}

/** The origins that were logged recently. */
export class ReportedOrigins {
  #origins = new Set<string>()
  #forgottenAt = 0

  /** @param now in ms; returns whether to log this origin, and counts it as logged */
  isNew(origin: string, now: number): boolean {
    if (now >= this.#forgottenAt) {
      this.#origins.clear()
      this.#forgottenAt = now + REPORTED_FOR_MS
    }
    if (this.#origins.has(origin) || this.#origins.size >= MOST_REPORTED) return false
    this.#origins.add(origin)
    return true
  }
}

const reported = new ReportedOrigins()
