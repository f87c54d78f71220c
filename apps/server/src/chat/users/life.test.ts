import assert from 'node:assert/strict'
import { it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { onEveryStorage, onEveryTransport } from '../../testing/fixture.ts'
import { type AppServer, path, type TestUser } from '../../testing/test-user.ts'

const deletes = (appServer: AppServer, id: string, query: Record<string, string> = {}) =>
  appServer.does('DELETE', `/users/${id}`, { query })

/** Waits for a task and returns its result. */
async function isDone(appServer: AppServer, taskId: string) {
  const look = () => appServer.does('GET', `/tasks/${taskId}`)
  let task = await look()
  while (task.status !== 'completed' && task.status !== 'failed') task = await look()
  assert.equal(task.status, 'completed', JSON.stringify(task.error))
  return task.result
}

async function isFound(caller: TestUser | AppServer, id: string): Promise<boolean> {
  const payload = JSON.stringify({ filter_conditions: { id } })
  return (await caller.does('GET', '/users', { query: { payload } })).users.length === 1
}

/** A user’s view of a channel: the text of each message, or `-` for a deleted one. */
async function sees(testUser: TestUser, room: string): Promise<string[]> {
  const { messages } = await testUser.opensChannel(room)
  return messages.map((message) => (message.type === 'deleted' ? '-' : message.text))
}
const memberIds = async (testUser: TestUser, room: string) =>
  (await testUser.opensChannel(room)).members.map((member) => member.user_id)

onEveryStorage((fixture) => {
  it('[USR-12] [USR-13] [USR-20] a deactivated user loses access, stays a member, and can be reactivated', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await bo.sends(room, 'Hi')
    await bo.connects()
    const { user } = await appServer.does('POST', '/users/bo/deactivate', { body: { created_by_id: 'ada' } })
    assert.ok(user.deactivated_at)
    await bo.ends()
    const refusal = bo.events.find((event) => event.type === 'connection.error')
    assert.deepEqual([bo.closed?.code, refusal?.error.code], [1000, 5])
    assert.equal((await bo.device().connects()).error.code, 5)
    await bo.device().isRefused(5, 'GET', '/app')
    assert.equal(await isFound(ada, 'bo'), false)
    assert.deepEqual(await memberIds(ada, room), ['ada', 'bo'])
    assert.deepEqual(await sees(ada, room), ['Hi'])

    await appServer.isRefused(4, 'POST', '/users/bo/deactivate', { body: {} })
    const back = await appServer.does('POST', '/users/bo/reactivate', { body: { name: 'Bo the Second' } })
    assert.deepEqual([back.user.deactivated_at, back.user.name], [undefined, 'Bo the Second'])
    assert.equal((await bo.device().connects()).type, 'health.check')
    assert.equal(await isFound(ada, 'bo'), true)
    await appServer.isRefused(4, 'POST', '/users/bo/reactivate', { body: {} })
  })

  it('[USR-12] [USR-13] reactivation restores what the deactivation deleted, and nothing else', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const own = await appServer.opens([bo, ada], { name: 'Bo’s' })
    const first = await bo.sends(room, 'one')
    const parent = await ada.sends(room, 'mine')
    await bo.sends(room, 'reply', { parent_id: parent.id })
    await bo.sends(room, 'two')
    await bo.does('DELETE', `/messages/${first.id}`)
    const body = { mark_messages_deleted: true, mark_channels_deleted: true }
    await appServer.does('POST', '/users/bo/deactivate', { body })
    assert.deepEqual(await sees(ada, room), ['-', 'mine', '-'])
    const { messages } = await ada.opensChannel(room)
    assert.deepEqual([messages[1]!.reply_count, messages[1]!.deleted_reply_count], [0, 1])
    await ada.isRefused(16, 'GET', `${path(own)}/messages`, { query: { ids: 'x' } })
    assert.equal(await ada.unread(room), 0)

    await appServer.does('POST', '/users/bo/reactivate', { body: { restore_messages: true, restore_channels: true } })
    assert.deepEqual(await sees(ada, room), ['-', 'mine', 'two'])
    assert.equal((await ada.opensChannel(room)).messages[1]!.reply_count, 1)
    assert.equal(await ada.unread(room), 1)
    const again = await ada.opensChannel(own)
    assert.deepEqual([again.channel.name, again.members.length], ['Bo’s', 2])
  })

  it('[USR-13] a user reactivated under another name takes it from no other user, and keeps it', async () => {
    const { appServer } = await fixture.createApp('ada', 'bo')
    await appServer.does('PATCH', '/app', { body: { enforce_unique_usernames: 'app' } })
    await appServer.does('POST', '/users/bo/deactivate', { body: {} })
    await appServer.isRefused(6, 'POST', '/users/bo/reactivate', { body: { name: 'A d a' } })
    const { user } = await appServer.does('POST', '/users/bo/reactivate', { body: { name: 'Boris' } })
    assert.equal(user.name, 'Boris')
    const named = (name: string) => ({ body: { users: { cy: { id: 'cy', name } } } })
    await appServer.isRefused(6, 'POST', '/users', named('boris'))
    await appServer.does('POST', '/users', named('Bo'))
  })

  it('[USR-11] a restored user does not take a name that another user has by now', async () => {
    const { appServer } = await fixture.createApp('ada', 'bo')
    await appServer.does('PATCH', '/app', { body: { enforce_unique_usernames: 'app' } })
    await deletes(appServer, 'bo')
    const named = (name: string) => appServer.does('POST', '/users', { body: { users: { cy: { id: 'cy', name } } } })
    await named('Bo')
    await appServer.isRefused(6, 'POST', '/users/restore', { body: { user_ids: ['bo'] } })
    await named('Cy')
    await appServer.does('POST', '/users/restore', { body: { user_ids: ['bo'] } })
    assert.equal(await isFound(appServer, 'bo'), true)
  })

  it('[PERM-19] a channel type cannot be deleted while a channel of it may be restored with its creator', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await appServer.does('POST', '/channeltypes', { body: { name: 'salon' } })
    const room = await appServer.opens([bo, ada], {}, 'salon')
    await appServer.does('POST', '/users/bo/deactivate', { body: { mark_channels_deleted: true } })
    await ada.isRefused(16, 'POST', `${path(room)}/read`, { body: {} })
    await appServer.isRefused(4, 'DELETE', '/channeltypes/salon')
    await appServer.does('POST', '/users/bo/reactivate', { body: { restore_channels: true } })
    assert.equal((await ada.opensChannel(room)).members.length, 2)
    await appServer.does('DELETE', path(room), { query: { hard_delete: 'true' } })
    await appServer.does('DELETE', '/channeltypes/salon')
  })

  it('[USR-6] [USR-20] a soft-deleted user is gone, and their messages stay', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const room = await appServer.opens([ada, bo, cy])
    await bo.sends(room, 'Hi')
    const { user } = await deletes(appServer, 'bo', { hard_delete: '', mark_messages_deleted: 'false' })
    assert.ok(user.deleted_at)
    assert.equal((await bo.connects()).error.code, 5)
    assert.equal(await isFound(appServer, 'bo'), false)
    assert.deepEqual([await sees(ada, room), await memberIds(ada, room)], [['Hi'], ['ada', 'cy']])
    assert.equal((await ada.opensChannel(room)).messages[0]!.user.name, 'Bo')
    await appServer.isRefused(16, 'DELETE', '/users/bo')
    await appServer.isRefused(4, 'POST', '/users', { body: { users: { bo: { id: 'bo' } } } })
    await appServer.isRefused(16, 'PATCH', '/users', { body: { users: [{ id: 'bo', set: { hat: 1 } }] } })
    await appServer.isRefused(4, 'POST', path(room), { body: { add_members: ['bo'] } })
  })

  it('[USR-6] [USR-16] messages of a deleted user can be marked as deleted', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    for (let i = 0; i < 3; i++) await bo.sends(room, `line ${i}`)
    await ada.sends(room, 'mine')
    assert.equal(await ada.unread(room), 0)
    await bo.sends(room, 'late')
    assert.equal(await ada.unread(room), 1)
    await deletes(appServer, 'bo', { mark_messages_deleted: 'true' })
    assert.deepEqual(await sees(ada, room), ['-', '-', '-', 'mine', '-'])
    assert.deepEqual([await ada.unread(room), (await ada.does('GET', '/unread')).total_unread_count], [0, 0])
  })

  it('[USR-7] [USR-17] [USR-22] a hard-deleted user leaves only bare rows', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const room = await appServer.opens([bo, ada, cy])
    const pair = await appServer.opens([ada, bo])
    const said = await bo.sends(room, 'My secret', { attachments: [{ type: 'x' }], mentioned_users: ['ada'], hue: 5 })
    const answered = await ada.sends(room, 'Really?', { quoted_message_id: said.id, mentioned_users: ['bo'] })
    await ada.does('POST', `/messages/${said.id}/reaction`, { body: { reaction: { type: 'wow' } } })
    await bo.does('POST', `/messages/${answered.id}/reaction`, { body: { reaction: { type: 'love' } } })
    await cy.does('POST', `/messages/${answered.id}/reaction`, { body: { reaction: { type: 'love' } } })
    await bo.does('POST', '/users/block', { body: { blocked_user_id: 'ada' } })
    await cy.does('POST', '/users/block', { body: { blocked_user_id: 'bo' } })

    const refused = (body: object) => appServer.isRefused(4, 'POST', '/users/delete', { body })
    const hard = { user: 'hard', messages: 'hard', conversations: 'hard' }
    await refused({ user_ids: ['bo'], ...hard, conversations: 'soft' })
    await refused({ user_ids: ['bo'], user: 'hard', conversations: 'hard' })
    await refused({ user_ids: ['bo'], ...hard, new_channel_owner_id: 'nobody' })
    const { task_id } = await appServer.does('POST', '/users/delete', { body: { user_ids: ['bo', 'nobody'], ...hard } })
    assert.deepEqual(await isDone(appServer, task_id), {
      bo: { status: 'ok' },
      nobody: { status: 'error', error: "Can't find user with id nobody" },
    })

    const { messages, channel, members } = await ada.opensChannel(room)
    const [bare, kept] = messages
    assert.deepEqual(
      [bare!.type, bare!.text, bare!.attachments, bare!.mentioned_users, bare!.latest_reactions, 'hue' in bare!],
      ['deleted', '', [], [], [], false],
    )
    assert.equal(bare!.reaction_groups, null)
    assert.deepEqual([kept!.text, kept!.mentioned_users, kept!.reaction_groups?.love?.count], ['Really?', [], 1])
    assert.deepEqual(
      members.map((member) => member.user_id),
      ['ada', 'cy'],
    )
    assert.match(channel.created_by!.id, /^delete-user-/)
    await ada.isRefused(16, 'POST', `${path(pair)}/read`, { body: {} })
    assert.deepEqual((await cy.does('GET', '/users/block')).blocks, [])
    const since = { channel_cids: [room], last_sync_at: said.created_at.replace(/\.\d+Z/, 'Z') }
    const { events } = await ada.does('POST', '/sync', { body: since })
    assert.doesNotMatch(JSON.stringify(events), /My secret|"Bo"/)
    assert.doesNotMatch(JSON.stringify(messages), /My secret|"Bo"/)

    const first = await bo.device().connects()
    assert.deepEqual([first.type, first.me.name], ['health.check', undefined], 'the id is free again')
  })

  it('[USR-22] a user deleted hard without a word of conversations leaves them to the others', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const pair = await appServer.opens([bo, ada])
    await bo.sends(pair, 'My secret')
    await ada.sends(pair, 'I see')
    const body = { user_ids: ['bo'], user: 'hard', messages: 'hard' }
    const { task_id } = await appServer.does('POST', '/users/delete', { body })
    assert.deepEqual(await isDone(appServer, task_id), { bo: { status: 'ok' } })
    const { messages, channel, members } = await ada.opensChannel(pair)
    assert.deepEqual(
      [messages.at(-1)!.text, members.map(({ user_id }) => user_id), messages.map(({ type }) => type)],
      ['I see', ['ada'], ['deleted', 'regular']],
    )
    assert.match(channel.created_by!.id, /^delete-user-/)
    assert.doesNotMatch(JSON.stringify([messages, channel, members]), /secret|"Bo"/)
  })

  it('[USR-7] the log keeps events of other users, also of one whose id differs only in case', async () => {
    const { ada, bo, Bo, appServer } = await fixture.createApp('ada', 'bo', 'Bo')
    const room = await appServer.opens([ada, bo, Bo])
    const { created_at } = await bo.sends(room, 'Small')
    await Bo.sends(room, 'Capital')
    const hard = { user_ids: ['bo'], user: 'hard', messages: 'hard', conversations: 'hard' }
    await isDone(appServer, (await appServer.does('POST', '/users/delete', { body: hard })).task_id)

    const body = { channel_cids: [room], last_sync_at: created_at.replace(/\.\d+Z/, 'Z') }
    const { events } = await ada.does('POST', '/sync', { body })
    const said = events.filter(({ type }: { type: string }) => type === 'message.new')
    assert.deepEqual(
      said.map(({ message }: { message: { text: string } }) => message.text),
      ['Capital'],
    )
  })

  it('[USR-7] a deleted user is removed from segments, their own polls and reminders', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const body = { name: 'Bo’s secret?', options: [{ text: 'Yes' }] }
    const { poll } = await bo.does('POST', '/polls', { body })
    await appServer.does('POST', '/segments', { body: { id: 'friends', type: 'user' } })
    await appServer.does('POST', '/segments/friends/addtargets', { body: { target_ids: ['ada', 'bo'] } })
    const { read, write } = fixture.nodes[0]!.server.database
    const reminded = (user_id: string) => ({ app: ada.app.id, cid: 'messaging:tea', user_id, at: 1 })
    await write
      .insertInto('unread_reminders')
      .values([reminded('ada'), reminded('bo')])
      .execute()
    const hard = { user_ids: ['bo'], user: 'hard', messages: 'hard', conversations: 'hard' }
    await isDone(appServer, (await appServer.does('POST', '/users/delete', { body: hard })).task_id)
    await appServer.isRefused(16, 'GET', `/polls/${poll.id}`)
    const { segment } = await appServer.does('GET', '/segments/friends')
    const { targets } = await appServer.does('POST', '/segments/friends/targets/query', { body: {} })
    assert.deepEqual([segment.size, targets.map((target: { target_id: string }) => target.target_id)], [1, ['ada']])
    const left = await read.selectFrom('unread_reminders').select('user_id').where('app', '=', ada.app.id).execute()
    assert.deepEqual(left, [{ user_id: 'ada' }])
  })

  it('[USR-8] [USR-9] [USR-10] deleting accepts soft, hard and pruning, and nothing else', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const refused = (options: object) =>
      appServer.isRefused(4, 'POST', '/users/delete', { body: { user_ids: ['ada'], ...options } })
    await refused({ user: 'gentle' })
    await refused({ messages: 'some' })
    await refused({ conversations: 'pruning' })
    await refused({ user_ids: [] })
    await refused({ user_ids: Array.from({ length: 101 }, (_, i) => `u${i}`) })
    await appServer.isRefused(4, 'DELETE', '/users/ada', { query: { hard_delete: 'maybe' } })
    assert.equal(await isFound(appServer, 'ada'), true)
    for (const [method, url] of [
      ['POST', '/users/ada/deactivate'],
      ['POST', '/users/ada/reactivate'],
      ['POST', '/users/deactivate'],
      ['POST', '/users/reactivate'],
      ['DELETE', '/users/ada'],
      ['POST', '/users/delete'],
      ['POST', '/users/restore'],
    ] as const)
      await ada.isRefused(17, method, url, method === 'POST' ? { body: { user_ids: ['ada'] } } : {})
    await appServer.isRefused(16, 'POST', '/users/nobody/deactivate', { body: {} })
    await appServer.isRefused(16, 'DELETE', '/users/nobody')
    await appServer.isRefused(4, 'POST', '/users/ada/deactivate', { body: { created_by_id: 'nobody' } })
    const { task_id } = await appServer.does('POST', '/users/delete', {
      body: { user_ids: ['ada'], user: '', messages: '', conversations: '' },
    })
    assert.deepEqual(await isDone(appServer, task_id), { ada: { status: 'ok' } })
  })

  it('[USR-7] [USR-9] a pruned user has no name and no messages left, and the named user gets the channels', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const room = await appServer.opens([bo, ada, cy])
    const pair = await appServer.opens([bo, ada])
    await appServer.does('PATCH', '/users', { body: { users: [{ id: 'bo', set: { phone: '555' } }] } })
    const said = await bo.sends(room, 'Words')
    await ada.does('POST', '/moderation/flag', { body: { target_message_id: said.id } })
    const body = { user_ids: ['bo'], user: 'pruning', messages: 'pruning', conversations: 'soft' }
    const { task_id } = await appServer.does('POST', '/users/delete', { body })
    await isDone(appServer, task_id)
    const { messages } = await ada.opensChannel(room)
    assert.deepEqual(
      [messages[0]!.type, messages[0]!.text, messages[0]!.user.name, 'phone' in messages[0]!.user],
      ['deleted', '', undefined, false],
    )
    assert.deepEqual(messages[0]!.user.id, 'bo')
    await ada.isRefused(16, 'POST', `${path(pair)}/read`, { body: {} })
    const flags = await appServer.does('GET', '/moderation/flags/message', { query: { payload: '{}' } })
    assert.deepEqual(flags.flags, [])
    await appServer.isRefused(4, 'POST', '/users/restore', { body: { user_ids: ['bo'] } })

    const hard = { user_ids: ['bo'], user: 'hard', messages: 'hard', conversations: 'hard', new_channel_owner_id: 'cy' }
    await isDone(appServer, (await appServer.does('POST', '/users/delete', { body: hard })).task_id)
    assert.equal((await ada.opensChannel(room)).channel.created_by?.id, 'cy')
  })

  it('[USR-11] a soft-deleted user is restored without the memberships', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await bo.sends(room, 'Hi')
    await deletes(appServer, 'bo', { mark_messages_deleted: 'true' })
    const refused = (user_ids: string[]) => appServer.isRefused(4, 'POST', '/users/restore', { body: { user_ids } })
    await refused([])
    await refused(['bo', 'ada'])
    await refused(['nobody'])
    assert.equal(await isFound(appServer, 'bo'), false)
    await appServer.does('POST', '/users/restore', { body: { user_ids: ['bo', 'bo'] } })
    assert.equal((await bo.connects()).me.name, 'Bo')
    assert.equal(await isFound(ada, 'bo'), true)
    assert.deepEqual([await memberIds(ada, room), await sees(ada, room)], [['ada'], ['-']])
    await refused(['bo'])
  })

  it('[USR-21] a hundred users are deactivated and reactivated together, each on its own', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await bo.sends(room, 'Hi')
    const begin = async (what: string, body: object) =>
      isDone(appServer, (await appServer.does('POST', `/users/${what}`, { body })).task_id)
    const user_ids = ['ada', 'bo', 'nobody', '__proto__']
    const results = await begin('deactivate', { user_ids, mark_messages_deleted: true })
    assert.deepEqual(
      Object.entries(results).map(([id, result]) => [id, (result as { status: string }).status]),
      [
        ['ada', 'ok'],
        ['bo', 'ok'],
        ['nobody', 'error'],
        ['__proto__', 'error'],
      ],
    )
    assert.equal((await ada.connects()).error.code, 5)
    await begin('reactivate', { user_ids: ['ada', 'bo'], restore_messages: true })
    assert.deepEqual(await sees(ada, room), ['Hi'])
    const many = Array.from({ length: 101 }, (_, i) => `u${i}`)
    await appServer.isRefused(4, 'POST', '/users/deactivate', { body: { user_ids: many } })
    await appServer.isRefused(4, 'POST', '/users/reactivate', { body: { user_ids: [] } })
  })

  it('a long history is deleted in pages, and each page updates the unread counts', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const rooms = [await appServer.opens([ada, bo, cy]), await appServer.opens([ada, bo, cy])]
    for (const room of rooms) await Promise.all(Array.from({ length: 130 }, (_, i) => bo.sends(room, `line ${i}`)))
    await ada.connects()
    assert.equal(ada.me.total_unread_count, 260)
    const { task_id } = await appServer.does('POST', '/users/delete', {
      body: { user_ids: ['bo'], user: 'soft', messages: 'soft' },
    })
    await isDone(appServer, task_id)
    const told = (await ada.received()).filter((event) => event.type === 'user.messages.deleted')
    assert.deepEqual([told.length >= 3, told.at(-1)?.total_unread_count], [true, 0])
    for (const room of rooms)
      assert.equal(
        (await ada.opensChannel(room, { messages: { limit: 300 } })).messages.every(({ type }) => type === 'deleted'),
        true,
      )
  })

  it('hard-deleting channels erases their messages and log', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const parent = await ada.sends(room, 'Secret parent')
    for (let i = 0; i < 5; i++) await bo.sends(room, `Secret reply ${i}`, { parent_id: parent.id })
    const { task_id, result } = await appServer.does('POST', '/channels/delete', {
      body: { cids: [room, 'messaging:nowhere'], hard_delete: true },
    })
    assert.deepEqual([result[room].status, result['messaging:nowhere'].status], ['ok', 'error'])
    assert.deepEqual(await isDone(appServer, task_id), result)
    const { read } = fixture.nodes[0]!.server.database
    for (const table of ['messages', 'threads', 'thread_participants'] as const)
      assert.deepEqual(await read.selectFrom(table).selectAll().where('app', '=', ada.app.id).execute(), [])
    const log = await read.selectFrom('events').selectAll().where('app', '=', ada.app.id).execute()
    assert.doesNotMatch(JSON.stringify(log), /Secret/)

    const again = await appServer.does('POST', `${path(room)}/query`, {
      body: { data: { created_by_id: 'ada', members: ['ada', 'bo'] }, state: true },
    })
    assert.deepEqual([again.messages, again.members.length], [[], 2])
    const { events } = await ada.does('POST', '/sync', {
      body: { channel_cids: [room], last_sync_at: parent.created_at.replace(/\.\d+Z/, 'Z') },
    })
    assert.deepEqual(
      events.map((event: { type: string }) => event.type),
      ['member.added', 'member.added'],
      'its former life is no news',
    )
  })

  it('a client that syncs after a mass deletion receives no deleted text', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const said = await bo.sends(room, 'Secret')
    await ada.sends(room, 'As you said', { quoted_message_id: said.id })
    await appServer.does('POST', '/users/bo/deactivate', { body: { mark_messages_deleted: true } })
    const since = { channel_cids: [room], last_sync_at: said.created_at.replace(/\.\d+Z/, 'Z') }
    const { events } = await ada.does('POST', '/sync', { body: since })
    assert.doesNotMatch(JSON.stringify(events), /Secret/)
    const told = events.map((event: { type: string }) => event.type)
    assert.ok(told.includes('message.new') && told.includes('user.messages.deleted'))
  })
})

onEveryTransport((fixture) => {
  it('[USR-6] [USR-18] all who know a user receive the deletion, and the user’s sockets close', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const room = await appServer.opens([ada, bo, cy])
    await bo.sends(room, 'Hi')
    await ada.watches(room)
    await cy.connects()
    const second = bo.device(ada.url)
    await bo.connects()
    await second.connects()
    await deletes(appServer, 'bo', { mark_messages_deleted: 'true' })
    for (const device of [bo, second]) {
      const { user } = await device.receives('user.deleted')
      assert.equal(user.id, 'bo')
      await device.ends()
      assert.deepEqual(
        [device.closed?.code, device.events.find(({ type }) => type === 'connection.error')?.error.code],
        [1000, 5],
      )
    }
    const event = await ada.receives('user.deleted')
    assert.deepEqual(
      [event.mark_messages_deleted, event.hard_delete, event.delete_conversation_channels, event.delete_user],
      [true, false, false, 'soft'],
    )
    const gone = await ada.receives('user.messages.deleted')
    assert.deepEqual([gone.cid, gone.user.id, gone.soft_delete, gone.total_unread_count], [room, 'bo', true, 0])
    await ada.receives('member.removed')
    assert.equal((await cy.receives('user.messages.deleted')).total_unread_count, 0)
    assert.equal((await bo.device().connects()).error.code, 5)
  })

  it.for(['public', 'anonymous'] as const)(
    'answers of a deleted user in a poll that is %s are deleted from responses and events',
    async (voting_visibility) => {
      const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
      await appServer.does('PUT', '/channeltypes/livestream', { body: { polls: true } })
      const room = await appServer.opens([ada, cy], {}, 'livestream')
      const asked = { name: 'Lunch?', options: [{ text: 'Pho' }], allow_answers: true, voting_visibility }
      const { poll } = await ada.does('POST', '/polls', { body: asked })
      const shown = await ada.sends(room, '', { poll_id: poll.id })
      const answer = (testUser: TestUser, vote: object) =>
        testUser.does('POST', `/messages/${shown.id}/polls/${poll.id}/vote`, { body: { vote } })
      await answer(bo, { answer_text: 'My secret' })
      await answer(bo, { option_id: poll.options[0].id })
      await answer(cy, { answer_text: 'Pizza' })
      await cy.watches(room)
      const hard = { user_ids: ['bo'], user: 'hard', messages: 'hard', conversations: 'hard' }
      await isDone(appServer, (await appServer.does('POST', '/users/delete', { body: hard })).task_id)

      const told = await cy.receives('poll.vote_removed')
      const { poll: read } = await cy.does('GET', `/polls/${poll.id}`)
      for (const { answers_count, vote_count, latest_answers } of [told.poll, read])
        assert.deepEqual(
          [answers_count, vote_count, latest_answers.map((vote: { answer_text: string }) => vote.answer_text)],
          [1, 1, ['Pizza']],
        )
      const since = { channel_cids: [room], last_sync_at: shown.created_at.replace(/\.\d+Z/, 'Z') }
      const { events } = await cy.does('POST', '/sync', { body: since })
      assert.doesNotMatch(JSON.stringify(events), /My secret|"Bo"/)
    },
  )

  it('[USR-12] a deactivation closes the sockets on every node', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const second = bo.device(ada.url)
    await bo.connects()
    await second.connects()
    await appServer.does('POST', '/users/bo/deactivate', { body: {} })
    await bo.ends()
    await second.ends()
    assert.equal((await second.device().connects()).error.code, 5)
    await appServer.does('POST', '/users/bo/reactivate', { body: {} })
    await eventually(async () => (await bo.device().connects()).type === 'health.check', 'bo is let in again')
  })
})
