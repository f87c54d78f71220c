import { expect, it } from 'vitest'
import { now } from '../../../../scripts/machine-time.ts'
import { type CastName, castMember, demoPassword } from '../../src/demo/people.ts'
import { besideChat, type ChatServer } from '../../src/testing/a-chat-server.ts'
import { type Browser, browser, describeDatabases, type TestProduct } from '../../src/testing/a-product.ts'
import { createChatService } from '../chat/chat-service.server.ts'
import { purgeDeparted } from '../chat/purge-departed.server.ts'
import { syncChatUser } from '../chat/sync-users.server.ts'
import { signUpByInvitation } from '../invitations/accept-invitation.server.ts'
import { makeInvitation, openInvitation } from '../invitations/invitation-store.server.ts'
import { action as changeMembers } from '../members/members-page.tsx'
import { keepSubscription } from '../notifications/subscription-store.server.ts'
import { foundOrganization } from '../organizations/found-organization.server.ts'
import { membershipsOf } from '../organizations/organization-store.server.ts'
import { loader as sessionData } from '../session/session-data.ts'
import { signIn } from '../session/sign-in.server.ts'
import { deleteAccount } from '../settings/delete-account.server.ts'
import { action as postSettings, loader as showSettings } from '../settings/settings-page.tsx'
import { loader as showWelcome } from '../welcome/welcome-page.tsx'
import type { Farewell } from './delete-person.server.ts'
import { personWithEmail, personWithId } from './person-store.server.ts'
import { savePicture } from './picture-store.server.ts'

describeDatabases('deleting one’s account', (open) => {
  let test: TestProduct
  let server: ChatServer
  besideChat(open, (opened, its) => {
    test = opened
    server = its
  })

  const id = (name: CastName) => castMember(name).id
  const row = (name: CastName) => personWithId(test.product.database, id(name))

  /** Signs in as a browser does, which also syncs the user to chat. */
  async function comesIn(name: CastName): Promise<Browser> {
    await syncChatUser(test.product, id(name))
    return test.signsIn(name)
  }

  async function becomesOwner({ call }: Browser, organizationId: string, name: CastName) {
    const form = { do: 'role', userId: id(name), role: 'owner' }
    const answer = await call(changeMembers, `/organizations/${organizationId}/members`, {
      form,
      params: { organizationId },
    })
    expect(await answer.json()).toEqual({ type: 'success' })
  }

  async function deletes({ call }: Browser, password = demoPassword, options = {}): Promise<Response> {
    return call(postSettings, '/settings', { form: { do: 'deleteAccount', password }, ...options })
  }

  async function farewellOf({ call }: Browser): Promise<Farewell> {
    return (await (await call(showSettings, '/settings')).json()).farewell
  }

  async function knownInChat(name: CastName): Promise<boolean> {
    const { users } = await test.product.chat!.newClient().queryUsers({ id: id(name) })
    return users.length > 0
  }

  it('deletes all user-owned data, in every browser', async () => {
    const { database } = test.product
    const { kysely } = database
    const [here, there] = [await comesIn('samir'), await comesIn('samir')]
    await savePicture(database, id('samir'), Buffer.from('a picture'))
    const { id: sessionId } = await kysely
      .selectFrom('session')
      .select('id')
      .where('userId', '=', id('samir'))
      .limit(1)
      .executeTakeFirstOrThrow()
    const endpoint = 'https://push.example/samir'
    await keepSubscription(database, { userId: id('samir'), sessionId, endpoint, p256dh: '', auth: '', language: 'de' })
    const { chatUser } = await (await there.call(sessionData, '/session')).json()

    const answer = await deletes(here)
    expect(answer.headers.get('location')).toBe('/welcome')
    expect(answer.headers.getSetCookie().join('\n')).toMatch(/parley\.session_token=;/)

    expect(await row('samir')).toBeUndefined()
    for (const table of ['account', 'session', 'member', 'picture', 'pushSubscription'] as const)
      expect(await kysely.selectFrom(table).select('id').where('userId', '=', id('samir')).execute(), table).toEqual([])
    for (const { call } of [here, there]) expect((await call(sessionData, '/session')).status).toBe(401)
    const { email } = castMember('samir')
    expect((await signIn(test.product, { email, password: demoPassword, address: '192.0.2.1' })).type).toBe('refused')
    const { CHAT_URL, CHAT_API_KEY } = server.settings
    const headers = { authorization: chatUser.token, 'stream-auth-type': 'jwt' }
    expect((await fetch(`${CHAT_URL}/app?api_key=${CHAT_API_KEY}`, { headers })).ok).toBe(false)
  })

  it('leaves their chat messages, without their name', async () => {
    const elif = await comesIn('elif')
    await syncChatUser(test.product, id('rui'))
    const chat = test.product.chat!
    const cid = await chat.directChat(id('elif'), id('rui'))
    await chat.say(cid, id('elif'), { id: 'from-elif', text: 'See you' })
    const [type, channelId] = cid.split(':') as [string, string]

    await deletes(elif)

    expect(await knownInChat('elif')).toBe(false)
    const { messages, members } = await chat
      .newClient()
      .channel(type, channelId, { created_by_id: id('rui') })
      .query({ messages: { limit: 10 } })
    expect(messages).toMatchObject([{ text: 'See you', type: 'regular', user: { id: id('elif') } }])
    expect(messages[0]!.user!.deleted_at).toBeDefined()
    expect(JSON.stringify(messages)).not.toMatch(/Elif|Yıldız|Hansen/)
    await expect
      .poll(async () => (await chat.channelsOf(id('rui'))).find((one) => one.cid === cid)?.memberIds)
      .toEqual([id('rui')])
    expect(members.length).toBeLessThanOrEqual(2)
  })

  it('needs the password and the CSRF header, and shows errors at the field', async () => {
    const mei = await test.signsIn('mei')
    expect((await deletes(mei, demoPassword, { withoutCsrf: true })).status).toBe(403)
    expect(await (await deletes(mei, '')).json()).toEqual({
      saved: false,
      refusal: { password: 'signIn.passwordRequired' },
    })
    expect(await (await deletes(mei, 'a guess')).json()).toEqual({
      saved: false,
      refusal: { password: 'password.wrong' },
    })
    expect((await deletes(browser(test.product))).headers.get('location')).toBe('/sign-in?back=%2Fsettings')
    expect(await row('mei')).toBeDefined()
    expect((await mei.call(sessionData, '/session')).status).toBe(200)
  })

  it('password guesses are rate-limited, as at sign-in', async () => {
    const address = '192.0.2.44'
    // An invalid address is refused without the slow password hash, and still counts.
    for (let count = 0; count < 60; count++)
      await signIn(test.product, { email: `guess-${count}`, password: 'guess', address })
    const form = new FormData()
    form.set('password', demoPassword)
    const request = new Request('http://localhost/settings', { method: 'POST' })
    const answer = await deleteAccount(test.product, { request, address }, (await row('mei'))!, form)
    expect(answer).toEqual({ password: 'signIn.tooOften' })
    expect(await row('mei')).toBeDefined()
  })

  it('succeeds while the chat server is down, which deletes the user when it is back', async () => {
    const { product } = test
    const haruto = await comesIn('haruto')
    const chat = product.chat!
    const { CHAT_API_KEY: key, CHAT_API_SECRET: secret } = server.settings
    product.chat = createChatService({ url: 'http://127.0.0.1:1', key, secret })
    expect((await deletes(haruto)).headers.get('location')).toBe('/welcome')
    product.chat = chat
    expect(await row('haruto')).toBeUndefined()
    expect(await knownInChat('haruto')).toBe(true)

    await purgeDeparted(product)
    expect(await knownInChat('haruto')).toBe(false)
    expect(await product.database.kysely.selectFrom('departure').selectAll().execute()).toEqual([])
  })

  it('their open invitations end with them; one to their address still lets a new user join', async () => {
    const { database } = test.product
    const [today, organizationId] = [now(), 'solviento']
    const invited = (inviter: CastName, email: string) =>
      makeInvitation(database, { organizationId, email, role: 'member', days: 7, inviterId: id(inviter) }, today)
    const { email } = castMember('mateo')
    const [theirs, forThem] = [await invited('mateo', 'new@solviento.example'), await invited('lucia', email)]

    await deletes(await comesIn('mateo'))

    expect(await openInvitation(database, theirs, today)).toBeUndefined()
    const invitation = (await openInvitation(database, forThem, today))!
    const fields = { givenName: 'Mateo', familyName: 'Vidal', password: 'a long road home' }
    expect(await signUpByInvitation(test.product, invitation, fields, today)).toBe(true)
    const again = (await personWithEmail(database, email))!
    expect(again.id).not.toBe(id('mateo'))
    expect(again.image).toBeNull()
    await syncChatUser(test.product, again.id)
    expect(await test.product.chat!.channelsOf(again.id)).toEqual([])
  })

  it('no organization is left with members but without an owner', async () => {
    const lucia = await comesIn('lucia')
    const solviento = { id: 'solviento', displayName: 'Sol y Viento Energía' }
    expect(await farewellOf(lucia)).toEqual({ ownedAlone: [solviento], isLastOwner: false, goAlong: [] })
    expect(await (await deletes(lucia)).json()).toEqual({ saved: false, refusal: {} })
    expect(await row('lucia')).toBeDefined()

    await becomesOwner(lucia, 'solviento', 'chloe')
    expect((await deletes(lucia)).headers.get('location')).toBe('/welcome')
    expect(await row('lucia')).toBeUndefined()
  })

  it('an organization without another member is deleted, too', async () => {
    const { database } = test.product
    const organizationId = await foundOrganization(database, { name: 'Alone', ownerId: id('jonas') }, now())
    const jonas = await comesIn('jonas')
    const { goAlong } = await farewellOf(jonas)
    expect(goAlong).toEqual([{ id: organizationId, displayName: 'Alone' }])
    expect((await deletes(jonas)).headers.get('location')).toBe('/welcome')
    const left = await database.kysely.selectFrom('organization').select('id').execute()
    expect(left.map((organization) => organization.id)).not.toContain(organizationId)
  })

  it('of two owners who leave at once one stays', async () => {
    const [ada, priya] = [await comesIn('ada'), await comesIn('priya')]
    await becomesOwner(ada, 'northwind', 'priya')
    const answers = await Promise.all([ada, priya].map((browser) => deletes(browser)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 302])
    const left = [await row('ada'), await row('priya')].filter((person) => person)
    expect(left).toHaveLength(1)
  })
})

describeDatabases('the last accounts', (open) => {
  it('the only owner stays while there are other users, and the last user leaves an empty product', async () => {
    const test = await open()
    const { kysely } = test.product.database
    await kysely.deleteFrom('organization').where('id', '!=', 'kiku').execute()
    await kysely.deleteFrom('member').where('userId', '!=', id('bo')).execute()
    const bo = await test.signsIn('bo')
    const form = { do: 'deleteAccount', password: demoPassword }
    const { farewell } = await (await bo.call(showSettings, '/settings')).json()
    expect(farewell).toMatchObject({ isLastOwner: true, ownedAlone: [], goAlong: [{ id: 'kiku' }] })
    expect(await (await bo.call(postSettings, '/settings', { form })).json()).toEqual({ saved: false, refusal: {} })

    await kysely.deleteFrom('user').where('id', '!=', id('bo')).execute()
    const gone = await bo.call(postSettings, '/settings', { form })
    expect(gone.headers.get('location')).toBe('/welcome')
    expect(await membershipsOf(test.product.database, id('bo'))).toEqual([])
    expect(await kysely.selectFrom('organization').select('id').execute()).toEqual([])
    const cookie = gone.headers.getSetCookie().at(-1)!.split(';')[0]!
    const stranger = browser(test.product, [cookie])
    expect(await (await stranger.call(showWelcome, '/welcome')).json()).toEqual({ isEmpty: true, isFarewell: true })
    await test.close()
  })

  const id = (name: CastName) => castMember(name).id
})
