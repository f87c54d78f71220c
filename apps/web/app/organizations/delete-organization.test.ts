import { expect, it } from 'vitest'
import { now } from '../../../../scripts/machine-time.ts'
import { type CastName, castMember } from '../../src/demo/people.ts'
import { besideChat } from '../../src/testing/a-chat-server.ts'
import { describeDatabases, type TestProduct } from '../../src/testing/a-product.ts'
import { syncChatUser } from '../chat/sync-users.server.ts'
import { makeInvitation, openInvitation } from '../invitations/invitation-store.server.ts'
import { action as changeMembers, loader as showMembers } from '../members/members-page.tsx'
import { personWithId } from '../people/person-store.server.ts'
import { loader as organizations } from './organizations-page.tsx'

describeDatabases('deleting an organization', (open) => {
  let test: TestProduct
  besideChat(open, (opened) => {
    test = opened
  })

  async function deletes(name: CastName, organizationId: string): Promise<Response> {
    const call = { form: { do: 'delete' }, params: { organizationId } }
    return (await test.signedIn(name)).call(changeMembers, `/organizations/${organizationId}/members`, call)
  }

  async function organizationInChat(name: CastName): Promise<unknown> {
    const { users } = await test.product.chat!.newClient().queryUsers({ id: castMember(name).id })
    return users[0]?.organization
  }

  it('[APP-29] only an owner can: it loses all its members, who keep their accounts', async () => {
    const { database } = test.product
    await Promise.all((['chloe', 'lucia'] as const).map((name) => syncChatUser(test.product, castMember(name).id)))
    const invitation = { organizationId: 'solviento', email: 'x@solviento.example', role: 'member', days: 7 } as const
    const secret = await makeInvitation(database, { ...invitation, inviterId: castMember('lucia').id }, now())
    for (const name of ['mateo', 'chloe', 'bo'] as const)
      expect(await (await deletes(name, 'solviento')).json()).toMatchObject({ type: 'error' })

    const answer = await deletes('lucia', 'solviento')
    expect(answer.headers.get('location')).toBe('/organizations')

    const lucia = await test.signedIn('lucia')
    const params = { organizationId: 'solviento' }
    expect((await lucia.call(showMembers, '/organizations/solviento/members', { params })).status).toBe(404)
    const left = await (await lucia.call(organizations, '/organizations')).json()
    expect(left.organizations.map(({ id }: { id: string }) => id)).not.toContain('solviento')
    expect(await openInvitation(database, secret, now())).toBeUndefined()
    expect(await personWithId(database, castMember('lucia').id)).toMatchObject({ chatAccess: false })
    await expect.poll(() => organizationInChat('chloe')).toBe('Hansen & Vogt Logistik')
    expect(await organizationInChat('lucia')).toBeUndefined()
  })

  it('the last one stays', async () => {
    expect((await deletes('bo', 'kiku')).headers.get('location')).toBe('/organizations')
    expect((await deletes('dana', 'hansenvogt')).headers.get('location')).toBe('/organizations')
    expect(await (await deletes('ada', 'northwind')).json()).toEqual({
      type: 'error',
      error: 'The last organization cannot be deleted, because only owners can create another.',
    })
  })
})
