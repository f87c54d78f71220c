import { ChatClient } from '@parley/client'
import { expect, it, onTestFinished } from 'vitest'
import { type CastName, castMember } from '../../src/demo/people.ts'
import { besideChat, type ChatServer } from '../../src/testing/a-chat-server.ts'
import { type Browser, describeDatabases, type TestProduct } from '../../src/testing/a-product.ts'
import { action as postInvitation } from '../invitations/invitation-page.tsx'
import { makeInvitation } from '../invitations/invitation-store.server.ts'
import { action as changeMembers } from '../members/members-page.tsx'
import { loader as searchMembers } from '../members/search-members.ts'
import { keepSubscription, subscriptionsOf } from '../notifications/subscription-store.server.ts'
import { saveChatAccess } from '../people/person-store.server.ts'
import type { SessionData } from '../session/session-data.server.ts'
import { loader as sessionData } from '../session/session-data.ts'
import { tellChat } from './tell-chat.server.ts'

describeDatabases('chat access', (open) => {
  let server: ChatServer
  let test: TestProduct
  besideChat(open, (opened, its) => {
    test = opened
    server = its
  })

  const id = (name: CastName) => castMember(name).id

  async function sessionOf({ call }: Browser): Promise<SessionData> {
    return (await call(sessionData, '/session')).json()
  }

  async function change(by: CastName, organizationId: string, form: Record<string, string>) {
    const call = { form, params: { organizationId } }
    return (
      await (await test.signedIn(by)).call(changeMembers, `/organizations/${organizationId}/members`, call)
    ).json()
  }

  async function chats(token: string): Promise<boolean> {
    const { CHAT_URL, CHAT_API_KEY } = server.settings
    const headers = { authorization: token, 'stream-auth-type': 'jwt' }
    return (await fetch(`${CHAT_URL}/app?api_key=${CHAT_API_KEY}`, { headers })).ok
  }

  /** A browser in which messages are brought to somebody, and who they are in chat. */
  async function comesIn(name: CastName): Promise<{ browser: Browser; token: string }> {
    const { database } = test.product
    await tellChat(test.product, id(name))
    const browser = await test.signsIn(name)
    const { id: sessionId } = await database.kysely
      .selectFrom('session')
      .select('id')
      .where('userId', '=', id(name))
      .executeTakeFirstOrThrow()
    const endpoint = `https://push.example/${name}`
    await keepSubscription(database, { userId: id(name), sessionId, endpoint, p256dh: '', auth: '', language: 'en' })
    return { browser, token: (await sessionOf(browser)).chatUser!.token }
  }

  const isTold = async (name: CastName) =>
    (await subscriptionsOf(test.product.database, [id(name)], new Date())).length > 0

  /** Lucia owns Sol y Viento. */
  async function joinsSolviento(name: CastName, { call }: Browser) {
    const invitation = { organizationId: 'solviento', email: castMember(name).email, role: 'member', days: 7 } as const
    const secret = await makeInvitation(test.product.database, { ...invitation, inviterId: id('lucia') }, new Date())
    await call(postInvitation, `/invitations/${secret}`, { form: {}, params: { secret } })
  }

  it('[APP-6] whoever was let go by their last organization is out of chat until another one takes them in', async () => {
    const { browser: tom, token } = await comesIn('tom')
    expect([await chats(token), await isTold('tom')]).toEqual([true, true])
    expect(await change('ada', 'northwind', { do: 'remove', userId: id('tom') })).toMatchObject({ type: 'success' })

    const session = await sessionOf(tom)
    expect(session).toMatchObject({ chatAccess: false, organizations: [] })
    expect(session).not.toHaveProperty('chatUser')
    expect([await chats(token), await isTold('tom')]).toEqual([false, false])
    expect((await tom.call(searchMembers, '/chat/modals/searchMembers')).status).toBe(403)

    await joinsSolviento('tom', tom)
    expect(await sessionOf(tom)).toMatchObject({ chatAccess: true, chatUser: { id: id('tom') } })
    expect(await isTold('tom')).toBe(true)
  })

  it('[APP-6] whoever leaves one organization of two goes on chatting', async () => {
    const { browser: chloe, token } = await comesIn('chloe')
    const call = { form: { do: 'leave' }, params: { organizationId: 'hansenvogt' } }
    await chloe.call(changeMembers, '/organizations/hansenvogt/members', call)
    expect(await sessionOf(chloe)).toMatchObject({ chatAccess: true, organizations: [{ id: 'solviento' }] })
    expect([await chats(token), await isTold('chloe')]).toEqual([true, true])
  })

  it('[APP-6] nobody from whom chat was taken has it back by joining another organization', async () => {
    const { browser: ewa } = await comesIn('ewa')
    await saveChatAccess(test.product.database, id('ewa'), false)
    await change('ada', 'northwind', { do: 'remove', userId: id('ewa') })
    await joinsSolviento('ewa', ewa)
    expect(await sessionOf(ewa)).toMatchObject({ chatAccess: false, organizations: [{ id: 'solviento' }] })
  })

  it('[APP-6] whoever loses their last organization with its deletion is out of chat, as if they had been let go', async () => {
    const [haruto, mei, bo] = [await comesIn('haruto'), await comesIn('mei'), await test.signedIn('bo')]
    await joinsSolviento('mei', mei.browser)
    const client = new ChatClient(server.settings.CHAT_API_KEY, { baseURL: server.settings.CHAT_URL })
    onTestFinished(() => client.disconnectUser())
    await client.connectUser({ id: id('haruto') }, haruto.token)
    const isCutOff = new Promise((cutOff) => client.on('connection.changed', ({ online }) => !online && cutOff(true)))

    const kiku = { form: { do: 'delete' }, params: { organizationId: 'kiku' } }
    await bo.call(changeMembers, '/organizations/kiku/members', kiku)
    const session = await sessionOf(haruto.browser)
    expect(session).toMatchObject({ chatAccess: false, organizations: [] })
    expect(session).not.toHaveProperty('chatUser')
    expect(await isCutOff).toBe(true)
    expect([await chats(haruto.token), await isTold('haruto')]).toEqual([false, false])
    expect(await sessionOf(mei.browser)).toMatchObject({ chatAccess: true, organizations: [{ id: 'solviento' }] })
    expect([await chats(mei.token), await isTold('mei')]).toEqual([true, true])

    await joinsSolviento('haruto', haruto.browser)
    expect(await sessionOf(haruto.browser)).toMatchObject({ chatAccess: true, chatUser: { id: id('haruto') } })
  })
})
