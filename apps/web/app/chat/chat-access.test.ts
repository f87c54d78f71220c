import { ChatClient } from '@parley/client'
import { expect, it, onTestFinished, vi } from 'vitest'
import { now } from '../../../../scripts/machine-time.ts'
import { type CastName, castMember } from '../../src/demo/people.ts'
import { besideChat, type ChatServer } from '../../src/testing/a-chat-server.ts'
import { type Browser, describeDatabases, type TestProduct } from '../../src/testing/a-product.ts'
import { action as postInvitation } from '../invitations/invitation-page.tsx'
import { makeInvitation } from '../invitations/invitation-store.server.ts'
import { moveChatAccess } from '../members/chat-access.server.ts'
import { action as changeMembers } from '../members/members-page.tsx'
import { type MemberSearch, loader as searchMembers } from '../members/search-members.ts'
import { keepSubscription, subscriptionsOf } from '../notifications/subscription-store.server.ts'
import { personWithId } from '../people/person-store.server.ts'
import type { SessionData } from '../session/session-data.server.ts'
import { loader as sessionData } from '../session/session-data.ts'
import { action as postSignOut } from '../session/sign-out.ts'
import { chatPeopleOf } from './chat-people.server.ts'
import { createChatService } from './chat-service.server.ts'
import { shutOutNoted } from './revoke-chat.server.ts'
import { endChatOf, syncChatUser } from './sync-users.server.ts'

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

  async function posts(by: CastName, organizationId: string, form: Record<string, string>): Promise<Response> {
    const call = { form, params: { organizationId } }
    return (await test.signedIn(by)).call(changeMembers, `/organizations/${organizationId}/members`, call)
  }

  const change = async (...what: Parameters<typeof posts>) => (await posts(...what)).json()
  const deletes = (owner: CastName, organizationId: string) => posts(owner, organizationId, { do: 'delete' })

  async function chats(token: string): Promise<boolean> {
    const { CHAT_URL, CHAT_API_KEY } = server.settings
    const headers = { authorization: token, 'stream-auth-type': 'jwt' }
    return (await fetch(`${CHAT_URL}/app?api_key=${CHAT_API_KEY}`, { headers })).ok
  }

  /** A browser with push notifications, and the user's chat token. */
  async function comesIn(name: CastName): Promise<{ browser: Browser; token: string }> {
    const { database } = test.product
    await syncChatUser(test.product, id(name))
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

  const isTold = async (name: CastName) => (await subscriptionsOf(test.product.database, [id(name)], now())).length > 0

  /** Lucia owns Sol y Viento. */
  async function joinsSolviento(name: CastName, { call }: Browser) {
    const invitation = { organizationId: 'solviento', email: castMember(name).email, role: 'member', days: 7 } as const
    const secret = await makeInvitation(test.product.database, { ...invitation, inviterId: id('lucia') }, now())
    await call(postInvitation, `/invitations/${secret}`, { form: {}, params: { secret } })
  }

  it('[APP-6] a user removed by their last organization loses chat access until another one adds them', async () => {
    const { browser: tom, token } = await comesIn('tom')
    const { iat, exp } = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())
    expect(exp - iat, 'a day').toBe(24 * 3_600)
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

  it('[APP-6] a user who leaves one of two organizations keeps chat access', async () => {
    const { browser: chloe, token } = await comesIn('chloe')
    const call = { form: { do: 'leave' }, params: { organizationId: 'hansenvogt' } }
    await chloe.call(changeMembers, '/organizations/hansenvogt/members', call)
    expect(await sessionOf(chloe)).toMatchObject({ chatAccess: true, organizations: [{ id: 'solviento' }] })
    expect([await chats(token), await isTold('chloe')]).toEqual([true, true])
  })

  it('[APP-36] each organization gives and takes its own chat access, and chat ends with the last one', async () => {
    const { browser: ewa, token } = await comesIn('ewa')
    await joinsSolviento('ewa', ewa)
    const access = (by: CastName, organizationId: string, chatAccess: boolean) =>
      change(by, organizationId, { do: 'chatAccess', userId: id('ewa'), chatAccess: String(chatAccess) })
    const isFoundIn = async (by: CastName) => {
      const answer = await (await test.signedIn(by)).call(searchMembers, '/chat/modals/searchMembers?search=ewa+nowak')
      const { memberships } = (await answer.json()) as MemberSearch
      return memberships.map(({ organization }) => organization.id)
    }
    expect(await isFoundIn('bo')).toEqual(['northwind', 'solviento'])

    // Access from another organization stays.
    expect(await access('ada', 'northwind', false)).toMatchObject({ type: 'success' })
    expect(await sessionOf(ewa)).toMatchObject({ chatAccess: true })
    expect(await chats(token)).toBe(true)
    expect(await isFoundIn('bo')).toEqual(['solviento'])
    // A colleague is one with or without chat access.
    expect(await isFoundIn('ada')).toEqual(['solviento'])
    const shown = await chatPeopleOf(test.product.database, [id('ewa')])
    expect(shown).toMatchObject([{ organizationIds: ['solviento'], chatAccess: true }])
    // An admin of one organization cannot change another.
    expect(await access('ada', 'solviento', false)).toMatchObject({ type: 'error' })
    expect(await sessionOf(ewa)).toMatchObject({ chatAccess: true })

    expect(await access('lucia', 'solviento', false)).toMatchObject({ type: 'success' })
    const session = await sessionOf(ewa)
    expect(session).toMatchObject({ chatAccess: false })
    expect(session).not.toHaveProperty('chatUser')
    expect(await chats(token)).toBe(false)
    expect(await isFoundIn('bo')).toEqual([])

    // Access returns with an organization that gives it, and ends when the user leaves that one.
    await access('lucia', 'solviento', true)
    // Tokens have whole seconds: one issued in the second of the revocation is revoked, too.
    const later = await vi.waitFor(
      async () => {
        const { chatUser } = await sessionOf(ewa)
        expect(await chats(chatUser!.token)).toBe(true)
        return chatUser!.token
      },
      { timeout: 10_000 },
    )
    expect(await change('lucia', 'solviento', { do: 'remove', userId: id('ewa') })).toMatchObject({ type: 'success' })
    expect(await sessionOf(ewa)).toMatchObject({ chatAccess: false, organizations: [{ id: 'northwind' }] })
    expect(await chats(later)).toBe(false)
    await access('ada', 'northwind', true)
    expect(await sessionOf(ewa)).toMatchObject({ chatAccess: true })
  })

  it("[APP-36] two organizations that remove a user's chat access at the same moment end it", async () => {
    const { browser: jonas, token } = await comesIn('jonas')
    await joinsSolviento('jonas', jonas)
    const taken = { do: 'chatAccess', userId: id('jonas'), chatAccess: 'false' }
    await Promise.all([change('dana', 'hansenvogt', taken), change('lucia', 'solviento', taken)])
    expect(await sessionOf(jonas)).toMatchObject({ chatAccess: false })
    await shutOutNoted(test.product)
    expect(await chats(token)).toBe(false)
  })

  it('[APP-36] chat access from before memberships had their own moves to each membership', async () => {
    const { kysely } = test.product.database
    const [on, off] = [id('rui'), id('mateo')]
    await kysely.updateTable('user').set({ chatAccess: false }).where('id', '=', off).execute()
    await kysely.updateTable('member').set({ chatAccess: null }).where('userId', 'in', [on, off]).execute()
    await Promise.all([moveChatAccess(test.product.database), moveChatAccess(test.product.database)])
    expect(await personWithId(test.product.database, on)).toMatchObject({ chatAccess: true })
    expect(await personWithId(test.product.database, off)).toMatchObject({ chatAccess: false })

    // A later change stays.
    await kysely.updateTable('member').set({ chatAccess: true }).where('userId', '=', off).execute()
    await moveChatAccess(test.product.database)
    expect(await personWithId(test.product.database, off)).toMatchObject({ chatAccess: true })
  })

  it('[APP-6] a user whose last organization is deleted loses chat access, as after a removal', async () => {
    const [haruto, mei] = [await comesIn('haruto'), await comesIn('mei')]
    await joinsSolviento('mei', mei.browser)
    const client = new ChatClient(server.settings.CHAT_API_KEY, { baseURL: server.settings.CHAT_URL })
    onTestFinished(() => client.disconnectUser())
    await client.connectUser({ id: id('haruto') }, haruto.token)
    const isCutOff = new Promise((cutOff) => client.on('connection.changed', ({ online }) => !online && cutOff(true)))

    await deletes('bo', 'kiku')
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

  it.each<[string, CastName, (browser: Browser) => Promise<unknown>]>([
    [
      'from whom chat was taken',
      'priya',
      () => change('ada', 'northwind', { do: 'chatAccess', userId: id('priya'), chatAccess: 'false' }),
    ],
    ['who was let go', 'samir', () => change('dana', 'hansenvogt', { do: 'remove', userId: id('samir') })],
    ['whose organization was deleted', 'elif', () => deletes('dana', 'hansenvogt')],
    ['who signed out', 'lucia', ({ call }) => call(postSignOut, '/sign-out', { form: {} })],
  ])(
    '[APP-6] a user %s while the chat server was down loses access as soon as it is back',
    async (_, name, happens) => {
      const { product } = test
      const { browser, token } = await comesIn(name)
      const chat = product.chat!
      const { CHAT_API_KEY: key, CHAT_API_SECRET: secret } = server.settings
      const complaints = vi.spyOn(console, 'error').mockImplementation(() => {})
      onTestFinished(() => {
        complaints.mockRestore()
        product.chat = chat
      })
      product.chat = createChatService({ url: 'http://127.0.0.1:1', key, secret })
      await happens(browser)
      product.chat = chat
      expect(await chats(token)).toBe(true)

      await shutOutNoted(product)
      expect(await chats(token)).toBe(false)
      // No user stays noted, or they would be disconnected again and again.
      const { kysely } = product.database
      expect(await kysely.selectFrom('user').select('id').where('chatEndedAt', 'is not', null).execute()).toEqual([])
    },
  )

  /** Runs a task as on another node with a wrong clock. */
  async function onNode<Done>(minutesOff: number, task: () => Promise<Done>): Promise<Done> {
    const { product } = test
    const chat = product.chat!
    const { CHAT_URL: url, CHAT_API_KEY: key, CHAT_API_SECRET: secret } = server.settings
    product.chat = createChatService({ url, key, secret })
    vi.useFakeTimers({ toFake: ['Date'], now: now().getTime() + minutesOff * 60_000 })
    try {
      await product.chat.isOurs()
      return await task()
    } finally {
      vi.useRealTimers()
      product.chat = chat
    }
  }

  it.each([
    [7, -7],
    [-7, 7],
    [0, -7],
    [-7, -7],
  ])('[APP-40] nodes whose clocks are %i and %i minutes off give and end access', async (one, other) => {
    const { token } = await onNode(one, () => comesIn('mateo'))
    expect(await chats(token)).toBe(true)
    const { product } = test
    const { database } = product
    const mateo = (await personWithId(database, id('mateo')))!
    await onNode(other, () => endChatOf(product, mateo))
    expect(await chats(token)).toBe(false)

    // One node sees what another one has noted, and clears it.
    const noted = database.kysely.selectFrom('user').select('id').where('chatEndedAt', 'is not', null)
    const away = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => away.mockRestore())
    await onNode(one, async () => {
      product.chat = createChatService({ url: 'http://127.0.0.1:1', key: 'key', secret: 'a secret that is long' })
      await endChatOf(product, mateo)
    })
    expect(await noted.execute()).toEqual([{ id: mateo.id }])
    await onNode(other, () => shutOutNoted(product))
    expect(await noted.execute()).toEqual([])
    await expect
      .poll(async () => chats((await sessionOf(await test.signedIn('mateo'))).chatUser!.token), { timeout: 10_000 })
      .toBe(true)
  })
})
