import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { castMember } from '../../src/demo/people.ts'
import { browser, describeDatabases, type TestProduct } from '../../src/testing/a-product.ts'
import { personWithEmail } from '../people/person-store.server.ts'
import { loader as showSignIn } from '../session/sign-in-page.tsx'
import { action as postSignUp, loader as showSignUp } from '../session/sign-up-page.tsx'
import { loader as showWelcome } from '../welcome/welcome-page.tsx'
import { membershipsOf, organizationsFor } from './organization-store.server.ts'
import { action as postOrganization } from './organizations-page.tsx'

const first = {
  organizationName: 'Northwind',
  givenName: 'Ada',
  familyName: 'Lindqvist',
  email: 'Ada@Northwind.example',
  password: 'a long road home',
}

describeDatabases('an empty product', (open) => {
  let test: TestProduct
  beforeEach(async () => {
    test = await open({ empty: true })
  })
  afterEach(() => test.close())

  const stranger = () => browser(test.product)

  it('welcomes its first owner, who creates the first organization and is signed in', async () => {
    expect(await (await stranger().call(showWelcome, '/welcome')).json()).toEqual({ isEmpty: true, isFarewell: false })
    expect((await stranger().call(showSignIn, '/sign-in')).headers.get('location')).toBe('/sign-up')

    const answer = await stranger().call(postSignUp, '/sign-up', { form: first })
    expect(answer.headers.get('location')).toBe('/')
    expect(answer.headers.getSetCookie().join()).toMatch(/parley\.session_token=.+HttpOnly/)
    const ada = await personWithEmail(test.product.database, 'ada@northwind.example')
    const organizations = await membershipsOf(test.product.database, ada!.id)
    expect(organizations).toEqual([{ id: expect.any(String), displayName: 'Northwind', role: 'owner' }])
  })

  it('has one first owner, however many sign up at once', async () => {
    const emails = ['a', 'b', 'c', 'd'].map((name) => `${name}@northwind.example`)
    const answers = await Promise.all(
      emails.map((email) => stranger().call(postSignUp, '/sign-up', { form: { ...first, email } })),
    )
    expect(answers.map(({ headers }) => headers.get('location')).sort()).toEqual([
      '/',
      '/sign-in',
      '/sign-in',
      '/sign-in',
    ])
    const people = await Promise.all(emails.map((email) => personWithEmail(test.product.database, email)))
    expect(people.filter((person) => person)).toHaveLength(1)
  })

  it('shows the missing fields', async () => {
    const answer = await stranger().call(postSignUp, '/sign-up', { form: { email: 'nowhere' } })
    expect(await answer.json()).toEqual({
      organizationName: 'settings.namesRequired',
      givenName: 'settings.namesRequired',
      familyName: 'settings.namesRequired',
      email: 'invite.emailInvalid',
      password: 'password.tooShort',
    })
  })

  it('[HTTP-15] accepts no owner without the CSRF header', async () => {
    const answer = await stranger().call(postSignUp, '/sign-up', { form: first, withoutCsrf: true })
    expect(answer.status).toBe(403)
  })
})

describeDatabases('organizations', (open) => {
  let test: TestProduct
  beforeAll(async () => {
    test = await open()
  })
  afterAll(() => test.close())

  it('a product with users needs an invitation to sign up', async () => {
    const stranger = browser(test.product)
    expect((await stranger.call(showSignUp, '/sign-up')).headers.get('location')).toBe('/sign-in')
    const answer = await stranger.call(postSignUp, '/sign-up', { form: first })
    expect(answer.headers.get('location')).toBe('/sign-in')
    expect(await personWithEmail(test.product.database, 'ada@northwind.example')).toMatchObject({
      id: castMember('ada').id,
    })
  })

  describe('one more', () => {
    const found = async (name: 'ada' | 'priya' | 'tom', form: Record<string, string>) =>
      (await test.signedIn(name)).call(postOrganization, '/organizations', { form })

    it('is created by an owner, who owns it, too', async () => {
      const answer = await found('ada', { name: ' <b>Contoso</b> \u202eLtd ' })
      expect(answer.headers.get('location')).toMatch(/^\/organizations\/[\w-]+\/members$/)
      expect(await membershipsOf(test.product.database, castMember('ada').id)).toContainEqual({
        id: expect.any(String),
        displayName: '<b>Contoso</b> Ltd',
        role: 'owner',
      })
    })

    it('is sorted by its name, without regard to case and accents', async () => {
      for (const name of ['änderung', 'Zeppelin', 'apple']) await found('ada', { name })
      const { kysely } = test.product.database
      const added = ['apple', 'änderung', 'Zeppelin']
      const id = castMember('ada').id
      const listed = [await membershipsOf(test.product.database, id), await organizationsFor(test.product.database, id)]
      for (const organizations of listed) {
        const names = organizations.map(({ displayName }) => displayName)
        expect(names.filter((name) => added.includes(name))).toEqual(['änderung', 'apple', 'Zeppelin'])
      }
      await kysely.deleteFrom('organization').where('name', 'in', added).execute()
    })

    it('is not created by others, nor without a name', async () => {
      const name = 'Contoso'
      expect(await (await found('priya', { name })).json()).toEqual({ error: 'organizations.ownersOnly' })
      expect(await (await found('tom', { name })).json()).toEqual({ error: 'organizations.ownersOnly' })
      expect(await (await found('ada', { name: '  ' })).json()).toEqual({ error: 'settings.namesRequired' })
      const signedOut = await browser(test.product).call(postOrganization, '/organizations', { form: { name } })
      expect(signedOut.headers.get('location')).toBe('/sign-in?back=%2Forganizations')
    })
  })
})
