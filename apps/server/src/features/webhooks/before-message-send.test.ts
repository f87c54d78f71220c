import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { it } from 'vitest'
import { onEveryStorage, onEveryTransport } from '../../testing/fixture.ts'
import { allowLoopback, Listener, type WebhookCall } from '../../testing/listener.ts'
import { type AppServer, path, type TestUser } from '../../testing/test-user.ts'

const listener = new Listener()

const asks = (appServer: AppServer, settings: object = {}) =>
  appServer.does('PATCH', '/app', { body: { before_message_send_hook_url: `${listener.url}/before`, ...settings } })
const texts = async (testUser: TestUser, room: string) =>
  (await testUser.opensChannel(room)).messages.map(({ text, type }) => `${type}: ${text}`)

onEveryTransport((fixture) => {
  it('the before-message-send hook sees a message before any user does, and can change it', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo], { name: 'Lunch' })
    await asks(appServer)
    await bo.watches(room)
    listener.answers = ({ event }) => ({
      message: {
        ...event.message,
        text: 'my number is ***',
        checked: true,
        i18n: { language: 'en', de_text: 'meine Nummer ist ***' },
        user: { id: 'bo' },
        created_at: '2001-01-01T00:00:00Z',
        id: 'another',
      },
    })
    const { message } = await ada.does('POST', `${path(room)}/message`, {
      body: { message: { id: `number-${room}`, text: 'my number is 12345', mood: 'merry' } },
      headers: { 'X-Stream-Client': 'stories-1' },
    })
    assert.deepEqual([message.id, message.text, message.user.id], [`number-${room}`, 'my number is ***', 'ada'])
    assert.deepEqual([message.checked, message.mood, message.i18n.de_text], [true, 'merry', 'meine Nummer ist ***'])
    assert.notEqual(message.created_at.slice(0, 4), '2001')
    const heard = await bo.receives('message.new')
    assert.equal(heard.message.text, 'my number is ***')
    assert.deepEqual(await texts(bo, room), ['regular: my number is ***'])

    const [{ event, headers, raw, url }] = listener.calls as [WebhookCall]
    assert.equal(url, '/before')
    assert.deepEqual([event.message.text, event.message.mood, event.user.id], ['my number is 12345', 'merry', 'ada'])
    assert.deepEqual([event.channel.cid, event.channel.name, event.channel.config.name], [room, 'Lunch', 'messaging'])
    assert.deepEqual([event.request_info.type, event.request_info.sdk], ['client', 'stories-1'])
    assert.equal(headers['x-signature'], createHmac('sha256', appServer.app.secret).update(raw).digest('hex'))
    assert.equal(headers['x-api-key'], appServer.app.key)
  })
}, allowLoopback)

onEveryStorage((fixture) => {
  it('a discarded message is not stored, and the sender gets the hook’s text', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await asks(appServer)
    listener.answers = () => ({ message: { type: 'error', text: 'This does not belong here.' } })
    const message = await ada.sends(room, 'spam')
    assert.deepEqual([message.type, message.text, message.user.id], ['error', 'This does not belong here.', 'ada'])
    assert.deepEqual(await texts(bo, room), [])
    assert.equal(await bo.unread(room), 0)
    await appServer.isRefused(16, 'GET', `/messages/${message.id}`)
  })

  it('a message is sent unchanged when the hook response is missing, broken or invalid', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await asks(appServer)
    const unchanged: Listener['answers'][] = [
      () => 200,
      () => ({}),
      ({ event }) => ({ message: event.message }),
      () => 400,
      () => 503,
      () => 'this is no JSON',
      () => 'broken',
      () => ({ message: { text: 'x'.repeat(20_001) } }),
      () => ({ message: { text: 7 } }),
      () => ({ message: { type: 'ephemeral', text: 'only you see this' } }),
      () => ({ message: { text: '', attachments: [] } }),
      () => 'x'.repeat(1_000_000),
    ]
    for (const [i, answers] of unchanged.entries()) {
      await asks(appServer, { before_message_send_hook_url: `${listener.url}/${i}` })
      listener.answers = answers
      const { text, type } = await ada.sends(room, `message ${i}`)
      assert.deepEqual([text, type], [`message ${i}`, 'regular'])
    }
    assert.equal(listener.calls.length, unchanged.length, 'each was asked about once')
    listener.answers = () => ({ message: { text: 'a reply', show_in_channel: true, silent: true } })
    const { id: parent_id } = (await ada.opensChannel(room)).messages[0]!
    const reply = await ada.sends(room, 'another', { parent_id })
    assert.deepEqual([reply.type, reply.text, reply.show_in_channel, reply.silent], ['reply', 'a reply', true, true])
    assert.equal(await bo.unread(room), unchanged.length)
  })

  it('a hook that does not respond delays a message by the timeout only, and it is written once', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await asks(appServer, { before_message_send_hook_attempt_timeout_ms: 300 })
    listener.answers = () => 'nothing'
    const sent = ada.sends(room, 'is anybody there?')
    await listener.asked(1)
    assert.deepEqual(await texts(bo, room), [])
    fixture.clock.advance(300)
    assert.equal((await sent).text, 'is anybody there?')
    assert.deepEqual(await texts(bo, room), ['regular: is anybody there?'])
    assert.equal(listener.calls.length, 1, 'nobody is asked twice')
  })

  it('a hook that fails ten times in a row is skipped for half a minute, and then tried once', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    await asks(appServer)
    listener.answers = () => 500
    for (let i = 0; i < 12; i++) await ada.sends(room, `message ${i}`)
    assert.equal(listener.calls.length, 10)
    fixture.clock.advance(30_000)
    // While the trial call waits, other messages are sent without the hook.
    const answers = Promise.withResolvers<void>()
    listener.answers = () => (response) =>
      void answers.promise.then(() => response.end(JSON.stringify({ message: { text: 'back again' } })))
    const tried = ada.sends(room, 'and now?')
    await listener.asked(11)
    assert.equal((await ada.sends(room, 'and me?')).text, 'and me?')
    assert.equal(listener.calls.length, 11)
    answers.resolve()
    assert.equal((await tried).text, 'back again')
    assert.equal((await ada.sends(room, 'and I')).text, 'back again')
    assert.equal(listener.calls.length, 12)
  })

  it('edits, system messages and command replies skip the hook; a message of the app’s server does not', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    await asks(appServer)
    await appServer.does('POST', `${path(room)}/message`, { body: { message: { text: 'news', user_id: 'ada' } } })
    assert.equal(listener.calls.length, 1)
    assert.equal(listener.calls[0]!.event.request_info.type, 'server')
    const { id } = (await ada.opensChannel(room)).messages[0]!
    await ada.does('PUT', `/messages/${id}`, { body: { set: { text: 'newer' } } })
    await appServer.does('POST', path(room), {
      body: { data: { name: 'Tea' }, message: { text: 'Tea', user_id: 'ada' } },
    })
    await ada.sends(room, '/mute @nobody')
    assert.equal(listener.calls.length, 1)
  })

  it('its URL must be public, and its timeout is bounded', async () => {
    const { appServer } = await fixture.createApp()
    const refused = (body: object) => appServer.isRefused(4, 'PATCH', '/app', { body })
    for (const url of ['file:///etc/passwd', 'nowhere', 'javascript:alert(1)'])
      await refused({ before_message_send_hook_url: url })
    await refused({ before_message_send_hook_attempt_timeout_ms: 60_000 })
    await refused({ before_message_send_hook_attempt_timeout_ms: -1 })
    await asks(appServer)
    const { app } = await appServer.does('GET', '/app')
    assert.equal(app.before_message_send_hook_url, `${listener.url}/before`)
    await asks(appServer, { before_message_send_hook_url: null })
    assert.equal('before_message_send_hook_url' in (await appServer.does('GET', '/app')).app, false)
  })
}, allowLoopback)

onEveryStorage((fixture) => {
  it('it calls no private address, and still lets messages through', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    await asks(appServer)
    assert.equal((await ada.sends(room, 'hello')).text, 'hello')
    assert.deepEqual(listener.calls, [])
  })
})
