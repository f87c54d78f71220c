import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { onEveryStorage } from '../../testing/fixture.ts'
import { allowLoopback, Listener } from '../../testing/listener.ts'
import { type AppServer, path } from '../../testing/test-user.ts'

const listener = new Listener()

const callback = (fields: object = {}) => ({
  hook_type: 'pending_message',
  webhook_url: `${listener.url}/pending?of=parley`,
  callback: { mode: 'CALLBACK_MODE_REST' },
  ...fields,
})
const listens = (appServer: AppServer, ...event_hooks: object[]) =>
  appServer.does('PATCH', '/app', { body: { event_hooks } })
const holds = (appServer: AppServer, room: string, id: string) =>
  appServer.does('POST', `${path(room)}/message`, {
    body: { message: { id, text: 'wait', user_id: 'ada' }, pending: true, pending_message_metadata: { n: '1' } },
  })
const calledAt = (url: string) => listener.calls.filter((told) => told.url === url)

onEveryStorage((fixture) => {
  /** Calls in progress have their own timeout, which must not expire. */
  const nothingWaits = () =>
    eventually(async () => {
      const { read } = fixture.nodes[0]!.server.database
      return (await read.selectFrom('tasks').select('id').where('status', '<>', 'completed').execute()).length === 0
    }, 'nothing is left to be told')

  it('the app’s server is called for a pending message, and for a deleted one', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    await listens(appServer, callback())
    await holds(appServer, room, `a-${room}`)
    const { url, event, headers, raw } = await listener.asked(1)
    assert.equal(url, '/pending/PassOnPendingMessage?of=parley')
    assert.deepEqual([event.message.text, event.metadata, event.request_info.type], ['wait', { n: '1' }, 'server'])
    assert.deepEqual(Object.keys(event).sort(), ['message', 'metadata', 'request_info'])
    assert.equal(headers['x-signature'], createHmac('sha256', appServer.app.secret).update(raw).digest('hex'))

    await appServer.does('DELETE', `/messages/a-${room}`, { query: { hard: 'true' } })
    const gone = await listener.asked(2)
    assert.equal(gone.url, '/pending/DeletedPendingMessage?of=parley')
    assert.deepEqual([gone.event.message.id, gone.event.metadata], [`a-${room}`, { n: '1' }])

    await holds(appServer, room, `b-${room}`)
    await listener.asked(3)
    await appServer.does('POST', `/messages/b-${room}/commit`)
    await ada.sends(room, 'hello')
    assert.equal(listener.calls.length, 3, 'of what is posted a hook like this is not told')
  })

  it('the longest timeout of all hooks limits a pending message, and a failed call is retried', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const minutes = (count: number) => ({ timeout_ms: count * 60_000, callback: { mode: 'CALLBACK_MODE_NONE' } })
    await listens(appServer, callback(minutes(30)), callback({ timeout_ms: 3_600_000 }))
    listener.answers = ({ headers }) => (headers['x-webhook-attempt'] === '1' ? 503 : 200)
    await holds(appServer, room, `a-${room}`)
    await eventually(async () => {
      // In steps: a call in progress has its own timeout.
      fixture.clock.advance(50)
      await new Promise((resolve) => setTimeout(resolve, 5))
      return listener.calls.length > 1
    }, 'it was called again')
    const [first, again] = listener.calls.map(({ headers }) => headers['x-webhook-id'])
    assert.equal(again, first)
    listener.answers = () => 200
    await nothingWaits()

    fixture.clock.advance(1_900_000)
    assert.equal((await appServer.does('GET', `/messages/a-${room}`)).message.text, 'wait')
    fixture.clock.advance(1_800_000)
    await eventually(() => calledAt('/pending/DeletedPendingMessage?of=parley').length === 1, 'it was dropped')
    await appServer.isRefused(16, 'GET', `/messages/a-${room}`)
  })

  it('the legacy form works, and invalid values are refused', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const legacy = {
      timeout_ms: 60_000,
      callback: { mode: 'CALLBACK_MODE_REST', server_url: `${listener.url}/older/` },
    }
    await appServer.does('PATCH', '/app', { body: { async_moderation_config: legacy } })
    assert.deepEqual((await appServer.does('GET', '/app')).app.async_moderation_config, legacy)
    await holds(appServer, room, `a-${room}`)
    assert.equal((await listener.asked(1)).url, '/older/PassOnPendingMessage')
    await nothingWaits()
    fixture.clock.advance(61_000)
    assert.equal((await listener.asked(2)).url, '/older/DeletedPendingMessage')

    const refused = (...event_hooks: object[]) => appServer.isRefused(4, 'PATCH', '/app', { body: { event_hooks } })
    await refused(callback({ webhook_url: undefined }))
    await refused(callback({ webhook_url: 'ftp://example.com' }))
    await refused(callback(), callback(), callback())
    await refused(callback({ timeout_ms: 0 }))
    await refused(callback({ timeout_ms: 31 * 86_400_000 }))
    await refused(callback({ callback: { mode: 'CALLBACK_MODE_PIGEON' } }))
    const wrong = { callback: { mode: 'CALLBACK_MODE_REST', server_url: 'nowhere' } }
    await appServer.isRefused(4, 'PATCH', '/app', { body: { async_moderation_config: wrong } })
    await listens(appServer, callback({ webhook_url: undefined, callback: { mode: 'CALLBACK_MODE_NONE' } }))
  })
}, allowLoopback)
