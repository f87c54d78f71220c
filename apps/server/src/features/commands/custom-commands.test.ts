import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { it } from 'vitest'
import { onEveryStorage, onEveryTransport } from '../../testing/fixture.ts'
import { OtherServer } from '../../testing/other-server.ts'
import { type AppServer, path } from '../../testing/test-user.ts'

// biome-ignore lint/suspicious/noExplicitAny: a handler is told messages of every shape.
type Asked = { url: string; headers: IncomingHttpHeaders; text: string; body: any }

/** The app's own server: it notes what it is asked, and says what the story wants. */
class Handler extends OtherServer {
  asked: Asked[] = []
  answers: (asked: Asked) => { status?: number; body?: string; late?: boolean } = () => ({})
  constructor() {
    super((request, response) => {
      let text = ''
      request.on('data', (data) => {
        text += data
      })
      request.on('end', () => {
        const asked = { url: request.url!, headers: request.headers, text, body: JSON.parse(text) }
        this.asked.push(asked)
        const { status = 200, body = '', late = false } = this.answers(asked)
        if (late) return
        response.writeHead(status)
        response.end(body)
      })
    })
  }

  message(message: object) {
    this.answers = () => ({ body: JSON.stringify({ message }) })
  }
}

const handler = new Handler()

async function withTicket(appServer: AppServer, options = {}) {
  await appServer.does('POST', '/commands', {
    body: { name: 'ticket', description: 'Opens a ticket', set: 'work', ...options },
  })
  await appServer.does('PUT', '/channeltypes/messaging', { body: { commands: ['all'] } })
  await appServer.does('PATCH', '/app', { body: { custom_action_handler_url: `${handler.url}/run?type={type}` } })
}

onEveryTransport((fixture) => {
  it('[CMD-6] [CMD-7] [CMD-8] [CMD-13] an app makes up commands, changes them, and takes them away', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const asked = { name: 'ticket', description: 'Opens a ticket' }
    const { command } = await appServer.does('POST', '/commands', { body: asked })
    assert.deepEqual(
      { ...command, created_at: '', updated_at: '' },
      { ...asked, args: '', set: '', created_at: '', updated_at: '' },
    )
    await appServer.does('PUT', '/commands/ticket', { body: { args: '[words]' } })
    assert.deepEqual((await ada.does('GET', '/commands/ticket')).args, '[words]')
    const names = (await ada.does('GET', '/commands')).commands.map(({ name }: { name: string }) => name)
    assert.deepEqual(names.at(-1), 'ticket')

    await appServer.does('POST', '/commands', { body: { ...asked, name: 'refund', set: 'desk' } })
    for (const body of [
      asked,
      { ...asked, name: 'desk' },
      { ...asked, name: 'close', set: 'ticket' },
      { ...asked, name: 'ban' },
      { ...asked, name: 'all' },
      { ...asked, name: 'fun_set' },
      { ...asked, name: 'a b' },
      { ...asked, name: '' },
      { ...asked, name: 'x'.repeat(65) },
      { name: 'bare' },
    ])
      await appServer.isRefused(4, 'POST', '/commands', { body })
    await appServer.isRefused(4, 'PUT', '/commands/refund', { body: { set: 'ban' } })
    await appServer.does('PUT', '/commands/refund', { body: { set: 'refund' } })
    await appServer.isRefused(4, 'PUT', '/commands/giphy', { body: { args: '' } })
    await appServer.isRefused(4, 'DELETE', '/commands/giphy')
    await appServer.isRefused(16, 'PUT', '/commands/dance', { body: {} })
    await appServer.isRefused(16, 'DELETE', '/commands/dance')
    await ada.isRefused(17, 'POST', '/commands', { body: { ...asked, name: 'mine' } })
    await ada.isRefused(17, 'PUT', '/commands/ticket', { body: {} })
    await ada.isRefused(17, 'DELETE', '/commands/ticket')

    await appServer.does('PUT', '/channeltypes/team', { body: { commands: ['ticket'] } })
    await appServer.isRefused(4, 'DELETE', '/commands/ticket')
    const { commands } = await appServer.does('PUT', '/channeltypes/team', { body: { commands: ['all'] } })
    const whole = (await appServer.does('GET', '/channeltypes/team')).commands
    assert.ok(commands.includes('ticket') && commands.includes('giphy') && !commands.includes('all'), `${commands}`)
    assert.deepEqual(
      commands,
      whole.map(({ name }: { name: string }) => name),
    )
    assert.equal((await appServer.does('DELETE', '/commands/ticket')).name, 'ticket')
    await appServer.isRefused(16, 'GET', '/commands/ticket')
  })

  it('[CMD-9] the app’s server is asked, signed, and says what becomes of the message', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await withTicket(appServer)
    const room = await appServer.opens([ada, bo])
    await bo.watches(room)
    handler.asked = []
    handler.message({
      text: 'Ticket 7',
      i18n: { language: 'en', de_text: 'Vorgang 7' },
      mood: 'calm',
      attachments: [{ type: 'ticket', number: 7 }],
      user_id: 'bo',
      id: 'x',
    })

    const ownWords = { language: 'en', de_text: 'Alles meins' }
    const message = await ada.sends(room, '/ticket late order', { id: 'ticket-1', i18n: ownWords })
    assert.deepEqual(message.i18n, { language: 'en', de_text: 'Vorgang 7' })
    assert.deepEqual(
      [message.id, message.type, message.text, message.user.id, message.mood, message.command, message.args],
      ['ticket-1', 'regular', 'Ticket 7', 'ada', 'calm', 'ticket', 'late order'],
    )
    const heard = (await bo.receives('message.new')).message
    assert.deepEqual(
      [heard.text, heard.attachments, heard.command],
      ['Ticket 7', [{ type: 'ticket', number: 7 }], 'ticket'],
    )

    const [asked] = handler.asked
    assert.equal(handler.asked.length, 1)
    assert.equal(asked!.url, '/run?type=ticket')
    const { id, text, command, args, type, cid } = asked!.body.message
    assert.deepEqual(
      [id, text, command, args, type, cid],
      ['ticket-1', '/ticket late order', 'ticket', 'late order', 'regular', room],
    )
    assert.equal(asked!.body.user.id, 'ada')
    assert.equal('form_data' in asked!.body, false)
    assert.equal(asked!.headers['x-api-key'], appServer.app.key)
    const signature = createHmac('sha256', appServer.app.secret).update(asked!.text).digest('hex')
    assert.equal(asked!.headers['x-signature'], signature)
  })

  it('a preview with actions is decided upon by the app’s server', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await withTicket(appServer)
    const room = await appServer.opens([ada, bo])
    await bo.watches(room)
    const actions = [{ name: 'action', text: 'Open it', type: 'button', style: 'primary', value: 'open' }]
    handler.message({ type: 'ephemeral', text: 'Open a ticket?', attachments: [{ title: 'Ticket', actions }] })
    const preview = await ada.sends(room, '/ticket late order')
    assert.deepEqual([preview.type, preview.text], ['ephemeral', 'Open a ticket?'])

    handler.asked = []
    handler.message({ text: 'Really?' })
    const phone = ada.device(fixture.nodes.at(-1)!.url)
    const act = (form_data: object) => phone.does('POST', `/messages/${preview.id}/action`, { body: { form_data } })
    const again = await act({ action: 'open', email: 'a@b.c' })
    assert.deepEqual([again.message.type, again.message.text], ['ephemeral', 'Really?'])
    assert.deepEqual(handler.asked[0]!.body.form_data, { action: 'open', email: 'a@b.c' })
    assert.equal(handler.asked[0]!.body.message.text, 'Open a ticket?')
    handler.message({ type: 'error', text: 'Try later' })
    assert.deepEqual((await act({})).message.type, 'error')
    handler.message({ type: 'regular', text: 'Ticket 8', attachments: [] })
    const { message } = await act({ action: 'open' })
    assert.deepEqual([message.id, message.type, message.text], [preview.id, 'regular', 'Ticket 8'])
    assert.equal((await bo.receives('message.new')).message.text, 'Ticket 8')
    assert.equal((await bo.opensChannel(room)).messages.length, 1)
  })

  it('a message for all may have actions too: what becomes of it all see, an answer only who asked', async () => {
    // Bo has the node the ban is made on: the others learn of it a moment later.
    const { ada, bo, cy, appServer } = await fixture.createApp('bo', 'ada', 'cy')
    await withTicket(appServer)
    await appServer.does('PUT', '/channeltypes/livestream', { body: { commands: ['ticket'] } })
    const room = await appServer.opens([ada, bo])
    await ada.watches(room)
    handler.message({ text: 'Who takes it?', attachments: [{ actions: [{ name: 'take', value: 'me' }] }] })
    const { id } = await ada.sends(room, '/ticket late order')
    const act = () => bo.does('POST', `/messages/${id}/action`, { body: { form_data: { take: 'me' } } })
    handler.message({ type: 'ephemeral', text: 'Thank you', i18n: { de_text: 'Danke' } })
    const { message: thanks } = await act()
    assert.deepEqual([thanks.type, thanks.text, thanks.user.id], ['ephemeral', 'Thank you', 'bo'])
    assert.deepEqual(thanks.i18n, { de_text: 'Danke' })
    assert.notEqual(thanks.id, id)
    handler.answers = () => ({})
    assert.equal((await act()).message.text, 'Who takes it?')
    handler.message({ text: 'Bo takes it', attachments: [], i18n: { de_text: 'Bo nimmt es' } })
    assert.equal((await act()).message.text, 'Bo takes it')
    const heard = await ada.receives('message.updated')
    assert.deepEqual(heard.message.i18n, { de_text: 'Bo nimmt es' })
    assert.deepEqual([heard.message.text, heard.message.attachments], ['Bo takes it', []])
    assert.equal((await ada.receivedTypes()).includes('message.updated'), false)
    const stream = await appServer.opens([ada], {}, 'livestream')
    const { id: open } = await ada.sends(stream, '/ticket late order')
    const asked = handler.asked.length
    await appServer.does('POST', '/moderation/ban', { body: { target_user_id: 'bo', user_id: 'ada' } })
    await bo.isRefused(17, 'POST', `/messages/${id}/action`, { body: { form_data: { take: 'me' } } })
    const here = { target_user_id: 'cy', channel_cid: stream, user_id: 'ada' }
    await appServer.does('POST', '/moderation/ban', { body: here })
    await cy.isRefused(17, 'POST', `/messages/${open}/action`, { body: { form_data: { take: 'me' } } })
    assert.equal(handler.asked.length, asked)
  })
}, env())

onEveryStorage((fixture) => {
  it('[CMD-9] [ERR-23] [ERR-24] [ERR-34] without an address it is 44, and a handler that fails is 45', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    await appServer.does('POST', '/commands', { body: { name: 'ticket', description: 'Opens a ticket' } })
    await appServer.does('PUT', '/channeltypes/messaging', { body: { commands: ['ticket'] } })
    const room = await appServer.opens([ada])
    const body = { message: { text: '/ticket late order' } }
    const missing = await ada.isRefused(44, 'POST', `${path(room)}/message`, { body })
    assert.equal(missing.StatusCode, 400)
    assert.equal((await ada.opensChannel(room)).messages.length, 0)

    const pointTo = (url: string) => appServer.does('PATCH', '/app', { body: { custom_action_handler_url: url } })
    await pointTo(handler.url)
    const bad: ReturnType<Handler['answers']>[] = [
      { status: 500 },
      { status: 404, body: '{}' },
      { status: 302 },
      { body: 'OK' },
      { body: '[]' },
      { body: 'null' },
      { body: '{"message":5}' },
      { body: '{"message":{"text":5}}' },
      { body: '{"message":{"type":"deleted"}}' },
      { body: '{"message":{"attachments":{"length":1}}}' },
      { body: JSON.stringify({ message: { text: 'x'.repeat(300_000) } }) },
    ]
    const works = { body: '{}' }
    for (const said of bad) {
      handler.answers = () => said
      const refused = await ada.isRefused(45, 'POST', `${path(room)}/message`, { body })
      assert.equal(refused.StatusCode, 400)
      handler.answers = () => works
      await ada.does('POST', `${path(room)}/message`, { body })
    }
    handler.answers = () => ({ body: JSON.stringify({ message: { text: 'x'.repeat(6_000) } }) })
    await ada.isRefused(20, 'POST', `${path(room)}/message`, { body })
    for (const url of ['http://127.0.0.1:1/', 'http://localhost/']) {
      await pointTo(url)
      await ada.isRefused(45, 'POST', `${path(room)}/message`, { body })
    }
    assert.equal((await ada.opensChannel(room)).messages.length, bad.length)
  })

  it('[CMD-9] a handler that does not answer within a second has failed', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    await withTicket(appServer)
    const room = await appServer.opens([ada])
    const isAsked = new Promise<void>((resolve) => {
      handler.answers = () => {
        resolve()
        return { late: true }
      }
    })
    const refused = ada.isRefused(45, 'POST', `${path(room)}/message`, { body: { message: { text: '/ticket x' } } })
    await isAsked
    fixture.clock.advance(1_000)
    await refused
  })

  it('a handler that failed ten times in a row is left alone for half a minute, and then tried once', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    await withTicket(appServer)
    const room = await appServer.opens([ada])
    handler.answers = () => ({ status: 503 })
    handler.asked = []
    const tries = () => ada.isRefused(45, 'POST', `${path(room)}/message`, { body: { message: { text: '/ticket x' } } })
    for (let i = 0; i < 12; i++) await tries()
    assert.equal(handler.asked.length, 10)
    fixture.clock.advance(30_000)
    await tries()
    await tries()
    assert.equal(handler.asked.length, 11)
    fixture.clock.advance(30_000)
    handler.answers = () => ({})
    for (let i = 0; i < 3; i++) await ada.sends(room, '/ticket x')
    assert.equal(handler.asked.length, 14)
  })

  it('an error of the handler is for the sender alone, and an empty answer changes nothing', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    await withTicket(appServer)
    const room = await appServer.opens([ada])
    handler.message({ type: 'error', text: 'No tickets today' })
    const refused = await ada.sends(room, '/ticket x')
    assert.deepEqual([refused.type, refused.text], ['error', 'No tickets today'])
    for (const body of ['', '{}', '{"message":{}}', ' ']) {
      handler.answers = () => ({ body })
      assert.deepEqual((await ada.sends(room, '/ticket x')).text, '/ticket x')
    }
    assert.equal((await ada.opensChannel(room)).messages.length, 4)
  })

  it('/flag, where a channel type has it, reports somebody', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    assert.equal((await ada.sends(room, '/flag @bo')).type, 'regular')
    await appServer.does('PUT', '/channeltypes/messaging', { body: { commands: ['moderation_set'] } })
    assert.equal((await ada.sends(room, '/flag @bo')).type, 'ephemeral')
    assert.deepEqual(
      [(await ada.sends(room, '/flag @bo')).type, (await ada.sends(room, '/flag')).type],
      ['error', 'error'],
    )
  })
}, env())

function env() {
  return { ALLOWED_PRIVATE_HOSTS: '127.0.0.1' }
}
