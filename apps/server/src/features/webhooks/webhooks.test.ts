import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { it, onTestFinished } from 'vitest'
import { startServer } from '../../app.ts'
import { foundApp } from '../../chat/apps/found-app.ts'
import { readSettings } from '../../platform/settings.ts'
import { eventually } from '../../testing/eventually.ts'
import { everythingIsDelivered } from '../../testing/everything-is-delivered.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { type Fixture, onEveryStorage, onEveryTransport } from '../../testing/fixture.ts'
import { allowLoopback as allowed, Listener } from '../../testing/listener.ts'
import { AppServer, path } from '../../testing/test-user.ts'

const listener = new Listener()

const sets = (appServer: AppServer, body: object) => appServer.does('PATCH', '/app', { body })
const webhook = (fields: object = {}) => ({ hook_type: 'webhook', webhook_url: `${listener.url}/all`, ...fields })
const listens = (appServer: AppServer, fields: object = {}) => sets(appServer, { event_hooks: [webhook(fields)] })
const webhooksOf = async (appServer: AppServer) => (await appServer.does('GET', '/app')).app.event_hooks

const waiting = ({ nodes }: Fixture) =>
  nodes[0]!.server.database.read.selectFrom('tasks').select('input_json').where('status', '<>', 'completed').execute()

onEveryTransport((fixture) => {
  it('deliveries enqueued by an earlier version are sent', async () => {
    const { appServer } = await fixture.createApp()
    await listens(appServer)
    const [{ id: hook }] = await webhooksOf(appServer)
    const { commit, tasks } = fixture.nodes[0]!.server
    const body = JSON.stringify({ type: 'user.updated', created_at: '2026-01-05T12:00:00Z', user: { id: 'ada' } })
    const input = { hook, deliveries: [{ id: randomUUID(), body }] }

    await commit.write(appServer.app.id, [], (batch) => tasks.begin(batch, appServer.app.id, 'tell_hook', input))

    const { event } = await listener.asked(1)
    assert.deepEqual([event.type, event.user.id], ['user.updated', 'ada'])
  })

  it('a webhook receives events with a valid signature', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await listens(appServer, { event_types: ['message.new'] })
    await bo.connects()

    await ada.does('POST', `${path(room)}/message`, {
      body: { message: { text: 'hello', mood: 'merry' } },
      headers: { 'X-Stream-Client': 'stories-1', 'User-Agent': 'a story', 'X-Forwarded-For': '203.0.113.7' },
    })

    const { event, headers, raw } = await listener.receives('message.new')
    assert.deepEqual([event.cid, event.message.text, event.message.mood], [room, 'hello', 'merry'])
    const { key, secret } = appServer.app
    assert.equal(headers['x-api-key'], key)
    assert.equal(headers['x-signature'], createHmac('sha256', secret).update(raw).digest('hex'))
    assert.equal(headers['x-webhook-attempt'], '1')
    assert.match(String(headers['x-webhook-id']), /^[0-9a-f-]{36}$/)
    assert.deepEqual(event.request_info, {
      type: 'client',
      ip: '203.0.113.7',
      user_agent: 'a story',
      sdk: 'stories-1',
    })

    const members = Object.fromEntries(event.members.map((member: { user_id: string }) => [member.user_id, member]))
    assert.deepEqual(Object.keys(members).sort(), ['ada', 'bo'])
    assert.deepEqual(
      ['ada', 'bo'].map((id) => [members[id].user.online, members[id].user.channel_unread_count]),
      [
        [false, 0],
        [true, 1],
      ],
    )
    const { total_unread_count, unread_count, unread_channels, unread_threads } = members.bo.user
    assert.deepEqual([total_unread_count, unread_count, unread_channels, unread_threads], [1, 1, 1, 0])
    assert.equal(event.user.total_unread_count, 0)
  })

  it('[POL-30] an anonymous vote is delivered once, without its voter', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const { poll } = await ada.does('POST', '/polls', {
      body: { name: 'Lunch?', options: [{ text: 'Pho' }], voting_visibility: 'anonymous' },
    })
    const { id } = await ada.sends(room, '', { poll_id: poll.id })
    await listens(appServer, { event_types: ['poll.vote_casted', 'poll.vote_removed'] })
    const at = `/messages/${id}/polls/${poll.id}/vote`
    const { vote } = await bo.does('POST', at, { body: { vote: { option_id: poll.options[0].id } } })
    await bo.does('DELETE', `${at}/${vote.id}`)

    // Each is delivered on its own, so either may come first.
    await everythingIsDelivered(fixture)
    const told = listener.calls.map(({ event }) => [event.type, event.poll_vote.id, event.poll_vote.user_id])
    assert.deepEqual(
      told.sort(([a], [b]) => a.localeCompare(b, 'en')),
      [
        ['poll.vote_casted', vote.id, undefined],
        ['poll.vote_removed', vote.id, undefined],
      ],
    )
  })

  it('a webhook receives the events it lists, all other webhooks all events, and a disabled one none', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await sets(appServer, {
      event_hooks: [
        webhook({ webhook_url: `${listener.url}/reactions`, event_types: ['reaction.new'] }),
        webhook(),
        webhook({ webhook_url: `${listener.url}/off`, enabled: false }),
        webhook({ webhook_url: `${listener.url}/moderation`, product: 'moderation' }),
      ],
    })
    const { id } = await ada.sends(room, 'hello')
    await bo.does('POST', `/messages/${id}/reaction`, { body: { reaction: { type: 'like' } } })
    await bo.reads(room)
    await bo.does('POST', `${path(room)}/event`, { body: { event: { type: 'typing.start' } } })
    await bo.does('POST', `${path(room)}/event`, { body: { event: { type: 'dance', steps: 2 } } })
    await appServer.does('PATCH', '/users', { body: { users: [{ id: 'bo', set: { name: 'Bob' } }] } })
    await ada.does('DELETE', `/messages/${id}`)

    // In any order.
    for (const type of ['message.new', 'message.read', 'message.deleted', 'user.updated']) await listener.receives(type)
    await listener.receives('reaction.new', 2)
    assert.equal((await listener.receives('dance')).event.steps, 2)
    const typesAt = (url: string) => [
      ...new Set(listener.calls.filter((one) => one.url === url).map((one) => one.event.type)),
    ]
    assert.deepEqual(typesAt('/reactions'), ['reaction.new'])
    assert.deepEqual(typesAt('/all').sort(), [
      'dance',
      'message.deleted',
      'message.new',
      'message.read',
      'reaction.new',
      'user.updated',
    ])
    assert.deepEqual([typesAt('/off'), typesAt('/moderation')], [[], []])
  })

  it('a custom event is delivered as sent, and its fields do not decide who owns the channel', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await listens(appServer)
    const fields = [{ message: null }, { message: { id: 1 } }, { channel: { created_by: { id: 'bo' } } }]
    for (const [step, field] of fields.entries()) {
      const event = { type: 'dance', step, ...field }
      await bo.does('POST', `${path(room)}/event`, { body: { event } })
      const told = (await listener.receives('dance', step + 1)).event
      const roleOf = (id: string) => told.members.find((one: { user_id: string }) => one.user_id === id).role
      assert.deepEqual([roleOf('bo'), told.step, told.message], ['member', step, event.message])
    }
  })
}, allowed)

onEveryStorage((fixture) => {
  const nothingWaits = () => everythingIsDelivered(fixture)

  it('a failed delivery is retried under the same id, as often as the kind of failure allows', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const attemptsOf = async (text: string, answers: Listener['answers'], attempts: number) => {
      listener.calls = []
      listener.answers = answers
      await listens(appServer, { event_types: ['message.new'] })
      await ada.sends(room, text)
      for (let attempt = 1; attempt <= attempts; attempt++) {
        await listener.receives('message.new', attempt)
        // No more than the longest pause: a task that saves nothing for a minute counts as lost.
        if (attempt < attempts) for (let ms = 0; ms < 2_000; ms += 100) await passes(100)
      }
      await nothingWaits()
      assert.deepEqual(
        listener.calls.map(({ headers }) => headers['x-webhook-attempt']),
        Array.from({ length: attempts }, (_, i) => String(i + 1)),
        text,
      )
      assert.equal(new Set(listener.calls.map(({ headers }) => headers['x-webhook-id'])).size, 1)
    }
    const passes = (ms: number) => {
      fixture.clock.advance(ms)
      return new Promise((resolve) => setImmediate(resolve))
    }
    await attemptsOf('fails always', () => 503, 3)
    await attemptsOf('works in the end', ({ headers }) => (headers['x-webhook-attempt'] === '3' ? 200 : 500), 3)
    await attemptsOf('too many', () => 429, 3)
    await attemptsOf('breaks', () => 'broken', 2)
    await attemptsOf('is refused', () => 404, 1)
    await attemptsOf('works', () => 204, 1)
  })

  it('sending a message waits for no webhook, and a webhook that does not respond is skipped in the end', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    listener.answers = () => 'nothing'
    await listens(appServer, { event_types: ['message.new'] })
    await ada.sends(room, 'is anybody there?')
    await listener.receives('message.new')
    fixture.clock.advance(6_000)
    await eventually(async () => {
      fixture.clock.advance(500)
      return listener.of('message.new').length > 1
    }, 'another try after six seconds of silence')
    assert.equal(listener.calls[1]!.headers['x-webhook-attempt'], '2')
    fixture.clock.advance(10_000)
    await nothingWaits()
    assert.equal(listener.calls.length, 2, 'fifteen seconds are over')
  })

  it('a webhook that refuses unknown events still receives all others', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    await listens(appServer)
    listener.answers = ({ event }) => (event.type === 'user.updated' ? 404 : 200)
    for (let i = 1; i <= 12; i++) {
      await appServer.does('PATCH', '/users', { body: { users: [{ id: 'ada', set: { name: `Ada ${i}` } }] } })
      await listener.receives('user.updated', i)
    }
    await ada.sends(room, 'hello')
    await listener.receives('message.new')
  })

  it('a slow webhook delays no other webhook and no other app', async () => {
    const [{ ada, appServer }, { cy, appServer: neighbour }] = [
      await fixture.createApp('ada'),
      await fixture.createApp('cy'),
    ]
    const [room, elsewhere] = [await appServer.opens([ada]), await neighbour.opens([cy])]
    const told = { event_types: ['message.new'] }
    const slow = ['/slow', '/slower', '/slowest'].map((url) => webhook({ ...told, webhook_url: listener.url + url }))
    await sets(appServer, { event_hooks: [...slow, webhook(told)] })
    await listens(neighbour, told)
    const held: (() => void)[] = []
    listener.answers = ({ url }) =>
      url.startsWith('/slow') ? (response) => held.push(() => response.writeHead(200).end()) : 200
    for (let i = 0; i < 40; i++) await ada.sends(room, `${i}`)
    await cy.sends(elsewhere, 'and we?')
    const toldAll = () => listener.calls.filter(({ url }) => url === '/all').length === 41
    await eventually(toldAll, 'those who answer are told all')
    listener.answers = () => 200
    for (const answer of held) answer()
    await nothingWaits()
  })

  it('a delivery is stored with its event, and sent once a worker runs', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const { server } = fixture.nodes[0]!
    await listens(appServer, { event_types: ['message.new'] })
    const { look } = server.tasks
    server.tasks.look = () => {}
    await ada.sends(room, 'before the end')
    const rows = await waiting(fixture)
    assert.deepEqual([rows.length, listener.calls.length], [1, 0])
    server.tasks.look = look
    server.tasks.look()
    const { headers, event } = await listener.receives('message.new')
    assert.equal(event.message.text, 'before the end')
    assert.equal(headers['x-webhook-id'], JSON.parse(rows[0]!.input_json).deliveries[0].id)
    await nothingWaits()
    const left = await server.database.read.selectFrom('tasks').select('id').execute()
    assert.deepEqual(left, [])
  })

  it('redirects are not followed, and an endless response is read to a limit only', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    await listens(appServer, { event_types: ['message.new'] })
    listener.answers = () => (response) => response.writeHead(307, { Location: `${listener.url}/elsewhere` }).end()
    await ada.sends(room, 'go elsewhere')
    await nothingWaits()
    assert.deepEqual(
      listener.calls.map(({ url }) => url),
      ['/all'],
    )
    let isCut = false
    listener.answers = () => (response) => {
      const more = () => {
        while (response.write('x'.repeat(65_536)));
      }
      response.on('drain', more)
      response.on('close', () => {
        isCut = true
      })
      more()
    }
    await ada.sends(room, 'tell me everything')
    await nothingWaits()
    assert.equal(listener.calls.length, 2, 'it was told, and is not told again')
    await eventually(() => isCut, 'nobody listens to the rest')
  })

  it('members who muted notifications are marked, whatever the way', async () => {
    const { ada, bo, cy, dee, eve, appServer } = await fixture.createApp('ada', 'bo', 'cy', 'dee', 'eve')
    const room = await appServer.opens([ada, bo, cy, dee, eve])
    await bo.does('POST', '/moderation/mute/channel', { body: { channel_cid: room } })
    await cy.does('POST', '/moderation/mute', { body: { target_id: 'ada' } })
    const prefers = (preference: object) => ({ body: { preferences: [preference] } })
    await dee.does('POST', '/push_preferences', prefers({ chat_level: 'mentions' }))
    await eve.does('POST', '/push_preferences', prefers({ channel_cid: room, disabled_until: '2199-01-01T00:00:00Z' }))
    await listens(appServer, { event_types: ['message.new'] })
    const quiet = async (text: string, fields = {}) => {
      listener.calls = []
      await ada.sends(room, text, fields)
      const { event } = await listener.receives('message.new')
      const members = event.members as { user_id: string; notifications_muted: boolean }[]
      return members.filter((member) => member.notifications_muted).map((member) => member.user_id)
    }
    assert.deepEqual(await quiet('hello'), ['bo', 'cy', 'dee', 'eve'])
    assert.deepEqual(await quiet('hello @Dee', { mentioned_users: ['dee'] }), ['bo', 'cy', 'eve'])
    await dee.does('POST', '/push_preferences', prefers({ channel_cid: room, chat_level: 'all' }))
    assert.deepEqual(await quiet('hello again'), ['bo', 'cy', 'eve'])
  })

  it('a message that only its author sees is marked', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await appServer.does('POST', '/moderation/ban', {
      body: { target_user_id: 'ada', shadow: true, banned_by_id: 'bo' },
    })
    await listens(appServer, { event_types: ['message.new'] })
    assert.equal((await ada.sends(room, 'can you hear me?')).shadowed, false)
    assert.equal((await listener.receives('message.new')).event.message.shadowed, true)
    await bo.sends(room, 'is anybody there?')
    assert.equal((await listener.receives('message.new', 2)).event.message.shadowed, false)
  })

  it('a message to very many recipients lists fifty of them', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const ids = Array.from({ length: 80 }, (_, i) => `guest-${i}`)
    await appServer.createUsers(...ids)
    const small = await appServer.opens([ada, bo])
    const large = await appServer.opens([ada, bo, ...ids.map((id) => appServer.user(id))])
    await listens(appServer, { event_types: ['message.new'] })
    await ada.sends(small, 'to a few')
    assert.equal((await listener.receives('message.new')).event.members.length, 2)
    await ada.sends(large, 'to all')
    assert.equal((await listener.receives('message.new', 2)).event.members.length, 50)
  })

  it('bodies are compressed where the app enables it, and signed as before', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    await listens(appServer, { event_types: ['message.new'] })
    await sets(appServer, { enable_hook_payload_compression: true })
    await ada.sends(room, 'x'.repeat(1_000))
    const { raw, headers } = await listener.receives('message.new')
    assert.equal(headers['content-encoding'], 'gzip')
    const signature = createHmac('sha256', appServer.app.secret).update(gunzipSync(raw)).digest('hex')
    assert.equal(headers['x-signature'], signature)
  })

  it('webhooks are replaced as a whole, keep their creation time, and show no secret', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const queue = {
      hook_type: 'sqs',
      sqs_queue_url: 'https://sqs.example/q',
      sqs_key: 'k'.repeat(20),
      sqs_secret: 's3cr3t-s3cr3t-abcd',
    }
    await sets(appServer, { event_hooks: [webhook({ event_types: null }), queue] })
    const [first, second] = await webhooksOf(appServer)
    assert.deepEqual([first.enabled, first.event_types, second.sqs_secret], [true, [], '*****abcd'])
    fixture.clock.advance(1_000)
    await sets(appServer, { event_hooks: [{ ...first, enabled: false }, second] })
    const [again, same] = await webhooksOf(appServer)
    assert.deepEqual(
      [again.id, again.created_at, again.enabled, same.sqs_secret],
      [first.id, first.created_at, false, '*****abcd'],
    )
    assert.notEqual(again.updated_at, first.updated_at)
    const { stored } = fixture.nodes[0]!.server.apps.of(appServer.app.id)
    assert.equal(stored.event_hooks?.[1]?.sqs_secret, queue.sqs_secret, 'what was shown and sent back changes nothing')
    await sets(appServer, { sqs_secret: 'pst-wxyz' })
    await sets(appServer, { sqs_secret: '*****wxyz' })
    assert.equal((await appServer.does('GET', '/app')).app.sqs_secret, '*****wxyz')
    await sets(appServer, { sqs_secret: 'pstwxyz' })
    assert.equal((await appServer.does('GET', '/app')).app.sqs_secret, '*****', 'half of it would be shown')

    const refused = (webhook: object) => appServer.isRefused(4, 'PATCH', '/app', { body: { event_hooks: [webhook] } })
    await refused({ hook_type: 'webhook' })
    await refused(webhook({ webhook_url: 'ftp://example.com/' }))
    await refused(webhook({ event_types: ['message.neww'] }))
    await refused({ hook_type: 'pigeon' })
    const twin = { id: 'one', hook_type: 'webhook', webhook_url: 'https://example.com/hook' }
    for (const event_hooks of [
      [twin, { ...twin, webhook_url: 'https://example.org/hook' }],
      [{ ...twin, id: 'webhook_url' }],
    ])
      await appServer.isRefused(4, 'PATCH', '/app', { body: { event_hooks } })
    await appServer.isRefused(4, 'PATCH', '/app', { body: { webhook_url: 'nowhere' } })
    await ada.isRefused(17, 'PATCH', '/app', { body: { event_hooks: [] } })
    assert.equal((await ada.does('GET', '/app')).app.event_hooks, undefined)

    await sets(appServer, { event_hooks: [], webhook_url: `${listener.url}/legacy`, webhook_events: ['message.new'] })
    assert.deepEqual(await webhooksOf(appServer), [])
    const room = await appServer.opens([ada])
    await ada.sends(room, 'in the older form')
    assert.equal((await listener.receives('message.new')).url, '/legacy')
    assert.deepEqual([...new Set(listener.calls.map(({ event }) => event.type))], ['message.new'])
  })
}, allowed)

onEveryStorage((fixture) => {
  it('a webhook calls no private address, and messages still go through', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    await listens(appServer)
    await ada.sends(room, 'hello')
    await everythingIsDelivered(fixture)
    assert.deepEqual(listener.calls, [])
  })
})

it('unfinished deliveries are sent again after a restart, under the same id', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'hooks-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  const clock = new FakeClock()
  const database = `sqlite:${join(dir, 'chat.sqlite')}`
  const settings = readSettings({ PORT: '0', LOG_LEVEL: 'error', DATABASE_URL: database, ...allowed })
  const before = await startServer(settings, clock)
  const app = await foundApp(before.server.database, { key: 'key', secret: 'a secret of the story' }, 0)
  const appServer = new AppServer(before.url, app, clock)
  await appServer.createUsers('ada')
  const ada = appServer.user('ada')
  const room = await appServer.opens([ada])
  await listens(appServer, { event_types: ['message.new'] })
  listener.answers = () => 'nothing'
  await ada.sends(room, 'can you hear me?')
  const { headers } = await listener.receives('message.new')
  await before.stop()

  listener.answers = () => 200
  const after = await startServer(settings, clock)
  onTestFinished(() => after.stop())
  const again = await listener.receives('message.new', 2)
  assert.equal(again.headers['x-webhook-id'], headers['x-webhook-id'])
  assert.equal(again.event.message.text, 'can you hear me?')
})

onEveryStorage((fixture) => {
  it('a failing webhook is logged once, and once more on recovery', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const { log } = fixture.nodes[0]!.server
    const lines: string[] = []
    const { warn, info } = log
    log.warn = ((_fields: object, message: string) => void lines.push(message)) as typeof log.warn
    log.info = ((_fields: object, message: string) => void lines.push(message)) as typeof log.info
    onTestFinished(() => void Object.assign(log, { warn, info }))
    // A refused delivery is not retried.
    await listens(appServer, { event_types: ['message.new'] })
    listener.answers = () => 400
    for (const text of ['One', 'Two', 'Three']) await ada.sends(room, text)
    await everythingIsDelivered(fixture)
    assert.deepEqual(lines, ['a hook was not told; it is said again when that is over'])

    listener.answers = () => 200
    for (const text of ['Four', 'Five']) await ada.sends(room, text)
    await everythingIsDelivered(fixture)
    assert.deepEqual(lines.slice(1), ['a hook is told again'])
  })
}, allowed)
