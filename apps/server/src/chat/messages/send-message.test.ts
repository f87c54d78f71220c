import assert from 'node:assert/strict'
import { it } from 'vitest'
import { onEveryStorage } from '../../testing/fixture.ts'
import { justBefore } from '../../testing/just-before.ts'
import { path, type TestUser } from '../../testing/test-user.ts'

onEveryStorage((fixture) => {
  const refused = (code: number, testUser: TestUser, room: string, message: object) =>
    testUser.isRefused(code, 'POST', `${path(room)}/message`, { body: { message } })

  it('[MSG-1] [MSG-2] [MSG-3] [MSG-6] [MSG-7] a message has every field from the start', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])

    const message = await ada.sends(room, 'Hi *there*', { colour: 'green' })

    const { id, html, created_at, updated_at, user, ...rest } = message
    assert.match(id, /^[0-9a-f-]{36}$/)
    assert.equal(html, '<p>Hi *there*</p>\n')
    assert.equal(created_at, updated_at)
    assert.equal(user.id, 'ada')
    assert.deepEqual(rest, {
      cid: room,
      text: 'Hi *there*',
      type: 'regular',
      colour: 'green',
      attachments: [],
      mentioned_users: [],
      latest_reactions: [],
      own_reactions: [],
      reaction_counts: null,
      reaction_scores: null,
      reaction_groups: null,
      reply_count: 0,
      member: { channel_role: 'channel_member', notifications_muted: false },
      deleted_reply_count: 0,
      silent: false,
      shadowed: false,
      pinned: false,
      pinned_at: null,
      pinned_by: null,
      pin_expires: null,
      restricted_visibility: [],
    })
  })

  it('[MSG-9] [MSG-10] messages can be queried by id, one or several', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada])
    const elsewhere = await ada.sends(await appServer.opens([ada]), 'Elsewhere')
    const [first, second] = [await ada.sends(room, 'One'), await ada.sends(room, 'Two')]

    const { message } = await ada.does('GET', `/messages/${first.id}`)
    const { channel, ...alone } = message
    assert.equal(channel.cid, room)
    assert.deepEqual(alone, first)

    const ids = [second.id, elsewhere.id, 'nobody', first.id].join()
    const { messages } = await ada.does('GET', `${path(room)}/messages`, { query: { ids } })
    assert.deepEqual(messages, [first, second])
    await ada.isRefused(4, 'GET', `${path(room)}/messages`, { query: { ids: Array(101).fill('x').join() } })
    await ada.isRefused(16, 'GET', '/messages/nobody')
    await bo.isRefused(16, 'GET', `/messages/${first.id}`)
    await bo.isRefused(17, 'GET', `${path(room)}/messages`, { query: { ids } })
  })

  it('[MSG-35] a message needs text or an attachment', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])

    const refusal = await refused(4, ada, room, { text: '  ' })
    assert.equal(refusal.message, 'SendMessage failed with error: "message.text or message.attachments must be set"')
    await refused(4, ada, room, {})
    await refused(4, ada, room, { attachments: [] })

    const file = { type: 'file', title: 'Plan', asset_url: 'https://files.example.org/1', pages: 3 }
    const message = await ada.sends(room, '', { attachments: [file] })
    assert.deepEqual(message.attachments, [file])
  })

  it('[MSG-35] a text has at most 5000 characters, whatever their number of bytes', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])

    assert.equal((await ada.sends(room, '🌍'.repeat(5_000))).text.length, 10_000)
    const refusal = await refused(20, ada, room, { text: '🌍'.repeat(5_001) })
    assert.equal(refusal.StatusCode, 400)
  })

  it('[MSG-35] a channel type sets the maximum length of its messages, up to 20000 characters', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const says = (max_message_length: number) => ({ body: { max_message_length } })
    await appServer.isRefused(4, 'PUT', '/channeltypes/messaging', says(20_001))
    await appServer.does('PUT', '/channeltypes/messaging', says(20_000))
    const room = await appServer.opens([ada])
    assert.equal((await ada.sends(room, 'x'.repeat(20_000))).text.length, 20_000)
    await refused(20, ada, room, { text: 'x'.repeat(20_001) })
  })

  it('[MSG-35] a message mentions at most 25 users, each once, and only existing ones', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const names = Array.from({ length: 26 }, (_, i) => `user-${i}`)

    const { exception_fields } = await refused(4, ada, room, { text: 'All', mentioned_users: names })
    assert.equal(
      exception_fields['message.mentioned_users'],
      'message.mentioned_users must contain at maximum 25 items',
    )
    const message = await ada.sends(room, 'Bo!', { mentioned_users: ['bo', 'nobody', 'bo'] })
    assert.deepEqual(
      message.mentioned_users.map((user) => [user.id, user.name]),
      [['bo', 'Bo']],
    )
    await appServer.createUsers(...names)
    const most = await ada.sends(room, 'Many', { mentioned_users: names.slice(0, 25) })
    assert.deepEqual(
      most.mentioned_users.map((user) => user.id),
      names.slice(0, 25),
    )
  })

  it('[MSG-35] at most 30 attachments of 5 kB each, and 5 kB of custom data', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const big = { type: 'file', title: 'x'.repeat(5_000) }

    const message = await ada.sends(room, '', { attachments: Array(30).fill(big), note: 'y'.repeat(5_000) })
    assert.equal(message.attachments.length, 30)
    await refused(4, ada, room, { attachments: Array(31).fill({ type: 'file' }) })
    await refused(22, ada, room, { attachments: [{ ...big, text: 'z'.repeat(200) }] })
    await refused(22, ada, room, { text: 'Note', note: 'y'.repeat(5_200) })
  })

  it('an id from a client has 1 to 255 characters, without comma or percent', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])

    for (const id of ['a,b', '100%', 'x'.repeat(256)]) await refused(4, ada, room, { text: 'Hi', id })
    assert.equal((await ada.sends(room, 'Hi', { id: 'x'.repeat(255) })).id.length, 255)
  })

  it('members may send regular messages; system messages need a permission', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])

    for (const type of ['deleted', 'error', 'ephemeral', 'reply', 'fancy'])
      await refused(4, ada, room, { text: 'Hi', type })
    await refused(17, ada, room, { text: 'Moved', type: 'system' })
    const body = { message: { text: 'Moved', type: 'system', user_id: 'ada' } }
    const { message } = await appServer.does('POST', `${path(room)}/message`, { body })
    assert.equal(message.type, 'system')
  })

  it('times, author and html from a client are ignored', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])

    const message = await ada.sends(room, 'Me', {
      user_id: 'bo',
      user: { id: 'bo' },
      created_at: '2001-01-01T00:00:00Z',
      html: '<b>boo</b>',
      reaction_counts: { love: 9 },
      reply_count: 9,
    })

    assert.equal(message.user.id, 'ada')
    assert.ok(message.created_at > '2020')
    assert.equal(message.html, '<p>Me</p>\n')
    assert.equal(message.reaction_counts, null)
    assert.equal(message.reply_count, 0)
  })

  it('the app’s server can backdate a message, but not before the newest one or into the future', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const send = (created_at: string) => ({ body: { message: { text: 'Then', user_id: 'ada', created_at } } })

    const { message } = await appServer.does('POST', `${path(room)}/message`, send('2020-03-01T10:00:00.1203Z'))
    assert.equal(message.created_at, '2020-03-01T10:00:00.1203Z')
    await appServer.isRefused(4, 'POST', `${path(room)}/message`, send('2020-03-01T10:00:00.1203Z'))
    await appServer.isRefused(4, 'POST', `${path(room)}/message`, send('2100-01-01T00:00:00Z'))
    await appServer.isRefused(4, 'POST', `${path(room)}/message`, send('yesterday'))
    const { messages } = await ada.opensChannel(room)
    assert.equal(messages.length, 1)
  })

  it('the app’s server cannot backdate a message before a reply or a restricted message', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const send = (message: object) => ({ body: { message: { text: 'Then', user_id: 'ada', ...message } } })
    const { message } = await appServer.does(
      'POST',
      `${path(room)}/message`,
      send({ created_at: '2020-03-01T10:00:00Z' }),
    )
    const reply = { parent_id: message.id, created_at: '2020-03-01T11:00:00Z' }
    await appServer.does('POST', `${path(room)}/message`, send(reply))
    await appServer.isRefused(4, 'POST', `${path(room)}/message`, send(reply))

    const whisper = { restricted_visibility: ['bo'], created_at: '2020-03-01T12:00:00Z' }
    await appServer.does('POST', `${path(room)}/message`, send(whisper))
    await appServer.isRefused(4, 'POST', `${path(room)}/message`, send({ created_at: whisper.created_at }))
    await appServer.isRefused(4, 'POST', `${path(room)}/message`, send({ created_at: '2020-03-01T11:30:00Z' }))
    await appServer.does('POST', `${path(room)}/message`, send({ created_at: '2020-03-01T12:00:01Z' }))
  })

  it('[THR-28] [THR-30] a reply counts at its parent, and is shown in the channel only with `show_in_channel`', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const parent = await ada.sends(room, 'Lunch?')
    await ada.watches(room)

    const reply = await bo.sends(room, 'Pho', { parent_id: parent.id })
    const shown = await bo.sends(room, 'Or pizza', { parent_id: parent.id, show_in_channel: true })

    assert.equal(reply.type, 'reply')
    assert.equal(shown.type, 'reply')
    const { messages } = await ada.opensChannel(room)
    assert.deepEqual(
      messages.map(({ text }) => text),
      ['Lunch?', 'Or pizza'],
    )
    assert.equal(messages[0]!.reply_count, 2)
    assert.deepEqual(
      messages[0]!.thread_participants!.map(({ id }) => id),
      ['ada', 'bo'],
    )
    // The reply comes first, then the notification to thread participants, then the parent with its new count.
    const told = (await ada.received()).filter((event) => event.cid === room)
    assert.deepEqual(
      told.map(({ type, message }) => [type, message.text, message.reply_count]),
      [
        ['message.new', 'Pho', 0],
        ['notification.thread_message_new', 'Pho', 0],
        ['message.updated', 'Lunch?', 1],
        ['message.new', 'Or pizza', 0],
        ['notification.thread_message_new', 'Or pizza', 0],
        ['message.updated', 'Lunch?', 2],
      ],
    )

    const elsewhere = await ada.sends(await appServer.opens([ada, bo]), 'Elsewhere')
    await refused(21, bo, room, { text: 'Deeper', parent_id: reply.id })
    await refused(16, bo, room, { text: 'Lost', parent_id: 'nobody' })
    await refused(16, bo, room, { text: 'Lost', parent_id: elsewhere.id })
    await refused(4, bo, room, { text: 'Shown', show_in_channel: true })
  })

  it('replies and reactions are refused with 19 if the channel type has none', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada], {}, 'gaming')
    const parent = await ada.sends(room, 'Go')

    await refused(19, ada, room, { text: 'Reply', parent_id: parent.id })
    await ada.isRefused(19, 'POST', `/messages/${parent.id}/reaction`, { body: { reaction: { type: 'love' } } })
  })

  it('[MSG-31] a message includes the message it quotes, one level deep, in its present state', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const first = await ada.sends(room, 'First')
    const second = await bo.sends(room, 'Second', { quoted_message_id: first.id })
    const third = await ada.sends(room, 'Third', { quoted_message_id: second.id })

    assert.equal(second.quoted_message!.text, 'First')
    assert.equal(third.quoted_message!.text, 'Second')
    assert.equal('quoted_message' in third.quoted_message!, false)

    await ada.does('DELETE', `/messages/${first.id}`)
    const { messages } = await bo.opensChannel(room)
    assert.deepEqual([messages[1]!.quoted_message!.type, messages[1]!.quoted_message!.text], ['deleted', ''])

    const elsewhere = await ada.sends(await appServer.opens([ada]), 'Elsewhere')
    await refused(4, ada, room, { text: 'Who?', quoted_message_id: 'nobody' })
    await refused(4, ada, room, { text: 'Where?', quoted_message_id: elsewhere.id })
  })

  it('a new member cannot quote or reply to hidden history', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada])
    const secret = await ada.sends(room, 'Secret')
    await appServer.does('POST', path(room), { body: { add_members: ['bo'], hide_history: true } })

    await refused(4, bo, room, { text: 'What was it?', quoted_message_id: secret.id })
    await refused(16, bo, room, { text: 'What was it?', parent_id: secret.id })
    await bo.isRefused(16, 'GET', `/messages/${secret.id}`)
  })

  it('a user who is not a member, or has no token, cannot send', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada])
    const stream = await appServer.opens([ada], {}, 'livestream')

    await refused(17, bo, room, { text: 'Hi' })
    await bo.sends(stream, 'Hi')
    const nobody = appServer.user('bo')
    nobody.token = ''
    await nobody.isRefused(17, 'POST', `${path(stream)}/message`, { body: { message: { text: 'Hi' } } })
  })

  it('a restricted message without permission is refused, not shown to all', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])

    await refused(17, ada, room, { text: 'Psst', restricted_visibility: ['bo'] })
    await ada.sends(room, 'Hi', { restricted_visibility: [] })
    assert.equal((await bo.opensChannel(room)).messages.length, 1)
  })

  it('[CHN-53] in a frozen channel a message becomes an error that only its sender gets', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const before = await ada.sends(room, 'Before')
    await bo.does('POST', `/messages/${before.id}/reaction`, { body: { reaction: { type: 'wow' } } })
    await bo.watches(room)
    await appServer.does('PATCH', path(room), { body: { set: { frozen: true } } })

    const answer = await ada.sends(room, 'Anybody?')
    assert.equal(answer.type, 'error')
    assert.equal((await ada.sends(room, 'Or here?', { parent_id: before.id })).type, 'error')
    await ada.isRefused(17, 'POST', `/messages/${before.id}/reaction`, { body: { reaction: { type: 'love' } } })
    await bo.isRefused(17, 'DELETE', `/messages/${before.id}/reaction/wow`)
    await ada.does('PUT', `/messages/${before.id}`, { body: { set: { text: 'Edited' } } })

    const told = (await bo.received()).filter((event) => event.cid === room)
    assert.deepEqual(
      told.map(({ type }) => type),
      ['channel.updated', 'capabilities.changed', 'message.updated'],
    )
    assert.equal((await bo.opensChannel(room)).messages.length, 1)
    await ada.isRefused(16, 'GET', `/messages/${answer.id}`)
    const { message } = await appServer.does('POST', `${path(room)}/message`, {
      body: { message: { text: 'From above', user_id: 'ada' } },
    })
    assert.equal(message.type, 'regular')
  })

  it('[CHN-50] [CHN-51] slow mode lets each user send once per interval', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo], { cooldown: 30 })
    await ada.sends(room, 'One')

    const refusal = await refused(60, ada, room, { text: 'Two' })
    assert.match(refusal.message, /Wait 30 s/)
    assert.equal(refusal.StatusCode, 403)
    await bo.sends(room, 'Mine')
    await appServer.does('POST', `${path(room)}/message`, { body: { message: { text: 'Hush', user_id: 'ada' } } })
    fixture.clock.advance(30_000)
    await ada.sends(room, 'Two')
  })

  it('[MSG-33] a message resent in slow mode is refused because it exists', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada], { cooldown: 30 })
    await ada.sends(room, 'One', { id: 'ada-1' })
    const refusal = await refused(4, ada, room, { text: 'One', id: 'ada-1' })
    assert.match(refusal.message, /a message with ID ada-1 already exists/)

    // The first attempt may still be in progress when the second is checked.
    fixture.clock.advance(30_000)
    justBefore(fixture.nodes[0]!.server.commit, 'write', () => ada.sends(room, 'Two', { id: 'ada-2' }))
    await refused(4, ada, room, { text: 'Two', id: 'ada-2' })
  })

  it('[CHN-51] slow mode also applies to messages sent at the same moment', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada], { cooldown: 30 })
    const send = () => ada.call('POST', `${path(room)}/message`, { body: { message: { text: 'Now' } } })

    const answers = await Promise.all([send(), send(), send()])

    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 403, 403])
  })

  it('[READ-8] a silent message is delivered and does not count as unread', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await bo.connects()

    const message = await ada.sends(room, 'Shh', { silent: true })

    const heard = await bo.receives('notification.message_new')
    assert.equal(heard.message.silent, true)
    assert.equal(heard.total_unread_count, 0)
    assert.equal(await bo.unread(room), 0)
    assert.equal((await bo.opensChannel(room)).channel.last_message_at, message.created_at)
    const { id } = await bo.sends(room, 'Loud')
    await bo.does('POST', `/messages/${id}`, { body: { message: { text: 'Loud', silent: true } } })
    assert.equal((await ada.opensChannel(room)).messages[1]!.silent, false)
  })

  it('a system message counts as unread', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])

    await appServer.does('POST', path(room), { body: { message: { text: 'Ada made a plan', user_id: 'ada' } } })

    const { messages } = await bo.opensChannel(room)
    assert.equal(messages[0]!.type, 'system')
    assert.equal(await bo.unread(room), 1)
  })
})
