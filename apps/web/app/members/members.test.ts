import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CastName, castMember } from '../../src/demo/people.ts'
import { describeDatabases, type TestProduct } from '../../src/testing/a-product.ts'
import { personWithId, saveProfile } from '../people/person-store.server.ts'
import { saveChatAccess } from './chat-access.server.ts'
import { action as changeMembers, loader as showMembers } from './members-page.tsx'
import { type MemberSearch, loader as searchMembers } from './search-members.ts'

describeDatabases('members', (open) => {
  let test: TestProduct
  beforeAll(async () => {
    test = await open()
  })
  afterAll(() => test.close())

  async function search(query: string, by: CastName = 'ada'): Promise<MemberSearch> {
    const searcher = await test.signedIn(by)
    return (await searcher.call(searchMembers, `/chat/modals/searchMembers?${query}`)).json()
  }

  async function everybodyFoundBy(name: CastName): Promise<MemberSearch['memberships']> {
    const { membershipsPageCount: pages } = await search('', name)
    const found = Array.from({ length: pages }, (_, i) => search(`members-page=${i + 1}`, name))
    return (await Promise.all(found)).flatMap(({ memberships }) => memberships)
  }

  it('[NEW-31] [NEW-32] [NEW-33] [NEW-34] finds a person with name, picture and organization', async () => {
    const found = await search('search=nakamura')
    expect(found).toMatchObject({ membershipsPageCount: 1 })
    expect(found.memberships).toEqual([
      {
        user: {
          id: 'bo-nakamura',
          identity: { givenName: 'Bo', familyName: 'Nakamura', imageUrl: '/avatars/bo-nakamura.svg' },
        },
        organization: { id: 'kiku', displayName: 'Kiku Robotics' },
      },
    ])
  })

  it('[NEW-36] returns ten a page, and every page once', async () => {
    const { membershipsPageCount: pages, membershipsCount } = await search('')
    const seen = new Set<string>()
    for (let page = 1; page <= pages; page++) {
      const { memberships } = await search(`members-page=${page}`)
      if (page < pages) expect(memberships).toHaveLength(10)
      for (const { user, organization } of memberships) seen.add(`${user.id} ${organization.id}`)
    }
    expect(seen.size).toBe(membershipsCount)
  })

  it('[NEW-37] reads a page beyond the last as the last', async () => {
    const last = await search('members-page=200')
    expect(last.membershipsPage).toBe(last.membershipsPageCount)
    expect(last.memberships.length).toBeGreaterThan(0)
  })

  it('[NEW-35] a person in two organizations is two rows', async () => {
    const { memberships } = await search('search=marchand')
    expect(memberships.map(({ user, organization }) => `${user.id} ${organization.id}`).sort()).toEqual(
      ['marchand-chloe hansenvogt', 'marchand-chloe solviento'].map((row) =>
        row.replace('marchand-chloe', castMember('chloe').id),
      ),
    )
  })

  it('[NEW-38] lists only others of other organizations who have chat access, by family and given name', async () => {
    const everybody = await everybodyFoundBy('ada')
    expect(everybody.filter(({ organization }) => organization.id === 'northwind')).toEqual([])
    const names = everybody.map(({ user: { identity } }) => `${identity.familyName} ${identity.givenName}`)
    expect(names).toEqual([...names].sort(new Intl.Collator('en', { sensitivity: 'base' }).compare))

    const bo = { memberId: 'kiku-bo-nakamura', organizationId: 'kiku' }
    await saveChatAccess(test.product.database, bo, false)
    expect((await search('search=nakamura')).memberships).toEqual([])
    await saveChatAccess(test.product.database, bo, true)
  })

  it('[NEW-38] a user of two organizations finds the members of neither', async () => {
    const organizations = (await everybodyFoundBy('chloe')).map(({ organization }) => organization.id)
    expect([...new Set(organizations)].sort()).toEqual(['kiku', 'northwind'])
    // Of her two rows a colleague finds the one of the other organization.
    const { memberships } = await search('search=marchand', 'dana')
    expect(memberships.map(({ organization }) => organization.id)).toEqual(['solviento'])
  })

  it('finds names without regard to accents, case and order', async () => {
    const ids = async (text: string) =>
      (await search(`search=${encodeURIComponent(text)}`)).memberships.map(({ user }) => user.id)
    expect(await ids('LUCIA romero')).toEqual([castMember('lucia').id])
    expect(await ids('yildiz')).toEqual([castMember('elif').id])
    expect(await ids('%')).toEqual([])
  })

  it('finds a Korean or Japanese name with and without the space between its parts', async () => {
    const { database } = test.product
    const { id } = castMember('lucia')
    const before = (await personWithId(database, id))!
    const found = async (text: string) =>
      (await search(`search=${encodeURIComponent(text)}`)).memberships.map(({ user }) => user.id)
    await saveProfile(database, id, { ...before, givenName: '길동', familyName: '홍' })
    for (const text of ['홍길동', '홍 길동', '길동']) expect(await found(text), text).toEqual([id])
    expect(await found('길동홍')).toEqual([])
    await saveProfile(database, id, { ...before, givenName: '太郎', familyName: '山田' })
    for (const text of ['山田太郎', '山田 太郎', '太郎']) expect(await found(text), text).toEqual([id])
    await saveProfile(database, id, before)
  })

  it('[APP-6] a person without chat access cannot search', async () => {
    const cleo = await test.signedIn('cleo')
    expect((await cleo.call(searchMembers, '/chat/modals/searchMembers')).status).toBe(403)
  })

  it('[APP-31] a caller who is not signed in gets a 401', async () => {
    const { browser } = await import('../../src/testing/a-product.ts')
    expect((await browser(test.product).call(searchMembers, '/chat/modals/searchMembers')).status).toBe(401)
    const page = await browser(test.product).call(showMembers, '/organizations/kiku/members?x=1', {
      params: { organizationId: 'kiku' },
    })
    expect(page.headers.get('location')).toBe('/sign-in?back=%2Forganizations%2Fkiku%2Fmembers%3Fx%3D1')
  })

  it('the directory sorts by role with owners first', async () => {
    const ada = await test.signedIn('ada')
    const page = await ada.call(showMembers, '/organizations/kiku/members?members-directory-sort=role', {
      params: { organizationId: 'kiku' },
    })
    const { rows } = await page.json()
    expect(rows.slice(0, 3).map(({ role }: { role: string }) => role)).toEqual(['owner', 'admin', 'admin'])
  })

  it('[APP-29] an owner switches chat access; a member of another organization may not', async () => {
    const form = { do: 'chatAccess', userId: castMember('tom').id, chatAccess: 'false' }
    const params = { organizationId: 'northwind' }

    const bo = await test.signedIn('bo')
    const refused = await (await bo.call(changeMembers, '/organizations/northwind/members', { form, params })).json()
    expect(refused).toMatchObject({ type: 'error' })
    expect(await personWithId(test.product.database, castMember('tom').id)).toMatchObject({ chatAccess: true })

    const ada = await test.signedIn('ada')
    const done = await (await ada.call(changeMembers, '/organizations/northwind/members', { form, params })).json()
    expect(done).toEqual({ type: 'success' })
    expect(await personWithId(test.product.database, castMember('tom').id)).toMatchObject({ chatAccess: false })
  })

  it('[APP-29] no user gives themselves chat access, and an admin cannot take it from an owner', async () => {
    const params = { organizationId: 'northwind' }
    const by = async (name: 'ada' | 'priya', form: Record<string, string>) =>
      (
        await (await test.signedIn(name)).call(changeMembers, '/organizations/northwind/members', { form, params })
      ).json()
    const access = (name: 'ada' | 'priya', on: boolean) => ({
      do: 'chatAccess',
      userId: castMember(name).id,
      chatAccess: String(on),
    })
    for (const form of [access('ada', false), { do: 'role', userId: castMember('tom').id, role: 'owner' }])
      expect(await by('priya', form)).toEqual({
        type: 'error',
        error: 'Only owners can change owners. Ask one of them.',
      })
    expect(await by('ada', access('priya', false))).toEqual({ type: 'success' })
    expect(await by('priya', access('priya', true))).toMatchObject({ type: 'error' })
    const people = ['ada', 'priya'] as const
    const given = people.map((name) => personWithId(test.product.database, castMember(name).id))
    expect((await Promise.all(given)).map((person) => person!.chatAccess)).toEqual([true, false])
    await by('ada', access('priya', true))
  })

  it('only members of an organization see the e-mail addresses of its members', async () => {
    const rowsFor = async (name: 'ada' | 'bo') => {
      const params = { organizationId: 'northwind' }
      const page = await (await test.signedIn(name)).call(showMembers, '/organizations/northwind/members', { params })
      return JSON.stringify((await page.json()).rows)
    }
    expect(await rowsFor('ada')).toContain('@northwind.example')
    expect(await rowsFor('bo')).not.toContain('@')
  })

  it('[APP-29] a role is changed and a member removed, but never the last owner', async () => {
    const ada = await test.signedIn('ada')
    const params = { organizationId: 'northwind' }
    const change = async (form: Record<string, string>) =>
      (await ada.call(changeMembers, '/organizations/northwind/members', { form, params })).json()

    expect(await change({ do: 'role', userId: castMember('ewa').id, role: 'admin' })).toEqual({ type: 'success' })
    expect(await change({ do: 'remove', userId: castMember('ewa').id })).toMatchObject({ type: 'success' })
    expect(await change({ do: 'remove', userId: castMember('ewa').id })).toMatchObject({ type: 'error' })
    expect(await change({ do: 'role', userId: castMember('ada').id, role: 'member' })).toMatchObject({ type: 'error' })
    expect(await change({ do: 'leave' })).toEqual({
      type: 'error',
      error: 'An organization needs at least one owner. Make somebody else an owner first.',
    })
  })
  it('[APP-29] of two owners who leave at once one stays', async () => {
    const [bo, params] = [await test.signedIn('bo'), { organizationId: 'kiku' }]
    const change = async (by: typeof bo, form: Record<string, string>) =>
      (await by.call(changeMembers, '/organizations/kiku/members', { form, params })).json()
    await change(bo, { do: 'role', userId: castMember('mei').id, role: 'owner' })
    const mei = await test.signedIn('mei')
    const answers = await Promise.all([change(bo, { do: 'leave' }), change(mei, { do: 'leave' })])
    expect(answers.map(({ type }) => type).sort()).toEqual(['error', 'success'])
  })
})
