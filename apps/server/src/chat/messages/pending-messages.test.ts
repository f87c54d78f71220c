import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ChannelState } from '@parley/protocol/channels'
import { afterAll, beforeAll, it } from 'vitest'
import type { Surroundings } from '../../app.ts'
import { microsOf } from '../../platform/micros.ts'
import { eventually } from '../../testing/eventually.ts'
import { onEveryStorage, onEveryTransport } from '../../testing/fixture.ts'
import { justBefore } from '../../testing/just-before.ts'
import { type AppServer, path, type ReceivedEvent, type TestUser } from '../../testing/test-user.ts'

const DAY_MS = 86_400_000

const holds = (appServer: AppServer, author: TestUser, room: string, message: object, options: object = {}) =>
  appServer.does('POST', `${path(room)}/message`, {
    body: { message: { user_id: author.id, ...message }, pending: true, ...options },
  })
const waiting = async (testUser: TestUser, room: string) => (await testUser.opensChannel(room)).pending_messages ?? []

onEveryTransport((fixture) => {
  it('a pending message is visible only to its author, and does not count as unread', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const question = await bo.sends(room, 'Lunch?')
    await bo.watches(room)
    await ada.connects()

    const answer = await holds(
      appServer,
      ada,
      room,
      { id: 'ada-1', text: 'Pho', quoted_message_id: question.id },
      { pending_message_metadata: { checked_by: 'kitchen' } },
    )

    assert.deepEqual([answer.message.id, answer.message.text, answer.message.user.id], ['ada-1', 'Pho', 'ada'])
    assert.deepEqual(answer.pending_message_metadata, { checked_by: 'kitchen' })
    const [own] = await waiting(ada, room)
    assert.deepEqual([own?.message.text, own?.metadata], ['Pho', { checked_by: 'kitchen' }])
    assert.equal(own?.message.quoted_message?.text, 'Lunch?')
    const looked = await ada.does('GET', '/messages/ada-1')
    assert.deepEqual([looked.message.text, looked.pending_message_metadata.checked_by], ['Pho', 'kitchen'])
    assert.equal((await appServer.does('GET', '/messages/ada-1')).message.text, 'Pho')

    assert.deepEqual(await waiting(bo, room), [])
    await bo.isRefused(16, 'GET', '/messages/ada-1')
    await bo.isRefused(16, 'POST', '/messages/ada-1/reaction', { body: { reaction: { type: 'love' } } })
    const state = await bo.opensChannel(room)
    assert.deepEqual(
      state.messages.map(({ text }) => text),
      ['Lunch?'],
    )
    assert.equal(await bo.unread(room), 0)
    // The message is not posted yet, so its author's read position has not moved either.
    assert.equal(await ada.unread(room), 1)
    assert.deepEqual(
      (await bo.received()).filter(({ cid }) => cid === room),
      [],
    )
    await appServer.isRefused(4, 'POST', `${path(room)}/message`, {
      body: { message: { id: 'ada-1', text: 'Again', user_id: 'ada' }, pending: true },
    })
  })

  it('a committed message is sent as if it were posted now', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await bo.watches(room)
    await holds(appServer, ada, room, { id: 'ada-1', text: 'Pho' })
    const meanwhile = await bo.sends(room, 'Pizza')

    await ada.isRefused(17, 'POST', '/messages/ada-1/commit')
    const { message } = await appServer.does('POST', '/messages/ada-1/commit')

    assert.deepEqual([message.id, message.text, message.user.id], ['ada-1', 'Pho', 'ada'])
    assert.ok(microsOf(message.created_at)! > microsOf(meanwhile.created_at)!)
    const heard = await bo.receives('message.new', (event) => event.message.id === 'ada-1')
    assert.equal(heard.total_unread_count, 1)
    const state = await ada.opensChannel(room)
    assert.deepEqual(
      state.messages.map(({ text }) => text),
      ['Pizza', 'Pho'],
    )
    assert.equal(state.pending_messages, undefined)
    assert.equal(state.read.find(({ user }) => user.id === 'ada')?.last_read_message_id, 'ada-1')
    await appServer.isRefused(4, 'POST', '/messages/ada-1/commit')
    await appServer.isRefused(16, 'POST', '/messages/nowhere/commit')
  })

  it('a pending reply does not raise the reply count before it is committed', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const lunch = await bo.sends(room, 'Lunch?')
    const other = await bo.sends(await appServer.opens([bo]), 'Elsewhere')
    const refused = (code: number, parent_id: string) =>
      appServer.isRefused(code, 'POST', `${path(room)}/message`, {
        body: { message: { text: 'Pho', parent_id, user_id: 'ada' }, pending: true },
      })
    await refused(16, other.id)

    await holds(appServer, ada, room, { id: 'ada-1', text: 'Pho', parent_id: lunch.id })
    assert.equal((await bo.does('GET', `/messages/${lunch.id}`)).message.reply_count, 0)
    await refused(16, 'ada-1')
    await appServer.does('POST', '/messages/ada-1/commit')
    assert.equal((await bo.does('GET', `/messages/${lunch.id}`)).message.reply_count, 1)
    assert.equal((await bo.does('GET', '/unread')).threads[0].unread_count, 1)
  })

  it('committing a message keeps the draft its author has begun since', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const draft = (text: string) => ada.does('POST', `${path(room)}/draft`, { body: { message: { text } } })
    await draft('Pho')
    await holds(appServer, ada, room, { id: 'ada-1', text: 'Pho' })
    await ada.isRefused(16, 'GET', `${path(room)}/draft`)
    await draft('And a tea')

    await appServer.does('POST', '/messages/ada-1/commit')

    assert.equal((await ada.does('GET', `${path(room)}/draft`)).draft.message.text, 'And a tea')
  })

  it('a pending message cannot be edited, and only be deleted hard', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await ada.connects()
    await holds(appServer, ada, room, { id: 'ada-1', text: 'Pho' })

    await ada.isRefused(4, 'PUT', '/messages/ada-1', { body: { set: { text: 'Pizza' } } })
    await ada.isRefused(4, 'DELETE', '/messages/ada-1')
    await bo.isRefused(16, 'DELETE', '/messages/ada-1', { query: { hard: 'true' } })
    const { message } = await ada.does('DELETE', '/messages/ada-1', { query: { hard: 'true' } })

    assert.deepEqual([message.type, message.text], ['deleted', ''])
    const gone = await ada.receives('message.deleted')
    assert.deepEqual([gone.message_id, gone.hard_delete], ['ada-1', true])
    assert.deepEqual(await waiting(ada, room), [])
    await ada.isRefused(16, 'GET', '/messages/ada-1')
    await appServer.isRefused(16, 'POST', '/messages/ada-1/commit')
  })

  it('a message that is not committed is deleted after three days', async () => {
    const { ada, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada])
    await holds(appServer, ada, room, { id: 'ada-1', text: 'Pho' })
    fixture.clock.advance(3 * DAY_MS - 30_000)
    assert.equal((await waiting(ada, room)).length, 1)
    await ada.connects()

    fixture.clock.advance(31_000)

    assert.equal((await ada.receives('message.deleted')).message_id, 'ada-1')
    assert.deepEqual(await waiting(ada, room), [])
    await appServer.isRefused(16, 'POST', '/messages/ada-1/commit')
  })

  it('the newest hundred are returned; `pending` from a client is ignored', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    for (let i = 0; i <= 100; i++) await holds(appServer, ada, room, { id: `ada-${i}`, text: `${i}` })
    const ids = (await waiting(ada, room)).map(({ message }) => message.id)
    assert.deepEqual([ids.length, ids[0], ids.at(-1)], [100, 'ada-1', 'ada-100'])

    await ada.does('POST', `${path(room)}/message`, { body: { message: { text: 'Now' }, pending: true } })
    assert.deepEqual(
      (await ada.opensChannel(room)).messages.map(({ text }) => text),
      ['Now'],
    )
  })

  it('[CHN-51] slow mode also applies to pending messages', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await appServer.does('PUT', '/channeltypes/messaging', { body: { mark_messages_pending: true } })
    const room = await appServer.opens([ada, bo], { cooldown: 30 })
    await ada.sends(room, 'One', { id: 'ada-1' })
    const refusal = await ada.isRefused(60, 'POST', `${path(room)}/message`, { body: { message: { text: 'Two' } } })
    assert.match(refusal.message, /Wait 30 s/)
    const again = { body: { message: { text: 'One', id: 'ada-1' } } }
    await ada.isRefused(4, 'POST', `${path(room)}/message`, again)
    await bo.sends(room, 'Mine')

    fixture.clock.advance(30_000)

    const two = { text: 'Two', id: 'ada-2' }
    justBefore(fixture.nodes[0]!.server.commit, 'write', () => ada.sends(room, two.text, two))
    await ada.isRefused(4, 'POST', `${path(room)}/message`, { body: { message: two } })
    assert.equal((await waiting(ada, room)).length, 2)
  })

  it('[CHN-51] slow mode counts from when a message was sent, however late it is committed', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await appServer.does('PUT', '/channeltypes/messaging', { body: { mark_messages_pending: true } })
    const room = await appServer.opens([ada, bo], { cooldown: 30 })
    const another = { body: { message: { text: 'Two' } } }
    await ada.sends(room, 'One', { id: 'ada-1' })
    fixture.clock.advance(20_000)
    await appServer.does('POST', '/messages/ada-1/commit', { body: {} })
    const { message } = await ada.isRefused(60, 'POST', `${path(room)}/message`, another)
    assert.match(message, /Wait 10 s/)
    await appServer.does('PUT', '/messages/ada-1', { body: { set: { text: 'The first one' }, user_id: 'ada' } })
    fixture.clock.advance(10_000)
    await ada.does('POST', `${path(room)}/message`, another)
    const [first] = (await bo.opensChannel(room)).messages
    assert.deepEqual([first?.text, first && 'sent_at' in first], ['The first one', false])
  })

  it('many pending messages in one channel do not displace those of another', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const [quiet, busy] = [await appServer.opens([ada]), await appServer.opens([ada])]
    await holds(appServer, ada, quiet, { id: 'quiet', text: 'Here' })
    for (let i = 0; i <= 200; i++) await holds(appServer, ada, busy, { id: `busy-${i}`, text: `${i}` })

    const body = { filter_conditions: { members: { $in: ['ada'] } }, state: true }
    const { channels } = await ada.does('POST', '/channels', { body })

    const counts = channels.map((state: ChannelState) => [state.channel.cid, state.pending_messages?.length])
    assert.deepEqual(
      new Map(counts),
      new Map<string, number>([
        [quiet, 1],
        [busy, 100],
      ]),
    )
  })
})

/** A web page with a preview and a translation service; both answer when the test allows it. */
let answers: (() => void)[] = []
const allowLoopback = createServer((request, answer) => {
  const isPage = request.method === 'GET'
  const translated = { translatedText: 'Regarde', detectedLanguage: { language: 'en' } }
  const body = isPage ? '<title>Tea</title><meta name="description" content="Leaves">' : JSON.stringify(translated)
  answers.push(() => answer.writeHead(200, { 'Content-Type': isPage ? 'text/html' : 'application/json' }).end(body))
})
const env: Record<string, string> = { LINK_PREVIEWS: 'on' }
const around: Surroundings = {}
let site = ''

beforeAll(async () => {
  await new Promise<void>((listening) => allowLoopback.listen(0, '127.0.0.1', listening))
  const { port } = allowLoopback.address() as AddressInfo
  site = `http://127.0.0.1:${port}`
  around.neighbours = [`127.0.0.1:${port}`]
  env.TRANSLATION_URL = site
})
afterAll(() => {
  allowLoopback.closeAllConnections()
  allowLoopback.close()
})

onEveryStorage(
  (fixture) => {
    let visits = 0
    const aRoom = async () => {
      const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
      const translated = { auto_translation_enabled: true, auto_translation_language: 'fr' }
      const room = await appServer.opens([ada, bo], translated)
      await bo.watches(room)
      answers = []
      const sending = holds(appServer, ada, room, { id: 'ada-1', text: `Look: ${site}/tea?${++visits}` })
      await eventually(() => answers.length === 2, 'the page and the translation were asked for')
      fixture.clock.advance(2_000)
      assert.deepEqual((await sending).message.attachments, [])
      return { ada, bo, appServer, room }
    }

    it('a late preview or translation of a pending message is committed with it', async () => {
      const { ada, bo, appServer, room } = await aRoom()

      for (const answerNow of answers) answerNow()

      await eventually(async () => {
        const [own] = await waiting(ada, room)
        return own?.message.attachments.length === 1 && own.message.i18n?.fr_text === 'Regarde'
      }, 'its author sees both')
      await appServer.does('POST', '/messages/ada-1/commit')
      const { message } = await bo.receives('message.new')
      assert.deepEqual([message.attachments[0].title, message.i18n.fr_text], ['Tea', 'Regarde'])
      assert.deepEqual((await bo.opensChannel(room)).messages, [message])
    })

    it('a preview or translation that comes after the commit follows as an event', async () => {
      const { bo, appServer, room } = await aRoom()
      await appServer.does('POST', '/messages/ada-1/commit')
      assert.deepEqual((await bo.receives('message.new')).message.attachments, [])

      for (const answerNow of answers) answerNow()

      const isWhole = ({ message }: ReceivedEvent) => message.attachments.length === 1 && 'i18n' in message
      const { message } = await bo.receives('message.updated', isWhole)
      assert.deepEqual((await bo.opensChannel(room)).messages, [message])
    })
  },
  env,
  around,
)
