import { afterAll, beforeAll, expect, it } from 'vitest'
import { fromNow, now } from '../../../../scripts/machine-time.ts'
import { castMember } from '../../src/demo/people.ts'
import { type Browser, browser, describeDatabases, type TestProduct } from '../../src/testing/a-product.ts'
import type { MemberChangeAnswer } from '../members/change-members.server.ts'
import { memberIn } from '../members/member-store.server.ts'
import { action as changeMembers, loader as showMembers } from '../members/members-page.tsx'
import { loader as searchMembers } from '../members/search-members.ts'
import { foundOrganization } from '../organizations/found-organization.server.ts'
import { personWithEmail } from '../people/person-store.server.ts'
import { action as postInvitation, loader as showInvitation } from './invitation-page.tsx'
import { invitationsOf, makeInvitation } from './invitation-store.server.ts'

describeDatabases('invitations', (open) => {
  let test: TestProduct
  beforeAll(async () => {
    test = await open()
  })
  afterAll(() => test.close())

  const params = { organizationId: 'northwind' }
  const grace = { givenName: 'Grace', familyName: 'Ólafsdóttir', password: 'a long road home' }

  async function change(by: Browser, form: Record<string, string>): Promise<MemberChangeAnswer> {
    return (await by.call(changeMembers, '/organizations/northwind/members', { form, params })).json()
  }

  /** Ada owns Northwind. Returns the secret of the link. */
  async function adaInvites(email: string, { role = 'member', days = '7' } = {}): Promise<string> {
    const answer = await change(await test.signedIn('ada'), { do: 'invite', email, role, days })
    if (answer.type !== 'success' || !answer.link) throw new Error(JSON.stringify(answer))
    return new URL(answer.link).pathname.replace('/invitations/', '')
  }

  async function sees(who: Browser, secret: string) {
    return (await who.call(showInvitation, `/invitations/${secret}`, { params: { secret } })).json()
  }

  function answers(who: Browser, secret: string, form: Record<string, string> = {}) {
    return who.call(postInvitation, `/invitations/${secret}`, { params: { secret }, form })
  }

  const stranger = () => browser(test.product)

  it('[APP-29] a new user follows the link, creates an account and can be found', async () => {
    const secret = await adaInvites(' Grace@Northwind.example ', { role: 'admin' })
    expect(await sees(stranger(), secret)).toEqual({
      as: 'newcomer',
      email: 'grace@northwind.example',
      organization: 'Northwind Trading',
      invitedBy: 'Ada Lindqvist',
    })

    const answer = await answers(stranger(), secret, grace)
    expect(answer.status).toBe(302)
    expect(answer.headers.getSetCookie().join()).toMatch(/parley\.session_token=.+HttpOnly/)
    const person = await personWithEmail(test.product.database, 'grace@northwind.example')
    expect(person).toMatchObject({ givenName: 'Grace', chatAccess: true })
    const membership = { userId: person!.id, organizationId: 'northwind' }
    expect(await memberIn(test.product.database, membership)).toMatchObject({ role: 'admin' })
    const bo = await test.signedIn('bo')
    const found = await (await bo.call(searchMembers, '/chat/modals/searchMembers?search=olafsdottir')).json()
    expect(found.memberships).toHaveLength(1)
  })

  it('a link works once', async () => {
    const secret = await adaInvites('once@northwind.example')
    const both = await Promise.all([answers(stranger(), secret, grace), answers(stranger(), secret, grace)])
    expect(both.map(({ headers }) => headers.get('location')).sort()).toEqual(['/', `/invitations/${secret}`])
    expect(await sees(stranger(), secret)).toEqual({ as: 'nobody' })
  })

  it('a user with an account joins with it, and no one else can in their place', async () => {
    const { email, id } = castMember('bo')
    const secret = await adaInvites(email)
    expect(await sees(stranger(), secret)).toMatchObject({ as: 'stranger' })
    const mei = await test.signedIn('mei')
    expect(await sees(mei, secret)).toMatchObject({ as: 'other', signedInAs: castMember('mei').email })
    expect((await answers(mei, secret)).headers.get('location')).toBe(`/invitations/${secret}`)
    // The holder of the link cannot take over the account by signing up again.
    expect((await answers(stranger(), secret, grace)).headers.get('location')).toBe(`/invitations/${secret}`)

    const bo = await test.signedIn('bo')
    expect(await sees(bo, secret)).toMatchObject({ as: 'member' })
    expect((await answers(bo, secret)).headers.get('location')).toBe('/organizations/northwind/members')
    const membership = { userId: id, organizationId: 'northwind' }
    expect(await memberIn(test.product.database, membership)).toMatchObject({ role: 'member' })
    expect(await change(bo, { do: 'leave' })).toMatchObject({ type: 'success' })
    expect(await memberIn(test.product.database, membership)).toBeUndefined()
  })

  it('it expires, and can be revoked or renewed', async () => {
    const { database } = test.product
    const first = await adaInvites('late@northwind.example', { days: '1' })
    const tomorrow = fromNow(25 * 3_600_000)
    const [late] = (await invitationsOf(database, 'northwind', tomorrow)).filter(({ email }) => /^late/.test(email))
    expect(late).toMatchObject({ expired: true })
    await database.kysely
      .updateTable('invitation')
      .set({ expiresAt: new Date(0) })
      .where('id', '=', late!.id)
      .execute()
    expect(await sees(stranger(), first)).toEqual({ as: 'nobody' })
    expect((await answers(stranger(), first, grace)).headers.get('location')).toBe(`/invitations/${first}`)

    const second = await adaInvites('late@northwind.example')
    expect(await sees(stranger(), second)).toMatchObject({ as: 'newcomer' })
    const third = await adaInvites('late@northwind.example')
    expect(await sees(stranger(), second)).toEqual({ as: 'nobody' })

    const ada = await test.signedIn('ada')
    const page = await (await ada.call(showMembers, '/organizations/northwind/members', { params })).json()
    const [open] = page.invitations.filter(({ email }: { email: string }) => /^late/.test(email))
    expect(JSON.stringify(page)).not.toContain(third)
    expect(await change(ada, { do: 'revoke', invitationId: open.id })).toMatchObject({ type: 'success' })
    expect(await sees(stranger(), third)).toEqual({ as: 'nobody' })
  })

  it.each([1, 7, 30])('it is valid for %i days if that was chosen', async (days) => {
    const email = `for-${days}-days@northwind.example`
    await adaInvites(email, { days: String(days) })
    const { createdAt, expiresAt } = await test.product.database.kysely
      .selectFrom('invitation')
      .select(['createdAt', 'expiresAt'])
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    expect(new Date(expiresAt).getTime() - new Date(createdAt).getTime()).toBe(days * 24 * 3_600_000)
  })

  it('of concurrent invitations for one address one stays', async () => {
    const secrets = await Promise.all([1, 2, 3].map(() => adaInvites('hurried@northwind.example')))
    const seen = await Promise.all(secrets.map((secret) => sees(stranger(), secret)))
    expect(seen.filter(({ as }) => as === 'newcomer')).toHaveLength(1)
  })

  it('an invited person can be sent a new link, however many others are invited', async () => {
    const id = await foundOrganization(test.product.database, { name: 'Crowd', ownerId: castMember('ada').id }, now())
    const { kysely } = test.product.database
    const others = Array.from({ length: 500 }, (_, n) => ({
      id: `crowd-${n}`,
      organizationId: id,
      email: `guest-${n}@crowd.example`,
      role: 'member',
      status: 'pending',
      expiresAt: fromNow(60_000),
      inviterId: castMember('ada').id,
      createdAt: now(),
    }))
    await kysely.insertInto('invitation').values(others).execute()
    const ada = await test.signedIn('ada')
    const invites = async (email: string) => {
      const form = { do: 'invite', email, role: 'member', days: '7' }
      return (
        await ada.call(changeMembers, `/organizations/${id}/members`, { form, params: { organizationId: id } })
      ).json()
    }
    expect(await invites('guest-7@crowd.example')).toMatchObject({ type: 'success' })
    expect(await invites('guest-500@crowd.example')).toMatchObject({ type: 'error' })
  })

  it('joining while the organization is deleted either succeeds or not, without an error', async () => {
    const { database } = test.product
    const [ada, bo] = [await test.signedIn('ada'), await test.signedIn('bo')]
    for (let round = 0; round < 20; round++) {
      const organizationId = await foundOrganization(database, { name: 'Brief', ownerId: castMember('ada').id }, now())
      const of = { organizationId, inviterId: castMember('ada').id, email: castMember('bo').email }
      const secret = await makeInvitation(database, { ...of, role: 'member', days: 1 }, now())
      const place = { params: { organizationId }, form: { do: 'delete' } }
      const [joined, deleted] = await Promise.all([
        answers(bo, secret),
        ada.call(changeMembers, `/organizations/${organizationId}/members`, place),
      ])
      expect([joined.status, deleted.status]).toEqual([302, 302])
    }
  })

  it('a new user invited by two organizations at once has one account, and the other link still works', async () => {
    const email = 'twice@northwind.example'
    const bo = await test.signedIn('bo')
    const form = { do: 'invite', email, role: 'member', days: '7' }
    const kiku = { form, params: { organizationId: 'kiku' } }
    const { link } = await (await bo.call(changeMembers, '/organizations/kiku/members', kiku)).json()
    const secrets = [await adaInvites(email), new URL(link).pathname.replace('/invitations/', '')]
    const answered = await Promise.all(secrets.map((secret) => answers(stranger(), secret, grace)))
    expect(answered.map(({ status }) => status)).toEqual([302, 302])
    const seen = await Promise.all(secrets.map(async (secret) => (await sees(stranger(), secret)).as))
    expect(seen.sort()).toEqual(['nobody', 'stranger'])
  })

  it('[APP-29] only owners and admins invite, see and revoke invitations, and only owners invite owners', async () => {
    const secret = await adaInvites('safe@northwind.example')
    const { id } = (await invitationsOf(test.product.database, 'northwind', now())).find(({ email }) =>
      email.startsWith('safe'),
    )!
    for (const name of ['tom', 'bo'] as const) {
      const other = await test.signedIn(name)
      const invite = { do: 'invite', email: 'x@northwind.example', role: 'member', days: '7' }
      expect(await change(other, invite)).toMatchObject({ type: 'error' })
      expect(await change(other, { do: 'revoke', invitationId: id })).toMatchObject({ type: 'error' })
      const page = await (await other.call(showMembers, '/organizations/northwind/members', { params })).json()
      expect(page.invitations).toEqual([])
    }
    const priya = await test.signedIn('priya')
    const owner = { do: 'invite', email: 'x@northwind.example', role: 'owner', days: '7' }
    expect(await change(priya, owner)).toEqual({
      type: 'error',
      error: 'Only owners can change owners. Ask one of them.',
    })
    expect(await change(priya, { ...owner, role: 'member' })).toMatchObject({ type: 'success' })
    // They cannot revoke an invitation of another organization.
    const bo = await test.signedIn('bo')
    await bo.call(changeMembers, '/organizations/kiku/members', {
      form: { do: 'revoke', invitationId: id },
      params: { organizationId: 'kiku' },
    })
    expect(await sees(stranger(), secret)).toMatchObject({ as: 'newcomer' })
  })

  it('[APP-29] an invitation is valid while its inviter may still invite in that role', async () => {
    const [ada, ewa] = [await test.signedIn('ada'), await test.signedIn('ewa')]
    const ewaIs = (role: string) => change(ada, { do: 'role', userId: castMember('ewa').id, role })
    const ewaInvites = async (email: string, role: string) => {
      const answer = await change(ewa, { do: 'invite', email, role, days: '7' })
      return new URL((answer as { link: string }).link).pathname.replace('/invitations/', '')
    }
    await ewaIs('owner')
    const owner = await ewaInvites('second-ewa@northwind.example', 'owner')
    const member = await ewaInvites('friend@northwind.example', 'member')
    const bothSee = async () => [(await sees(stranger(), owner)).as, (await sees(stranger(), member)).as]
    expect(await bothSee()).toEqual(['newcomer', 'newcomer'])

    await ewaIs('admin')
    expect(await bothSee()).toEqual(['nobody', 'newcomer'])
    // A visitor who had the page open by then cannot join either.
    expect((await answers(stranger(), owner, grace)).headers.get('location')).toBe(`/invitations/${owner}`)
    expect(await personWithEmail(test.product.database, 'second-ewa@northwind.example')).toBeUndefined()

    await ewaIs('member')
    expect(await bothSee()).toEqual(['nobody', 'nobody'])
    const listed = await invitationsOf(test.product.database, 'northwind', now())
    expect(listed.map(({ email }) => email)).not.toContain('friend@northwind.example')
    expect(await sees(stranger(), await adaInvites('friend@northwind.example'))).toMatchObject({ as: 'newcomer' })
  })

  it.each([
    ['no address', { email: 'somewhere' }],
    ['HTML for an address', { email: '<img src=x onerror=alert(1)>@x.example' }],
    ['an address nobody could sign in with', { email: 'josé@northwind.example' }],
    ['an address without end', { email: `${'a'.repeat(300)}@x.example` }],
    ['a role nobody has', { role: 'emperor' }],
    ['a time nobody offered', { days: '36500' }],
    ['a member', { email: castMember('ada').email }],
  ])('refuses %s', async (_, wrong) => {
    const ada = await test.signedIn('ada')
    const form = { do: 'invite', email: 'new@northwind.example', role: 'member', days: '7', ...wrong }
    expect(await change(ada, form)).toMatchObject({ type: 'error' })
  })

  it('an empty name, one of thousands of letters, or a short password is refused field by field', async () => {
    const secret = await adaInvites('fields@northwind.example')
    const wrong = { givenName: ' \u200b\u202e ', familyName: 'x'.repeat(2_000), password: '1234567' }
    expect(await (await answers(stranger(), secret, wrong)).json()).toEqual({
      givenName: 'settings.namesRequired',
      familyName: 'settings.nameTooLong',
      password: 'password.tooShort',
    })
    // The address is the invited one, whatever the form says.
    await answers(stranger(), secret, { ...grace, familyName: '<b>\u202eevil</b>', email: 'other@evil.example' })
    expect(await personWithEmail(test.product.database, 'other@evil.example')).toBeUndefined()
    expect(await personWithEmail(test.product.database, 'fields@northwind.example')).toMatchObject({
      familyName: '<b>evil</b>',
    })
  })

  it('[HTTP-15] joining without the CSRF header is refused', async () => {
    const secret = await adaInvites('csrf@northwind.example')
    const call = { params: { secret }, form: grace, withoutCsrf: true }
    expect((await stranger().call(postInvitation, `/invitations/${secret}`, call)).status).toBe(403)
  })
})
