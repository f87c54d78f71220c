import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { RouterContextProvider } from 'react-router'
import { describe } from 'vitest'
import { now } from '../../../../scripts/machine-time.ts'
import { clientAddressContext, type Product, productContext } from '../../app/product.server.ts'
import { csrfToken } from '../../app/session/csrf.server.ts'
import { sessionMiddleware } from '../../app/session/session.server.ts'
import { signIn } from '../../app/session/sign-in.server.ts'
import { type CastName, castMember, demoPassword } from '../demo/people.ts'
import { seedDemo } from '../demo/seed.ts'
import { openProduct } from '../product.ts'
import { readSettings } from '../settings.ts'

const postgres = process.env.TEST_POSTGRES_URL

/** Runs the same tests on each database that the product supports. */
export function describeDatabases(title: string, stories: (open: Open) => void): void {
  describeOnSqlite(`${title} on SQLite`, stories)
  describe.skipIf(!postgres)(
    postgres ? `${title} on PostgreSQL` : `${title} on PostgreSQL (skipped: TEST_POSTGRES_URL is not set)`,
    () => stories(aProductOnPostgres),
  )
}

/** Runs tests that do not depend on the kind of database. */
export function describeOnSqlite(title: string, stories: (open: Open) => void): void {
  describe(title, () => stories((options) => aProduct('sqlite::memory:', options)))
}

/** Opens a product full of demo people, or an empty one; with chat if the settings of a chat server are given. */
export type Open = (options?: OpenOptions) => Promise<TestProduct>

interface OpenOptions {
  chat?: Record<string, string>
  empty?: boolean
}

export interface TestProduct {
  product: Product
  /** The browser in which this demo user is signed in; always the same one. */
  signedIn(name: CastName): Promise<Browser>
  /** Signs this user in with another browser. */
  signsIn(name: CastName, password?: string): Promise<Browser>
  close(): Promise<void>
}

/** Calls routes as the server does: through the middleware, with cookies and the CSRF header. */
export interface Browser {
  call(route: Route, path: string, options?: CallOptions): Promise<Response>
}

type Route = (args: RouteArgs) => unknown

interface RouteArgs {
  request: Request
  context: RouterContextProvider
  params: Record<string, string>
  url: URL
  pattern: string
}

interface CallOptions {
  /** Sent as a POST; with files it is a `FormData`. */
  form?: Record<string, string> | FormData
  headers?: Record<string, string>
  params?: Record<string, string>
  /** Omits the CSRF header. */
  withoutCsrf?: boolean
}

async function aProduct(databaseUrl: string, { chat, empty }: OpenOptions = {}): Promise<TestProduct> {
  const secret = randomBytes(32).toString('hex')
  const product = await openProduct(
    readSettings({ WEB_DATABASE_URL: databaseUrl, SESSION_SECRET: secret, WEB_PORT: '0', ...chat }),
  )
  if (!empty) await seedDemo({ ...product, chat: undefined }, now())
  const browsers = new Map<CastName, Promise<Browser>>()
  let addresses = 0
  async function signsIn(name: CastName, password = demoPassword): Promise<Browser> {
    const { email } = castMember(name)
    const answer = await signIn(product, { email, password, address: `10.0.0.${++addresses}` })
    if (answer.type !== 'success') throw new Error(`${email} could not sign in: ${answer.type}.`)
    return browser(product, answer.cookies)
  }
  return {
    product,
    signedIn(name) {
      const browser = browsers.get(name) ?? signsIn(name)
      browsers.set(name, browser)
      return browser
    },
    signsIn,
    close: () => product.database.close(),
  }
}

export function browser(product: Product, cookies: string[] = []): Browser {
  const token = csrfToken(product.secret)
  const cookie = [...cookies.map((set) => set.split(';')[0]), `XSRF-TOKEN=${token}`].join('; ')
  return {
    async call(route, path, { form, headers = {}, params = {}, withoutCsrf } = {}) {
      // As bytes: Node's stream of a FormData throws outside of any call when it is not read to its end.
      const encoded = new Response(form instanceof FormData ? form : form && new URLSearchParams(form))
      const request = new Request(`http://localhost${path}`, {
        method: form ? 'POST' : 'GET',
        body: form && (await encoded.bytes()),
        headers: {
          ...Object.fromEntries(encoded.headers),
          cookie,
          ...(form && !withoutCsrf ? { 'x-xsrf-token': token } : {}),
          ...headers,
        },
      })
      const context = new RouterContextProvider()
      context.set(productContext, product)
      context.set(clientAddressContext, '127.0.0.1')
      const args = { request, context, params, url: new URL(request.url), pattern: path }
      const thrownIn = (thrown: unknown) => {
        if (thrown instanceof Response) return thrown
        throw thrown
      }
      const answer = Promise.resolve(
        sessionMiddleware(args, async () => {
          const given = await Promise.resolve()
            .then(() => route(args))
            .catch(thrownIn)
          return given instanceof Response ? given : Response.json(given)
        }),
      )
      return (await answer.catch(thrownIn)) as Response
    },
  }
}

async function aProductOnPostgres(options?: OpenOptions): Promise<TestProduct> {
  const name = `web_${randomBytes(8).toString('hex')}`
  await onPostgres(`create database ${name}`)
  const url = new URL(postgres!)
  url.pathname = `/${name}`
  const opened = await aProduct(url.href, options)
  return {
    ...opened,
    async close() {
      await opened.close()
      await onPostgres(`drop database ${name}`)
    },
  }
}

async function onPostgres(statement: string): Promise<void> {
  const client = new pg.Client(postgres)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
