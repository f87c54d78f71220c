import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { castMember, demoPassword } from '../../src/demo/people.ts'
import { browser, describeDatabases, type TestProduct } from '../../src/testing/a-product.ts'
import { languages } from '../i18n/languages.ts'
import { action as changeLooks } from '../settings/change-looks.ts'
import { farewellSetCookie } from '../welcome/farewell.server.ts'
import { ReportedOrigins } from './origin.server.ts'
import { action as postSignIn, loader as signInPage } from './sign-in-page.tsx'
import { action as postSignOut } from './sign-out.ts'

// A name of this machine, where demo users may sign in.
const PUBLIC_URL = 'https://chat.localhost'

describeDatabases('the address of the product', (open) => {
  let test: TestProduct
  beforeAll(async () => {
    test = await open({ chat: { PUBLIC_URL: `${PUBLIC_URL}/` } })
  })
  afterAll(() => test.close())

  const form = { email: castMember('ada').email, password: demoPassword }
  const signIn = (headers?: Record<string, string>) =>
    browser(test.product).call(postSignIn, '/sign-in', { form, headers })

  function listenToLog(): string[] {
    const lines: string[] = []
    const spy = vi.spyOn(console, 'warn').mockImplementation((line) => void lines.push(String(line)))
    onTestFinished(() => spy.mockRestore())
    return lines
  }

  it("[APP-33] a form of its own page is accepted, and a program's call without an origin", async () => {
    for (const headers of [{ origin: PUBLIC_URL }, undefined]) expect((await signIn(headers)).status).toBe(302)
  })

  it('[APP-33] every cookie is for TLS only, and redirects stay on the product', async () => {
    const page = await browser(test.product).call(
      () => new Response('', { headers: { 'content-type': 'text/html' } }),
      '/welcome',
      {
        headers: { cookie: 'theme=dark' },
      },
    )
    const signedIn = await signIn({ origin: PUBLIC_URL })
    const cookies = signedIn.headers.getSetCookie()
    const sent = { cookie: [...cookies, ...page.headers.getSetCookie()].map((set) => set.split(';')[0]).join('; ') }
    const token = /XSRF-TOKEN=([^;]+)/.exec(sent.cookie)![1]!
    const signedOut = await browser(test.product).call(postSignOut, '/sign-out', {
      form: { back: 'https://evil.example/' },
      headers: { ...sent, 'x-xsrf-token': token, origin: PUBLIC_URL },
    })
    const set = [
      ...cookies,
      ...page.headers.getSetCookie(),
      ...signedOut.headers.getSetCookie(),
      farewellSetCookie(PUBLIC_URL),
    ]
    expect(new Set(set.map((cookie) => cookie.split('=')[0]))).toEqual(
      new Set([
        '__Secure-parley.session_token',
        'parley.known-browser',
        'XSRF-TOKEN',
        ...bookkeeping(set),
        'parley.farewell',
      ]),
    )
    expect(set.filter((cookie) => !/; Secure(;|$)/.test(cookie))).toEqual([])
    expect(set.filter((cookie) => !/; SameSite=Lax(;|$)/i.test(cookie))).toEqual([])
    expect([signedIn, signedOut].map(({ headers }) => headers.get('location'))).toEqual(['/', '/'])
  })

  it.each([
    'http://chat.localhost',
    'https://chat.localhost:8443',
    'https://chat.localhost.evil.example',
    'http://localhost:3000',
    'null',
    'nothing at all',
    '',
  ])('[APP-34] a form from %j is refused, whatever a proxy says', async (origin) => {
    listenToLog()
    const forwarded = {
      'x-forwarded-proto': 'http',
      'x-forwarded-host': new URL(PUBLIC_URL).host,
      host: 'evil.example',
    }
    for (const headers of [{ origin }, { origin, ...forwarded }]) {
      const answer = await signIn(headers)
      expect(answer.status).toBe(403)
      expect(answer.headers.getSetCookie()).toEqual([])
    }
  })

  it('[APP-34] any page may read', async () => {
    const answer = await browser(test.product).call(signInPage, '/sign-in', {
      headers: { origin: 'https://other.example' },
    })
    expect(answer.status).toBe(200)
  })

  it('[APP-34] the error contains both addresses and the name of the setting, in each language', async () => {
    listenToLog()
    const sentences = new Set<string>()
    for (const code of Object.keys(languages)) {
      const answer = await signIn({ origin: 'http://10.1.2.3:3000', 'accept-language': code })
      const said = await answer.json()
      expect(said).toMatchObject({ type: 'error', publicUrl: PUBLIC_URL, language: code })
      for (const word of ['http://10.1.2.3:3000', PUBLIC_URL, 'PUBLIC_URL']) expect(said.error).toContain(word)
      sentences.add(said.title).add(said.error)
    }
    expect(sentences.size).toBe(2 * Object.keys(languages).length)
  })

  it("[APP-34] a script's call gets the same text, for its notice", async () => {
    listenToLog()
    const ada = await test.signedIn('ada')
    const answer = await ada.call(changeLooks, '/settings/looks', {
      form: { theme: 'dark' },
      headers: { origin: 'https://elsewhere.example' },
    })
    expect(answer.status).toBe(403)
    expect((await answer.json()).error).toContain('PUBLIC_URL')
  })

  it('[APP-34] the log names the setting, once for each address', async () => {
    const lines = listenToLog()
    const origin = `https://a${test.product.secret.slice(0, 8)}.example`
    for (let count = 0; count < 3; count++) await signIn({ origin })
    expect(lines).toEqual([
      `A form from ${origin} was refused, since PUBLIC_URL is ${PUBLIC_URL}. If people are to reach the product at ${origin}, set PUBLIC_URL to it.`,
    ])
  })
})

/** The cookies with which the sign-in library clears its own other ones. */
function bookkeeping(set: readonly string[]): string[] {
  return set
    .map((cookie) => cookie.split('=')[0]!)
    .filter((name) => /^__Secure-parley\.(session_data|dont_remember|account_data)$/.test(name))
}

describe('the log', () => {
  it('[APP-34] contains an address once an hour, and at most twenty', () => {
    const reported = new ReportedOrigins()
    const named = (now: number) => Array.from({ length: 30 }, (_, n) => reported.isNew(`https://${n}.example`, now))
    expect(named(0).filter(Boolean)).toHaveLength(20)
    expect(named(3_599_999).filter(Boolean)).toHaveLength(0)
    expect(named(3_600_000).filter(Boolean)).toHaveLength(20)
  })
})
