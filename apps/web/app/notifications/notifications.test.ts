import { createHmac, randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { DefaultQueryExecutor } from 'kysely'
import { RouterContextProvider } from 'react-router'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { browserKeys, startPushService } from '../../../../scripts/services/push-service.ts'
import { type CastName, castMember, demoPassword } from '../../src/demo/people.ts'
import { type Browser, describeDatabases, type TestProduct } from '../../src/testing/a-product.ts'
import { action as receiveEvent } from '../chat/receive-webhook.ts'
import { personWithEmail, saveLooks } from '../people/person-store.server.ts'
import { clientAddressContext, productContext } from '../product.server.ts'
import { sessionMiddleware } from '../session/session.server.ts'
import { action as signOut } from '../session/sign-out.ts'
import { action as changePassword } from '../settings/change-password.ts'
import { action as changePush } from './change-push.ts'
import { pushKeys } from './push-keys.server.ts'
import { isPushService } from './push-services.ts'
import { shortened } from './shortened.ts'
import { concerns, groupNameOf, isLoudEnough, isPutOff, isWorthNotifying, type NewMessage } from './whom-to-notify.ts'

const SECRET = 'a-secret-of-the-chat-server'
const chatSettings = { CHAT_URL: 'http://127.0.0.1:9', CHAT_API_KEY: 'key', CHAT_API_SECRET: SECRET }

describeDatabases('notifications', (open) => {
  const closing: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
  })

  async function aPlace() {
    const service = await startPushService()
    closing.push(service.stop)
    const opened = await open({ chat: { ...chatSettings, PUSH_SERVICES: service.host } })
    closing.push(opened.close)
    return { ...opened, service }
  }
  type Place = Awaited<ReturnType<typeof aPlace>>

  const idOf = async ({ product }: Pick<TestProduct, 'product'>, name: CastName) =>
    (await personWithEmail(product.database, castMember(name).email))!.id

  /** The browser's part: it creates an endpoint and keys, and the page sends them. */
  async function subscribes(browser: Browser, service: Place['service']) {
    const [endpoint, keys] = [`http://${service.host}/${randomUUID()}`, browserKeys()]
    const { p256dh, auth } = keys
    const form = { do: 'on', endpoint, p256dh, auth }
    const answer = await browser.call(changePush, '/settings/notifications', { form })
    expect(answer.status).toBe(200)
    return { endpoint, ...keys, turnsOff: () => ({ do: 'off', endpoint }) }
  }

  async function tells({ product }: Place, event: object, { signature = '', zipped = false } = {}): Promise<Response> {
    const body = JSON.stringify(event)
    const request = new Request('http://localhost/chat/api/events', {
      method: 'POST',
      body: zipped ? gzipSync(body) : body,
      headers: { 'x-signature': signature || createHmac('sha256', SECRET).update(body).digest('hex') },
    })
    const context = new RouterContextProvider()
    context.set(productContext, product)
    context.set(clientAddressContext, '127.0.0.1')
    const args = { request, context, params: {}, url: new URL(request.url), pattern: '/chat/api/events' }
    return (await sessionMiddleware(args, () => receiveEvent(args))) as Response
  }

  const message = (sender: string, fields: object = {}) => ({
    id: 'm1',
    type: 'regular',
    text: 'Lunch?',
    user: { id: sender, name: 'Ada Lovelace' },
    ...fields,
  })
  const newMessage = ([sender, ...away]: string[], fields: object = {}) => ({
    type: 'message.new',
    cid: 'messaging:!members-x',
    message: message(sender!, fields),
    push_recipients: away,
  })

  it('a user who is away is notified of a message, and the push service cannot read it', async () => {
    const place = await aPlace()
    const { service, product, signedIn } = place
    const [ada, bo] = [await idOf(place, 'ada'), await idOf(place, 'bo')]
    const phone = await subscribes(await signedIn('bo'), service)
    const own = await subscribes(await signedIn('ada'), service)

    expect((await tells(place, newMessage([ada, bo]))).status).toBe(204)
    await service.hears(1)
    await product.push.drained()

    expect(service.brought.map(({ path }) => path)).toEqual([new URL(phone.endpoint).pathname])
    const [{ body, headers }] = service.brought as [(typeof service.brought)[0]]
    expect(phone.reads(body)).toEqual({
      title: 'Ada Lovelace',
      body: 'Lunch?',
      tag: 'm1',
      url: '/chat/messaging%3A!members-x?message=m1',
    })
    expect(() => own.reads(body)).toThrow()
    expect(String(body)).not.toContain('Lunch')
    expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: String(24 * 3_600), urgency: 'high' })
    expect(headers.authorization).toContain((await pushKeys(product.database)).publicKey)
  })

  it('after a new password only the browser that changed it keeps its notifications', async () => {
    const place = await aPlace()
    const { service, product, signsIn } = place
    const [ada, bo] = [await idOf(place, 'ada'), await idOf(place, 'bo')]
    const [here, there] = [await signsIn('bo'), await signsIn('bo')]
    const laptop = await subscribes(here, service)
    await subscribes(there, service)
    const form = { currentPassword: demoPassword, newPassword: 'a new password' }
    expect((await here.call(changePassword, '/settings/password', { form })).status).toBe(200)

    await tells(place, newMessage([ada, bo]))
    await service.hears(1)
    await product.push.drained()
    expect(service.brought.map(({ path }) => path)).toEqual([new URL(laptop.endpoint).pathname])
  })

  it('a connected user is not notified, nor a browser that was turned off or signed out', async () => {
    const place = await aPlace()
    const { service, product, signedIn, signsIn } = place
    const [ada, bo] = [await idOf(place, 'ada'), await idOf(place, 'bo')]
    const browser = await signedIn('bo')
    await subscribes(browser, service)
    await tells(place, newMessage([ada]))
    const other = await subscribes(browser, service)
    await browser.call(changePush, '/settings/notifications', { form: other.turnsOff() })
    const third = await signsIn('bo')
    await subscribes(third, service)
    await third.call(signOut, '/sign-out', { form: {} })
    const kept = await product.database.kysely.selectFrom('pushSubscription').select('userId').execute()
    expect(kept, 'the browser that is still signed in').toEqual([{ userId: bo }])

    await tells(place, newMessage([ada, bo], { text: 'Still there?' }))
    await product.push.drained()
    expect(service.brought.length, 'only the first browser').toBe(1)
  })

  it('three hundred users cost as many queries as two, and no call to the chat server', async () => {
    // This product's chat server does not respond: a call would fail.
    const place = await aPlace()
    const { service, product, signedIn } = place
    const [ada, bo, priya] = [await idOf(place, 'ada'), await idOf(place, 'bo'), await idOf(place, 'priya')]
    for (const name of ['bo', 'priya'] as const) await subscribes(await signedIn(name), service)
    const questions = vi.spyOn(DefaultQueryExecutor.prototype, 'executeQuery')
    onTestFinished(() => questions.mockRestore())
    const costOf = async (away: string[], brought: number) => {
      const before = questions.mock.calls.length
      expect((await tells(place, newMessage([ada, ...away]))).status).toBe(204)
      await service.hears(brought)
      await product.push.drained()
      return questions.mock.calls.length - before
    }
    const strangers = Array.from({ length: 300 }, () => randomUUID())
    const few = await costOf([bo], 1)
    expect(service.brought).toHaveLength(1)
    expect(await costOf([...strangers, bo, priya], 3)).toBe(few)
    expect(service.brought).toHaveLength(3)
  })

  it('an ended subscription is deleted', async () => {
    const place = await aPlace()
    const { service, product, signedIn } = place
    const [ada, bo] = [await idOf(place, 'ada'), await idOf(place, 'bo')]
    await subscribes(await signedIn('bo'), service)
    const kept = () => product.database.kysely.selectFrom('pushSubscription').select('endpoint').execute()
    service.answers(500)
    await tells(place, newMessage([ada, bo]))
    await product.push.drained()
    expect(await kept()).toHaveLength(1)
    service.answers(410)
    await tells(place, newMessage([ada, bo]))
    await product.push.drained()
    expect(await kept()).toEqual([])
  })

  it("the text is in the user's language, and a message without text shows its attachment", async () => {
    const place = await aPlace()
    const { service, product, signedIn } = place
    const [ada, bo] = [await idOf(place, 'ada'), await idOf(place, 'bo')]
    await saveLooks(product.database, bo, { theme: 'dark', language: 'de' })
    const phone = await subscribes(await signedIn('bo'), service)
    await tells(place, newMessage([ada, bo], { text: '', attachments: [{ type: 'image' }] }))
    await service.hears(1)
    expect(phone.reads(service.brought[0]!.body)).toMatchObject({ body: 'Hat einen Anhang gesendet' })
    // As the bubble shows it: without marks, and with everything that is none.
    await tells(place, newMessage([ada, bo], { text: '**Lunch** at `4`? [note]: 5*3*2' }))
    await service.hears(2)
    expect(phone.reads(service.brought[1]!.body)).toMatchObject({ body: 'Lunch at 4? [note]: 5*3*2' })
  })

  it('a browser belongs to the user who signed in there last', async () => {
    const place = await aPlace()
    const { service, product, signedIn } = place
    const [ada, bo] = [await idOf(place, 'ada'), await idOf(place, 'bo')]
    const { endpoint, p256dh, auth } = await subscribes(await signedIn('bo'), service)
    const adas = await signedIn('ada')
    await adas.call(changePush, '/settings/notifications', { form: { do: 'on', endpoint, p256dh, auth } })
    await tells(place, newMessage([ada, bo]))
    await product.push.drained()
    expect(service.brought).toEqual([])
  })

  it('an unsigned webhook, or a form from another page, changes nothing', async () => {
    const place = await aPlace()
    const { service, product, signedIn } = place
    const [ada, bo] = [await idOf(place, 'ada'), await idOf(place, 'bo')]
    const browser = await signedIn('bo')
    await subscribes(browser, service)
    expect((await tells(place, newMessage([ada, bo]), { signature: 'ab'.repeat(32) })).status).toBe(401)
    await product.push.drained()
    expect(service.brought).toEqual([])
    expect((await tells(place, newMessage([ada, bo]), { zipped: true })).status).toBe(204)
    await service.hears(1)

    const { p256dh, auth } = browserKeys()
    const form = { do: 'on', endpoint: `http://${service.host}/x`, p256dh, auth }
    const asked = (changed: object, options = {}) =>
      browser.call(changePush, '/settings/notifications', { form: { ...form, ...changed }, ...options })
    expect((await asked({}, { withoutCsrf: true })).status).toBe(403)
    for (const endpoint of ['http://169.254.169.254/latest', 'https://fcm.googleapis.com.evil.example/x', 'x'])
      expect((await asked({ endpoint })).status, endpoint).toBe(400)
    expect((await asked({ p256dh: 'short' })).status).toBe(400)
  })

  it('the keys are generated once', async () => {
    const { product } = await aPlace()
    const keys = await pushKeys(product.database)
    expect(await pushKeys(product.database)).toEqual(keys)
    expect(keys.publicKey).toMatch(/^[\w-]{87}$/)
    expect(product.push.publicKey).toBe(keys.publicKey)
  })
})

describe('the recipients of a notification', () => {
  const event = (message: Partial<NewMessage['message']>, about: Partial<NewMessage> = {}): NewMessage => ({
    type: 'message.new',
    cid: 'messaging:x',
    message: { id: '1', type: 'regular', user: { id: 'ada' }, ...message },
    ...about,
  })
  const concerned = (...about: Parameters<typeof event>) =>
    ['ada', 'bo', 'dee'].filter((id) => concerns(event(...about), id))

  it('are none for a silent or shadowed message, one without push, or a system message', () => {
    expect(isWorthNotifying(event({}))).toBe(true)
    expect(isWorthNotifying(event({}, { skip_push: true }))).toBe(false)
    for (const fields of [{ silent: true }, { shadowed: true }, { type: 'system' }, { type: 'ephemeral' }])
      expect(isWorthNotifying(event(fields)), JSON.stringify(fields)).toBe(false)
  })

  it('exclude users whose notifications are paused, in the channel or everywhere', () => {
    const now = Date.parse('2026-11-25T12:00:00Z')
    const [later, over] = [{ disabled_until: '2026-11-25T13:00:00Z' }, { disabled_until: '2026-11-25T11:00:00Z' }]
    const putOff = [
      [later, {}],
      [undefined, later],
      [over, {}],
      [undefined, undefined],
    ].map((one) => isPutOff(one, now))
    expect(putOff).toEqual([true, true, false, false])
  })

  it('are users whose level includes the message', () => {
    const heard = (level?: string) => [false, true].map((isMentioned) => isLoudEnough(level, isMentioned))
    expect([undefined, 'all', 'default'].map(heard)).toEqual(Array(3).fill([true, true]))
    expect(['mentions', 'direct_mentions', 'all_mentions'].map(heard)).toEqual(Array(3).fill([false, true]))
    expect(heard('none')).toEqual([false, false])
  })

  it('exclude the sender, users outside the thread, and users who may not see a restricted message', () => {
    expect(concerned({})).toEqual(['bo', 'dee'])
    expect(concerned({ type: 'reply', parent_id: 'p' }, { thread_participants: [{ id: 'dee' }] })).toEqual(['dee'])
    expect(concerned({ type: 'reply', parent_id: 'p', mentioned_users: [{ id: 'bo' }] })).toEqual(['bo'])
    expect(concerned({ type: 'reply', parent_id: 'p', show_in_channel: true })).toEqual(['bo', 'dee'])
    expect(concerned({ restricted_visibility: ['dee'] })).toEqual(['dee'])
  })
})

describe('a notification', () => {
  it('is one line of limited length', () => {
    expect(shortened('  one\n\ntwo ')).toBe('one two')
    expect(shortened('a'.repeat(150))).toBe('a'.repeat(150))
    expect(shortened('a'.repeat(151))).toBe(`${'a'.repeat(150)}…`)
    const family = '👩\u200d👩\u200d👧\u200d👦'
    expect(shortened(family.repeat(200))).toBe(`${family.repeat(60)}…`)
  })

  it('names the group, but no direct chat', () => {
    const named = (members: number) =>
      groupNameOf({
        ...{ type: 'message.new', cid: 'messaging:x', message: { id: '1', type: 'regular' } },
        ...{ channel_member_count: members, channel_custom: { name: 'Lunch' } },
      })
    expect([named(2), named(3)]).toEqual([undefined, 'Lunch'])
  })

  it('is sent to known push services only', () => {
    const services = [
      'https://fcm.googleapis.com/fcm/send/x',
      'https://updates.push.services.mozilla.com/wpush/v2/x',
      'https://wns2-par02p.notify.windows.com/w/?token=x',
      'https://web.push.apple.com/x',
    ]
    for (const endpoint of services) expect(isPushService(endpoint, []), endpoint).toBe(true)
    const others = [
      'http://fcm.googleapis.com/x',
      'https://fcm.googleapis.com:8443/x',
      'https://push.apple.com.example/x',
      'https://127.0.0.1/x',
      'file:///etc/passwd',
    ]
    for (const endpoint of others) expect(isPushService(endpoint, []), endpoint).toBe(false)
  })
})
