import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { it } from 'vitest'
import { eventually } from '../testing/eventually.ts'
import { Listener, outside } from '../testing/listener.ts'
import { type AppServer, path } from '../testing/person.ts'
import { onEveryStorage } from '../testing/stage.ts'

const listener = new Listener()

const callback = (fields: object = {}) => ({
  hook_type: 'pending_message',
  webhook_url: `${listener.url}/pending?of=parley`,
  callback: { mode: 'CALLBACK_MODE_REST' },
  ...fields,
})
const listens = (company: AppServer, ...event_hooks: object[]) =>
  company.does('PATCH', '/app', { body: { event_hooks } })
const holds = (company: AppServer, room: string, id: string) =>
  company.does('POST', `${path(room)}/message`, {
    body: { message: { id, text: 'wait', user_id: 'ada' }, pending: true, pending_message_metadata: { n: '1' } },
  })
const calledAt = (url: string) => listener.told.filter((told) => told.url === url)

onEveryStorage((stage) => {
  /** Calls under way have their own time, which must not run out. */
  const nothingWaits = () =>
    eventually(async () => {
      const { read } = stage.nodes[0]!.server.database
      return (await read.selectFrom('tasks').select('id').where('status', '<>', 'completed').execute()).length === 0
    }, 'nothing is left to be told')

  it('the app’s own server is called about a message that waits, and about one that is dropped', async () => {
    const { ada, company } = await stage.company('ada')
    const room = await company.opens([ada])
    await listens(company, callback())
    await holds(company, room, `a-${room}`)
    const { url, event, headers, raw } = await listener.asked(1)
    assert.equal(url, '/pending/PassOnPendingMessage?of=parley')
    assert.deepEqual([event.message.text, event.metadata, event.request_info.type], ['wait', { n: '1' }, 'server'])
    assert.deepEqual(Object.keys(event).sort(), ['message', 'metadata', 'request_info'])
    assert.equal(headers['x-signature'], createHmac('sha256', company.app.secret).update(raw).digest('hex'))

    await company.does('DELETE', `/messages/a-${room}`, { query: { hard: 'true' } })
    const gone = await listener.asked(2)
    assert.equal(gone.url, '/pending/DeletedPendingMessage?of=parley')
    assert.deepEqual([gone.event.message.id, gone.event.metadata], [`a-${room}`, { n: '1' }])

    await holds(company, room, `b-${room}`)
    await listener.asked(3)
    await company.does('POST', `/messages/b-${room}/commit`)
    await ada.says(room, 'hello')
    assert.equal(listener.told.length, 3, 'of what is posted a hook like this is not told')
  })

  it('the longest time any hook gives is how long a message waits, and who fails is called again', async () => {
    const { ada, company } = await stage.company('ada')
    const room = await company.opens([ada])
    const minutes = (count: number) => ({ timeout_ms: count * 60_000, callback: { mode: 'CALLBACK_MODE_NONE' } })
    await listens(company, callback(minutes(30)), callback({ timeout_ms: 3_600_000 }))
    listener.answers = ({ headers }) => (headers['x-webhook-attempt'] === '1' ? 503 : 200)
    await holds(company, room, `a-${room}`)
    await eventually(async () => {
      // Slowly: a call that is under way has its own time.
      stage.clock.advance(50)
      await new Promise((resolve) => setTimeout(resolve, 5))
      return listener.told.length > 1
    }, 'it was called again')
    const [first, again] = listener.told.map(({ headers }) => headers['x-webhook-id'])
    assert.equal(again, first)
    listener.answers = () => 200
    await nothingWaits()

    stage.clock.advance(1_900_000)
    assert.equal((await company.does('GET', `/messages/a-${room}`)).message.text, 'wait')
    stage.clock.advance(1_800_000)
    await eventually(() => calledAt('/pending/DeletedPendingMessage?of=parley').length === 1, 'it was dropped')
    await company.isRefused(16, 'GET', `/messages/a-${room}`)
  })

  it('the older form of it works, and what makes no sense is refused', async () => {
    const { ada, company } = await stage.company('ada')
    const room = await company.opens([ada])
    const legacy = {
      timeout_ms: 60_000,
      callback: { mode: 'CALLBACK_MODE_REST', server_url: `${listener.url}/older/` },
    }
    await company.does('PATCH', '/app', { body: { async_moderation_config: legacy } })
    assert.deepEqual((await company.does('GET', '/app')).app.async_moderation_config, legacy)
    await holds(company, room, `a-${room}`)
    assert.equal((await listener.asked(1)).url, '/older/PassOnPendingMessage')
    await nothingWaits()
    stage.clock.advance(61_000)
    assert.equal((await listener.asked(2)).url, '/older/DeletedPendingMessage')

    const refused = (...event_hooks: object[]) => company.isRefused(4, 'PATCH', '/app', { body: { event_hooks } })
    await refused(callback({ webhook_url: undefined }))
    await refused(callback({ webhook_url: 'ftp://example.com' }))
    await refused(callback(), callback(), callback())
    await refused(callback({ timeout_ms: 0 }))
    await refused(callback({ timeout_ms: 31 * 86_400_000 }))
    await refused(callback({ callback: { mode: 'CALLBACK_MODE_PIGEON' } }))
    const wrong = { callback: { mode: 'CALLBACK_MODE_REST', server_url: 'nowhere' } }
    await company.isRefused(4, 'PATCH', '/app', { body: { async_moderation_config: wrong } })
    await listens(company, callback({ webhook_url: undefined, callback: { mode: 'CALLBACK_MODE_NONE' } }))
  })
}, outside)
