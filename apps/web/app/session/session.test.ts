import { afterAll, beforeAll, expect, it } from 'vitest'
import { ago, fromNow, now } from '../../../../scripts/machine-time.ts'
import { castMember, demoPassword } from '../../src/demo/people.ts'
import { browser, describeDatabases, type TestProduct } from '../../src/testing/a-product.ts'
import { loader as searchMembers } from '../members/search-members.ts'
import { loader as organizations } from '../organizations/organizations-page.tsx'
import { loader as avatar } from '../people/avatar.ts'
import { personWithId } from '../people/person-store.server.ts'
import { action as changeLooks } from '../settings/change-looks.ts'
import { action as saveSettings } from '../settings/settings-page.tsx'
import { dropEndedSessions } from './ended-sessions.server.ts'
import { loader as sessionData } from './session-data.ts'
import { safeBack, signIn } from './sign-in.server.ts'
import { action as postSignIn, loader as signInPage } from './sign-in-page.tsx'
import { action as postSignOut } from './sign-out.ts'

describeDatabases('sessions', (open) => {
  let test: TestProduct
  beforeAll(async () => {
    test = await open()
  })
  afterAll(() => test.close())

  it('a user signs in and returns to the page they wanted', async () => {
    const form = { email: castMember('ada').email, password: demoPassword }
    const answer = await browser(test.product).call(postSignIn, '/sign-in?back=%2Fsettings', { form })
    expect(answer.status).toBe(302)
    expect(answer.headers.get('location')).toBe('/settings')
    const cookies = answer.headers.getSetCookie().join('\n')
    expect(cookies, 'for 30 days').toMatch(/^parley\.session_token=.+; Max-Age=2592000;.* HttpOnly/m)
    expect(cookies, 'for a year').toMatch(/^parley\.known-browser=.+; Max-Age=31536000;.* HttpOnly/m)
  })

  it('a wrong password and an unknown address get the same text', async () => {
    const answers = [castMember('ada').email, 'nobody@northwind.example'].map(async (email) =>
      (await browser(test.product).call(postSignIn, '/sign-in', { form: { email, password: 'wrong' } })).json(),
    )
    expect(await Promise.all(answers)).toEqual([{ form: 'signIn.refused' }, { form: 'signIn.refused' }])
  })

  it('[HTTP-15] signing in without the CSRF header is refused', async () => {
    const form = { email: castMember('ada').email, password: demoPassword }
    const answer = await browser(test.product).call(postSignIn, '/sign-in', { form, withoutCsrf: true })
    expect(answer.status).toBe(403)
  })

  it('NUL is refused, in an address and in a form', async () => {
    const ada = await test.signedIn('ada')
    const found = await ada.call(searchMembers, '/chat/modals/searchMembers?search=A%00da')
    const form = { email: 'ada\0@northwind.example', password: demoPassword }
    const signedIn = await browser(test.product).call(postSignIn, '/sign-in', { form })
    expect([found.status, signedIn.status]).toEqual([400, 400])
  })

  it('sign-in attempts from one address are rate-limited', async () => {
    // An invalid address is refused without the slow password hash, and still counts.
    const guess = { password: 'guess', address: '192.0.2.7' }
    for (let count = 0; count < 60; count++) await signIn(test.product, { ...guess, email: `guess-${count}` })
    const right = { email: castMember('ada').email, password: demoPassword }
    expect((await signIn(test.product, { ...right, address: '192.0.2.7' })).type).toBe('tooOften')
    expect((await signIn(test.product, { ...right, address: '192.0.2.8' })).type).toBe('success')
  })

  /** One guess from each of this many addresses; returns the distinct results. */
  async function strangersGuess(email: string, count: number): Promise<string[]> {
    const guesses = Array.from({ length: count }, (_, n) =>
      signIn(test.product, { email, password: 'guess', address: `198.51.100.${n}` }),
    )
    return [...new Set((await Promise.all(guesses)).map(({ type }) => type))].sort()
  }

  it('password guesses for one account are rate-limited, from any number of addresses and for unknown accounts, too', async () => {
    const [ewa, address] = [castMember('ewa').email, '203.0.113.1']
    for (const email of [ewa, 'nobody-else@northwind.example']) {
      expect(await strangersGuess(email, 10)).toEqual(['refused'])
      expect(await strangersGuess(email.toUpperCase(), 3)).toEqual(['tooOften'])
    }
    const tries = (email: string, afterMs = 0) =>
      signIn(test.product, { email, password: demoPassword, address }, fromNow(afterMs))
    expect((await tries(castMember('ada').email)).type).toBe('success')
    expect((await tries(ewa)).type).toBe('tooOften')
    // The owner can wait a minute; their own sign-in costs no attempt.
    for (const time of ['now', 'again']) expect((await tries(ewa, 60_000)).type, time).toBe('success')
  })

  it("strangers' guesses do not lock out a known browser, which may not guess faster either", async () => {
    const [jonas, dana] = [castMember('jonas').email, castMember('dana').email]
    const post = async (cookies: string[], form: { email: string; password: string }) => {
      const answer = await browser(test.product, cookies).call(postSignIn, '/sign-in', { form })
      const { form: refusal } = answer.status === 302 ? { form: 'in' } : await answer.json()
      return { refusal, marks: answer.headers.getSetCookie().filter((set) => set.startsWith('parley.known-browser=')) }
    }
    const { marks } = await post([], { email: jonas, password: demoPassword })
    expect(marks).toEqual([expect.stringMatching(/; HttpOnly; SameSite=Lax$/)])
    const others = (await post([], { email: dana, password: demoPassword })).marks
    const planted = ['parley.known-browser=mine.mine; Path=/']

    expect(await strangersGuess(jonas, 12)).toEqual(['refused', 'tooOften'])
    for (const cookies of [[], others, planted])
      expect((await post(cookies, { email: jonas, password: demoPassword })).refusal).toBe('signIn.tooOften')
    expect((await post(marks, { email: jonas, password: demoPassword })).refusal).toBe('in')

    const guess = { email: jonas, password: 'guess', knownAs: 'their own browser' }
    const guesses = Array.from({ length: 12 }, (_, n) => signIn(test.product, { ...guess, address: `203.0.113.${n}` }))
    const refusals = (await Promise.all(guesses)).map(({ type }) => type)
    expect(refusals.toSorted().slice(9, 11)).toEqual(['refused', 'tooOften'])
  })

  it('[APP-5] the session user has the flag of chat access', async () => {
    const [ada, cleo] = await Promise.all([test.signedIn('ada'), test.signedIn('cleo')])
    expect(await (await ada.call(sessionData, '/session')).json()).toMatchObject({ chatAccess: true })
    const withoutChat = await (await cleo.call(sessionData, '/session')).json()
    expect(withoutChat).toMatchObject({ chatAccess: false })
    expect(withoutChat).not.toHaveProperty('chatUser')
  })

  it('signing out ends the session', async () => {
    const ada = await test.signsIn('ada')
    expect((await ada.call(sessionData, '/session')).status).toBe(200)
    await ada.call(postSignOut, '/sign-out', { form: {} })
    expect((await ada.call(sessionData, '/session')).status).toBe(401)
  })

  it('signing in while another user is signed in ends that session', async () => {
    const ada = await test.signsIn('ada')
    const form = { email: castMember('bo').email, password: 'wrong' }
    await ada.call(postSignIn, '/sign-in', { form })
    expect((await ada.call(sessionData, '/session')).status).toBe(200)
    expect((await ada.call(postSignIn, '/sign-in', { form: { ...form, password: demoPassword } })).status).toBe(302)
    expect((await ada.call(sessionData, '/session')).status).toBe(401)
  })

  it('an expired session is deleted, and no other user is signed out', async () => {
    const [mei, dana] = [await test.signsIn('mei'), await test.signsIn('dana')]
    const { database } = test.product
    const { id } = castMember('mei')
    const sessions = () => database.kysely.selectFrom('session').select('id').where('userId', '=', id).execute()
    const past = ago(1_000)
    await database.kysely.updateTable('session').set({ expiresAt: past }).where('userId', '=', id).execute()
    expect(await sessions()).not.toEqual([])
    await dropEndedSessions(database, now())
    expect(await sessions()).toEqual([])
    expect((await mei.call(sessionData, '/session')).status).toBe(401)
    expect((await dana.call(sessionData, '/session')).status).toBe(200)
  })

  it('a page of another user changes nothing for the user signed in now', async () => {
    const [ada, bo] = [castMember('ada').id, await test.signedIn('bo')]
    const form = { givenName: 'Ada', familyName: 'Lindqvist' }
    const headers = { 'x-shown-to': ada }
    expect((await bo.call(saveSettings, '/settings', { form, headers })).status).toBe(401)
    expect((await bo.call(sessionData, '/session', { headers })).status).toBe(401)
    expect(await personWithId(test.product.database, castMember('bo').id)).toMatchObject({ givenName: 'Bo' })
    const own = { 'x-shown-to': castMember('bo').id }
    expect((await bo.call(sessionData, '/session', { headers: own })).status).toBe(200)
  })

  it('[APP-31] a form sent after the session has ended leads to sign-in and back to its page', async () => {
    const form = { givenName: 'Ada', familyName: 'Lindqvist' }
    const headers = { referer: 'http://localhost/settings?from=mail' }
    const stranger = browser(test.product)
    const answers = [
      await stranger.call(saveSettings, '/settings', { form }),
      await stranger.call(saveSettings, '/settings', { form, headers }),
      await stranger.call(changeLooks, '/settings/looks', { form: { theme: 'dark' }, headers }),
    ]
    expect(answers.map((answer) => answer.headers.get('location'))).toEqual([
      '/sign-in?back=%2Fsettings',
      '/sign-in?back=%2Fsettings%3Ffrom%3Dmail',
      '/sign-in?back=%2Fsettings%3Ffrom%3Dmail',
    ])
  })

  it('[APP-31] sign-in shows a notice after an ended session, and only then', async () => {
    const back = '/sign-in?back=%2Fsettings'
    const said = async (path: string, headers: Record<string, string> = {}, cookies: string[] = []) =>
      (await (await browser(test.product, cookies).call(signInPage, path, { headers })).json()).ended
    const fromPage = { 'x-shown-to': castMember('ada').id }
    expect(await said(back, fromPage)).toMatch(/^Your session has ended/)
    expect(await said(back, { ...fromPage, 'accept-language': 'de' })).toMatch(/^Ihre Sitzung ist abgelaufen/)
    expect(await said(back, {}, ['parley.session_token=gone; Path=/'])).toMatch(/^Your session has ended/)
    expect([await said(back), await said('/sign-in', fromPage)]).toEqual([undefined, undefined])
  })

  it('pages are never cached', async () => {
    const ada = await test.signedIn('ada')
    expect((await ada.call(organizations, '/organizations')).headers.get('cache-control')).toBe('no-store')
    const portrait = await ada.call(avatar, '/avatars/ada.svg', { params: { file: 'ada.svg' } })
    expect(portrait.headers.get('cache-control')).toContain('public')
  })

  it('a shared cache never stores the cookie of a prolonged session', async () => {
    const { kysely } = test.product.database
    const ada = await test.signsIn('ada')
    // Old enough to be prolonged by the next request.
    const expiresAt = fromNow(20 * 24 * 3_600_000)
    await kysely.updateTable('session').set({ expiresAt }).where('userId', '=', castMember('ada').id).execute()
    const portrait = await ada.call(avatar, '/avatars/ada.svg', { params: { file: 'ada.svg' } })
    expect(portrait.headers.getSetCookie().join()).toContain('parley.session_token=')
    expect(portrait.headers.get('cache-control')).not.toContain('public')
  })

  it('every user sees the organizations, their own first', async () => {
    const bo = await test.signedIn('bo')
    const { organizations: listed } = await (await bo.call(organizations, '/organizations')).json()
    expect(listed[0]).toEqual({ id: 'kiku', displayName: 'Kiku Robotics', memberCount: 60, role: 'owner' })
    expect(listed.map(({ id }: { id: string }) => id).sort()).toEqual(['hansenvogt', 'kiku', 'northwind', 'solviento'])
  })

  it('[APP-28] a profile is saved, and an invalid one changes nothing', async () => {
    const mei = await test.signedIn('mei')
    const form = { givenName: 'Mei', familyName: 'Sakamoto-Ito', language: 'ja', theme: 'dark' }
    expect(await (await mei.call(saveSettings, '/settings', { form })).json()).toEqual({
      saved: true,
      notice: '変更を保存しました。',
    })
    const saved = { familyName: 'Sakamoto-Ito', language: 'ja', theme: 'dark' }
    expect(await personWithId(test.product.database, castMember('mei').id)).toMatchObject(saved)

    const refused = await (
      await mei.call(saveSettings, '/settings', { form: { ...form, givenName: ' ', familyName: 'x'.repeat(101) } })
    ).json()
    expect(refused).toMatchObject({
      saved: false,
      errors: { givenName: 'settings.namesRequired', familyName: 'settings.nameTooLong' },
    })
    expect(await personWithId(test.product.database, castMember('mei').id)).toMatchObject(saved)
  })

  it.each([
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/.//evil.example',
    'https://evil.example',
    'settings',
    null,
  ])('never redirects to another site: %j', (back) => {
    expect(safeBack(back)).toBe('/')
  })

  it.each([
    ['/chat/messaging:tea?message=1#new', '/chat/messaging:tea?message=1#new'],
    ['/organizations?members-search=日本', '/organizations?members-search=%E6%97%A5%E6%9C%AC'],
  ])('redirects to %s, encoded for the header', (back, path) => {
    expect(safeBack(back)).toBe(path)
  })
})
