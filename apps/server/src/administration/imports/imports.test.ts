import assert from 'node:assert/strict'
import { request } from 'node:http'
import { IMPORT_BYTES } from '@parley/protocol/limits'
import { it } from 'vitest'
import { onEveryStorage, onEveryTransport } from '../../testing/fixture.ts'
import { path, type ReceivedEvent, type TestUser } from '../../testing/test-user.ts'
import { fileOf, imports, type Line, over, until, uploads } from './testing/importing.ts'

const day = (n: number, time = '12:00:00') => `2020-03-${String(n).padStart(2, '0')}T${time}Z`

const people: Line[] = [
  ['user', { id: 'dan', name: 'Dan', created_at: day(1), mood: 'calm' }],
  ['user', { id: 'eva', name: 'Eva', role: 'user', language: 'fr', created_at: day(1) }],
]
const tea = { channel_type: 'messaging', channel_id: 'tea' }
const aChannel: Line[] = [
  ['channel', { type: 'messaging', id: 'tea', created_by: 'dan', name: 'Tea', colour: 'green', created_at: day(2) }],
  ['member', { ...tea, user_id: 'dan', channel_role: 'channel_moderator', created_at: day(2) }],
  ['member', { ...tea, user_id: 'eva', created_at: day(2), last_read: day(3, '12:00:01') }],
]
const said = (id: string, user: string, text: string, at: string, more: object = {}): Line => [
  'message',
  { id, type: 'regular', user, ...tea, text, created_at: at, ...more },
]

onEveryTransport((fixture) => {
  it('an import publishes no events; connected users count from there and get later events', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const desk = ada.device(fixture.nodes.at(-1)!.url)
    await ada.connects()
    await desk.connects()
    await imports(appServer, [
      ['channel', { type: 'messaging', id: 'tea', created_by: 'bo' }],
      ['member', { ...tea, user_id: 'ada', last_read: day(3) }],
      ['member', { ...tea, user_id: 'bo' }],
      said('m1', 'bo', 'one', day(4)),
      said('m2', 'bo', 'two', day(5)),
    ])
    const heard = (await ada.receivedTypes()).filter((type) => type !== 'user.presence.changed')
    assert.deepEqual(heard, [])
    await bo.sends('messaging:tea', 'three')
    for (const device of [ada, desk])
      assert.equal((await device.receives('notification.message_new')).total_unread_count, 3)
  })

  it('connected users muted by an import recount, and users it deactivates are disconnected', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const [loud, calm] = [await appServer.opens([ada, bo, cy]), await appServer.opens([ada, bo])]
    await ada.connects()
    await bo.connects()
    await imports(appServer, [['user', { id: 'ada', user_mutes: ['cy'], channel_mutes: [calm] }]])
    await cy.sends(loud, 'Nobody counts me')
    await bo.sends(calm, 'Nor me')
    await bo.sends(loud, 'But me')
    const event = await ada.receives('notification.message_new', ({ message }) => message.text === 'But me')
    assert.equal(event.total_unread_count, 1)

    await imports(appServer, [['user', { id: 'bo', deactivated_at: day(6) }]])
    await bo.ends()
    await imports(appServer, [['user', { id: 'ada', deleted_at: day(6) }]])
    await ada.ends()
  })
})

onEveryStorage((fixture) => {
  it('[READ-24] messages from before a member joined are not unread', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await imports(appServer, [
      ['channel', { type: 'messaging', id: 'tea', created_by: 'bo', created_at: day(1) }],
      ['member', { ...tea, user_id: 'ada', created_at: day(4), last_read: day(2) }],
      ['member', { ...tea, user_id: 'bo', created_at: day(1), last_read: day(2) }],
      said('m1', 'bo', 'one', day(3)),
      said('m2', 'bo', 'two', day(5)),
      said('m3', 'ada', 'three', day(6)),
    ])
    // Of bo’s messages only the second, sent after she joined.
    assert.deepEqual([await ada.unread('messaging:tea'), await bo.unread('messaging:tea')], [1, 1])
    await imports(appServer, [said('m4', 'bo', 'later found', day(3, '13:00:00'))])
    await bo.sends('messaging:tea', 'four')
    assert.equal(await ada.unread('messaging:tea'), 2)
  })

  it('[IMP-4] [IMP-5] users, channels, members, messages and reactions are imported with their ids and times', async () => {
    const { appServer } = await fixture.createApp()
    const task = await imports(appServer, [
      ...people,
      ...aChannel,
      said('m1', 'dan', 'Good morning', day(3), { topic: 'greeting', mentioned_users_ids: ['eva'] }),
      said('m2', 'eva', 'Morning!', day(3, '12:00:01'), { quoted_message_id: 'm1' }),
      said('m3', 'dan', 'Tea is ready', day(4)),
      said('m4', 'dan', 'Or not', day(5), { type: 'deleted', deleted_at: day(6) }),
      ['reaction', { message_id: 'm1', type: 'love', user_id: 'eva', created_at: day(4), why: 'nice' }],
    ])
    const count = { users: 2, channels: 1, members: 2, messages: 4, reactions: 1, devices: 0 }
    assert.deepEqual(task.result?.stats, { total: count })
    assert.deepEqual(
      task.history.map(({ prev_state, next_state }) => [prev_state, next_state]),
      [
        ['uploaded', 'analyzing'],
        ['analyzing', 'importing'],
        ['importing', 'completed'],
      ],
    )
    const eva = appServer.user('eva')
    const state = await eva.does('POST', `${path('messaging:tea')}/query`, { body: { state: true } })
    assert.deepEqual([state.channel.name, state.channel.colour, state.channel.created_at], ['Tea', 'green', day(2)])
    assert.deepEqual([state.channel.last_message_at, state.channel.member_count], [day(5), 2])
    assert.deepEqual(
      state.messages.map(({ id, type, created_at }: ReceivedEvent) => [id, type, created_at]),
      [
        ['m1', 'regular', day(3)],
        ['m2', 'regular', day(3, '12:00:01')],
        ['m3', 'regular', day(4)],
        ['m4', 'deleted', day(5)],
      ],
    )
    const [first, second] = state.messages
    assert.deepEqual([first.topic, first.mentioned_users[0].name], ['greeting', 'Eva'])
    assert.deepEqual([first.reaction_counts, first.latest_reactions[0].why], [{ love: 1 }, 'nice'])
    assert.equal(second.quoted_message.id, 'm1')
    assert.deepEqual(
      state.members.map(({ user_id, channel_role, created_at }: ReceivedEvent) => [user_id, channel_role, created_at]),
      [
        ['dan', 'channel_moderator', day(2)],
        ['eva', 'channel_member', day(2)],
      ],
    )
    const { users } = await appServer.does('GET', '/users', {
      query: { payload: '{"filter_conditions":{"id":"dan"}}' },
    })
    assert.deepEqual([users[0].name, users[0].mood, users[0].created_at], ['Dan', 'calm', day(1)])
    const found = await eva.does('GET', '/search', {
      query: { payload: JSON.stringify({ filter_conditions: { cid: 'messaging:tea' }, query: 'ready' }) },
    })
    assert.equal(found.results[0].message.id, 'm3')
  })

  it('an import gives the same unread counts as sending, and they continue from there', async () => {
    const { appServer } = await fixture.createApp()
    await imports(appServer, [
      ...people,
      ...aChannel,
      said('m1', 'dan', 'one', day(3)),
      said('m2', 'eva', 'two', day(3, '12:00:01')),
      // In any order: two and a half are unread, of which one is her own and one is deleted.
      said('m6', 'dan', 'gone', day(6), { type: 'deleted', deleted_at: day(7) }),
      said('m5', 'eva', 'own', day(5)),
      said('m4', 'dan', 'four', day(4, '13:00:00')),
      said('m3', 'dan', 'three', day(4)),
    ])
    const [dan, eva] = [appServer.user('dan'), appServer.user('eva')]
    const unread = async (who: TestUser) => (await who.does('GET', '/unread')).total_unread_count
    assert.deepEqual([await unread(dan), await unread(eva)], [0, 2])
    assert.equal((await eva.connects()).me.total_unread_count, 2)
    await dan.sends('messaging:tea', 'five')
    assert.equal((await eva.receives('notification.message_new')).total_unread_count, 3)
    await appServer.does('DELETE', '/messages/m3')
    assert.equal((await eva.receives('message.deleted')).total_unread_count, 2)
    await appServer.does('POST', '/messages/m6/undelete', { body: { undeleted_by: 'dan' } })
    assert.equal(await unread(eva), 3)
    await eva.does('POST', `${path('messaging:tea')}/unread`, { body: { message_id: 'm2' } })
    assert.equal(await unread(eva), 4 - 1)
    await eva.reads('messaging:tea')
    assert.deepEqual([await unread(eva), await unread(dan)], [0, 0])
  })

  it('threads have their counts and participants; pins, hidden channels and invites are imported', async () => {
    const { appServer } = await fixture.createApp()
    await imports(
      appServer,
      [
        ...people,
        ...[['user', { id: 'fay' }] as Line],
        ...aChannel,
        ['channel', { type: 'messaging', id: 'attic', created_by: 'dan' }] as Line,
        ['member', { ...tea, user_id: 'fay', invited: true, created_at: day(2) }] as Line,
        ['member', { channel_type: 'messaging', channel_id: 'attic', user_id: 'dan', hide_channel: true }] as Line,
        said('r2', 'dan', 'second', day(4), { type: 'reply', parent_id: 'm1' }),
        said('r1', 'eva', 'first', day(3, '13:00:00'), { type: 'reply', parent_id: 'm1', show_in_channel: true }),
        said('r3', 'eva', 'gone', day(5), { type: 'deleted', parent_id: 'm1', deleted_at: day(5, '13:00:00') }),
        said('m1', 'dan', 'What do you think?', day(3), {
          pinned_at: day(4),
          pin_expires: '2999-01-01T00:00:00Z',
          pinned_by_id: 'eva',
        }),
      ].sort(byOrder),
    )
    const dan = appServer.user('dan')
    const state = await dan.opensChannel('messaging:tea')
    assert.deepEqual(
      state.messages.map(({ id }) => id),
      ['m1', 'r1'],
    )
    const [parent] = state.messages
    assert.deepEqual([parent!.reply_count, parent!.deleted_reply_count], [2, 1])
    assert.deepEqual(
      parent!.thread_participants!.map(({ id }) => id),
      ['dan', 'eva'],
    )
    assert.deepEqual([parent!.pinned, state.pinned_messages[0]!.pinned_by!.id], [true, 'eva'])
    const { messages: replies } = await dan.does('GET', '/messages/m1/replies')
    assert.deepEqual(
      replies.map(({ id }: { id: string }) => id),
      ['r1', 'r2', 'r3'],
    )
    const { threads } = await dan.does('POST', '/threads', { body: {} })
    assert.deepEqual([threads[0].parent_message_id, threads[0].reply_count], ['m1', 2])
    assert.equal((await dan.connects()).me.unread_threads, 0)
    const fay = state.members.find(({ user_id }) => user_id === 'fay')
    assert.deepEqual([fay?.invited, fay?.status], [true, 'pending'])
    const query = { filter_conditions: { members: { $in: ['dan'] } } }
    const { channels } = await dan.does('POST', '/channels', { body: query })
    assert.deepEqual(
      channels.map(({ channel }: { channel: { id: string } }) => channel.id),
      ['tea'],
    )
  })

  it('existing objects are changed by `upsert`, merged on request, and left alone by `insert`', async () => {
    const { appServer } = await fixture.createApp()
    await imports(appServer, [...people, ...aChannel, said('m1', 'dan', 'one', day(3), { topic: 'a', mood: 'calm' })])
    const changed: Line[] = [
      ['user', { id: 'dan', name: 'Daniel', tone: 'low' }],
      said('m1', 'dan', 'eins', day(3), { topic: 'b' }),
      said('m2', 'dan', 'zwei', day(4)),
    ]
    const look = async () => {
      const { message } = await appServer.does('GET', '/messages/m1')
      return [message.text, message.topic, message.mood, message.user.name, message.user.mood, message.user.tone]
    }
    await imports(appServer, changed, { mode: 'insert' })
    assert.deepEqual(await look(), ['one', 'a', 'calm', 'Dan', 'calm', undefined])
    assert.equal((await appServer.does('GET', '/messages/m2')).message.text, 'zwei')
    await imports(appServer, changed, { mode: 'upsert', merge_custom: true })
    assert.deepEqual(await look(), ['eins', 'b', 'calm', 'Daniel', 'calm', 'low'])
    await imports(appServer, changed)
    assert.deepEqual(await look(), ['eins', 'b', undefined, 'Daniel', undefined, 'low'])
    const state = await appServer.user('eva').opensChannel('messaging:tea')
    assert.deepEqual([state.messages.length, state.channel.name], [2, 'Tea'])
    const query = JSON.stringify({ filter_conditions: { cid: 'messaging:tea' }, query: 'one' })
    const { results } = await appServer.does('GET', '/search', { query: { payload: query } })
    assert.deepEqual(results, [])
  })

  it('messages with the same timestamp keep their order and can still be paged one by one', async () => {
    const { appServer } = await fixture.createApp()
    const lines = Array.from({ length: 450 }, (_, i) => said(`m${String(i).padStart(3, '0')}`, 'dan', 'hi', day(3)))
    await imports(appServer, [...people, ...aChannel, ...lines])
    const eva = appServer.user('eva')
    const ids: string[] = []
    for (let before: string | undefined; ; ) {
      const messages = { limit: 100, ...(before && { id_lt: before }) }
      const page = (await eva.opensChannel('messaging:tea', { messages })).messages.map(({ id }) => id)
      if (page.length === 0) break
      ids.unshift(...page)
      before = page[0]
    }
    assert.deepEqual(
      ids,
      lines.map(([, data]) => (data as { id: string }).id),
    )
  })

  it('devices, mutes, blocks, preferences and bans are imported', async () => {
    const { appServer } = await fixture.createApp()
    await imports(appServer, [
      ['user', { id: 'dan', blocked_user_ids: ['eva'], user_mutes: ['fay'], channel_mutes: ['messaging:tea'] }],
      ['user', { id: 'eva', push_preferences: { chat_level: 'none' } }],
      ['user', { id: 'fay' }],
      ['device', { id: 'phone', user_id: 'dan', push_provider_type: 'apn', push_provider_name: 'main' }],
      ['future_channel_ban', { created_by: 'dan', target_id: 'fay', reason: 'spam' }],
      ['channel', { type: 'messaging', id: 'tea', created_by: 'dan', banned_users: ['eva'] }],
      ['channel', { type: 'messaging', member_ids: ['dan', 'eva'], created_by: 'dan' }],
      ['member', { ...tea, user_id: 'dan' }],
      ['member', { ...tea, user_id: 'eva' }],
      ['member', { ...tea, user_id: 'fay' }],
      ['member', { channel_type: 'messaging', channel_member_ids: ['eva', 'dan'], user_id: 'eva' }],
      ['member', { channel_type: 'messaging', channel_member_ids: ['eva', 'dan'], user_id: 'dan' }],
    ])
    const { me } = await appServer.user('dan').connects()
    assert.deepEqual(
      [me.devices[0].id, me.mutes[0].target.id, me.channel_mutes[0].channel.cid, me.blocked_user_ids],
      ['phone', 'fay', 'messaging:tea', ['eva']],
    )
    const eva = appServer.user('eva')
    assert.deepEqual((await eva.connects()).me.push_preferences, { chat_level: 'none' })
    await eva.isRefused(17, 'POST', `${path('messaging:tea')}/message`, { body: { message: { text: 'hi' } } })
    const pair = await eva.does('POST', '/channels/messaging/query', {
      body: { data: { members: ['dan', 'eva'] }, state: true },
    })
    assert.equal(pair.members.length, 2)
    const { channels } = await appServer.user('dan').does('POST', '/channels', {
      body: { filter_conditions: { members: { $in: ['dan'] }, hidden: true } },
    })
    assert.equal(channels[0].channel.cid, pair.channel.cid)
    const { bans } = await appServer.does('GET', '/query_future_channel_bans', { query: { payload: '{}' } })
    assert.deepEqual([bans[0].user.id, bans[0].reason], ['fay', 'spam'])
  })

  it('[IMP-6] [IMP-8] imports are listed, newest first, and read by id', async () => {
    const { appServer } = await fixture.createApp()
    const ids: string[] = []
    for (let i = 0; i < 3; i++) {
      fixture.clock.advance(10)
      ids.unshift((await imports(appServer, [['user', { id: `u${i}` }]])).id)
    }
    const list = async (query: Record<string, string> = {}) =>
      (await appServer.does('GET', '/imports', { query })).import_tasks.map(({ id }: { id: string }) => id)
    assert.deepEqual(await list(), ids)
    assert.deepEqual(await list({ limit: '1', offset: '1' }), [ids[1]])
    const { import_task } = await appServer.does('GET', `/imports/${ids[0]}`)
    assert.deepEqual([import_task.id, import_task.state, import_task.mode], [ids[0], 'completed', 'upsert'])
    assert.match(import_task.path, /\/history\.jsonl$/)
    const { appServer: other } = await fixture.createApp()
    await other.isRefused(16, 'GET', `/imports/${ids[0]}`)
    await appServer.isRefused(4, 'GET', '/imports', { query: { limit: '0' } })
    const { task_id, status } = await appServer.does('GET', `/tasks/${ids[0]}`)
    assert.deepEqual([task_id, status], [ids[0], 'completed'])
  })

  it('[IMP-4] [IMP-5] [IMP-7] only the app’s server can import, only its own uploads, and each once', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const url = { body: { filename: '../../etc/passwd.jsonl' } }
    for (const [method, address] of [
      ['POST', '/import_urls'],
      ['POST', '/imports'],
      ['GET', '/imports'],
      ['GET', '/imports/x'],
    ] as const)
      await ada.isRefused(17, method, address, method === 'POST' ? { body: { ...url.body, path: 'x' } } : {})
    const { path: at, upload_url } = await appServer.does('POST', '/import_urls', url)
    assert.match(at, /\/passwd\.jsonl$/)
    await appServer.isRefused(4, 'POST', '/imports', { body: { path: at, mode: 'upsert' } })
    await appServer.isRefused(4, 'POST', '/imports', { body: { path: 'nowhere/x', mode: 'upsert' } })
    const put = async (address: string, body = '{}') => (await fetch(address, { method: 'PUT', body })).status
    assert.equal(await put(upload_url.replace(/Signature=.{5}/, 'Signature=aaaaa')), 403)
    assert.equal(await put(upload_url.replace(/Expires=\d/, 'Expires=9')), 403)
    assert.equal(await put(upload_url, ''), 400)
    assert.equal(await put(upload_url, fileOf([['user', { id: 'zoe' }]])), 200)
    assert.equal(await put(upload_url), 400, 'a second time')
    assert.notEqual((await fetch(upload_url.replace('/imports/uploads/', '/files/'))).status, 200)
    const { appServer: other } = await fixture.createApp()
    await other.isRefused(4, 'POST', '/imports', { body: { path: at, mode: 'upsert' } })
    await appServer.isRefused(4, 'POST', '/imports', { body: { path: at, mode: 'replace' } })
    assert.equal(
      (await over(appServer, (await appServer.does('POST', '/imports', { body: { path: at } })).import_task.id)).state,
      'completed',
    )
    const late = (await appServer.does('POST', '/import_urls', url)).upload_url
    fixture.clock.advance(3_601_000)
    assert.equal(await put(late), 403)
  })

  it('a file of more than 300 MB is refused before it is sent', async () => {
    const { appServer } = await fixture.createApp()
    const { upload_url } = await appServer.does('POST', '/import_urls', { body: { filename: 'all.jsonl' } })
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { 'Content-Type': 'application/json', 'Content-Length': IMPORT_BYTES + 1 }
      const sending = request(upload_url, { method: 'PUT', headers }, (response) => {
        resolve(response.statusCode)
        sending.destroy()
      })
      sending.on('error', reject)
      sending.write('{}')
    })
    assert.equal(status, 413)
  })

  it('an unused upload is purged after a week', async () => {
    const { appServer } = await fixture.createApp()
    const at = await uploads(appServer, fileOf([['user', { id: 'zoe' }]]))
    fixture.clock.advance(8 * 86_400_000)
    const { read } = fixture.nodes[0]!.server.database
    const left = () => read.selectFrom('files').select('id').where('app', '=', appServer.app.id).execute()
    await until(async () => (await left()).length === 0, 'the upload is gone')
    await appServer.isRefused(4, 'POST', '/imports', { body: { path: at } })
  })
})

const order = ['user', 'device', 'future_channel_ban', 'channel', 'member', 'message', 'reaction']
function byOrder(a: Line, b: Line): number {
  return order.indexOf(a[0]) - order.indexOf(b[0])
}
