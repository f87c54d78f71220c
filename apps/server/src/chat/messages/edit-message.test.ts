import assert from 'node:assert/strict'
import { it } from 'vitest'
import { onEveryStorage } from '../../testing/fixture.ts'
import { path } from '../../testing/test-user.ts'

onEveryStorage((fixture) => {
  for (const method of ['POST', 'PUT'] as const) {
    it(`[MSG-27] [MSG-32] ${method} replaces a message when it is given whole: what is not sent is gone`, async () => {
      const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
      const room = await appServer.opens([ada, bo])
      const file = { type: 'file', title: 'Plan' }
      const before = await ada.sends(room, 'Helo', { colour: 'green', attachments: [file], mentioned_users: ['bo'] })
      await bo.watches(room)

      const body = { message: { text: 'Hello', size: 3 } }
      const { message } = await ada.does(method, `/messages/${before.id}`, { body })

      assert.equal(message.text, 'Hello')
      assert.equal(message.size, 3)
      assert.equal(message.colour, undefined)
      assert.deepEqual([message.attachments, message.mentioned_users], [[], []])
      assert.equal(message.created_at, before.created_at)
      assert.equal(message.message_text_updated_at, message.updated_at)
      const heard = await bo.receives('message.updated')
      assert.deepEqual(heard.message, message)
      assert.deepEqual((await bo.opensChannel(room)).messages, [message])
    })

    it(`[MSG-11] [MSG-32] ${method} patches a message when it names fields: all else stays`, async () => {
      const { ada, appServer } = await fixture.createApp('ada')
      const room = await appServer.opens([ada])
      const before = await ada.sends(room, 'Hello', {
        colour: 'green',
        box: { wide: 1 },
        attachments: [{ type: 'file' }],
      })

      const body = { set: { 'box.high': 2 }, unset: ['colour', 'attachments'] }
      const { message } = await ada.does(method, `/messages/${before.id}`, { body })

      assert.equal(message.text, 'Hello')
      assert.deepEqual(message.box, { wide: 1, high: 2 })
      assert.equal(message.colour, undefined)
      assert.deepEqual(message.attachments, [])
      assert.equal(message.message_text_updated_at, undefined)
      assert.notEqual(message.updated_at, before.updated_at)
    })
  }

  it('an edit keeps author, times, silent flag and reactions', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const before = await ada.sends(room, 'Hello', { silent: true })
    await bo.does('POST', `/messages/${before.id}/reaction`, { body: { reaction: { type: 'love' } } })

    const fields = {
      text: 'Bye',
      silent: false,
      type: 'system',
      user: { id: 'bo' },
      parent_id: 'x',
      reaction_counts: {},
    }
    const { message } = await ada.does('POST', `/messages/${before.id}`, { body: { message: fields } })

    assert.deepEqual(
      [message.type, message.silent, message.user.id, message.parent_id, message.reaction_counts, message.created_at],
      ['regular', true, 'ada', undefined, { love: 1 }, before.created_at],
    )
  })

  it('[MSG-41] an edit by another user names its editor until the author edits the message; a pin names none', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const room = await appServer.opens([ada, bo, cy])
    await appServer.does('POST', path(room), { body: { add_moderators: ['bo'] } })
    const { id } = await ada.sends(room, 'Hello', { attachments: [{ type: 'file' }] })
    const seen = async () => (await cy.does('GET', `/messages/${id}`)).message.message_updated_by_id
    const edits = (who: typeof ada, set: object) => who.does('PUT', `/messages/${id}`, { body: { set } })

    await edits(bo, { pinned: true })
    assert.equal(await seen(), undefined)
    // Authors cannot claim that another user edited their message.
    await edits(ada, { mood: 'sunny' })
    const lie = { body: { set: { message_updated_by_id: 'cy' } } }
    assert.equal((await ada.call('PUT', `/messages/${id}`, lie)).body.code, 4)
    assert.equal(await seen(), undefined)

    const { message } = await edits(bo, { text: 'Never said' })
    assert.equal(message.message_updated_by_id, 'bo')
    assert.equal(await seen(), 'bo')
    const { channels } = await cy.does('POST', '/channels', {
      body: { filter_conditions: { cid: room }, state: true },
    })
    assert.equal(channels[0].messages[0].message_updated_by_id, 'bo')
    await ada.does('POST', `/messages/${id}`, {
      body: { message: { text: 'Hello again', attachments: [{ type: 'file' }], message_updated_by_id: 'cy' } },
    })
    assert.equal(await seen(), undefined)
    await edits(bo, { attachments: [] })
    assert.equal(await seen(), 'bo')
    await appServer.does('PUT', `/messages/${id}`, { body: { set: { text: 'By the server' }, user_id: 'cy' } })
    assert.equal(await seen(), 'cy')
  })

  it('an edit is checked like a new message', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const { id } = await ada.sends(room, 'Hello')
    const set = (code: number, fields: object) =>
      ada.isRefused(code, 'PUT', `/messages/${id}`, { body: { set: fields } })

    await set(4, { text: ' ' })
    await set(4, { text: 7 })
    await set(20, { text: 'x'.repeat(5_001) })
    await set(4, { type: 'deleted' })
    await set(4, { attachments: Array(31).fill({ type: 'file' }) })
    await set(22, { attachments: [{ title: 'x'.repeat(5_200) }] })
    await set(22, { note: 'x'.repeat(5_200) })
    await set(4, { mentioned_users: Array.from({ length: 26 }, (_, i) => `user-${i}`) })
    await set(4, { mentioned_users: 'bo' })
    await set(4, { mentioned_users: [{ name: 'Ada' }] })
    await set(4, { quoted_message_id: 'nobody' })
    await set(4, { quoted_message_id: id })
    await set(4, { pinned: 'yes' })
    await set(4, { pinned: true, pin_expires: 'later' })
    await ada.isRefused(4, 'PUT', `/messages/${id}`, { body: {} })
    await ada.isRefused(16, 'PUT', '/messages/nobody', { body: { set: { text: 'Hi' } } })
    assert.equal((await ada.opensChannel(room)).messages[0]!.text, 'Hello')
  })

  it('[MSG-32] a patch of a field that cannot change is refused with the name of the field, and applies nothing', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const before = await ada.sends(room, 'Hello', { attachments: [{ type: 'file', title: 'Plan' }], box: { wide: 1 } })
    const refused = async (field: string, body: object) => {
      const error = await ada.isRefused(4, 'PUT', `/messages/${before.id}`, { body })
      assert.ok(error.exception_fields[field], JSON.stringify(error))
    }

    await refused('user.name', { set: { 'user.name': 'Eve', text: 'Bye' } })
    await refused('attachments.0.title', { set: { 'attachments.0.title': 'No plan' } })
    await refused('attachments.0', { unset: ['attachments.0'], set: { text: 'Bye' } })
    await refused('created_at', { set: { created_at: '2001-01-01T00:00:00Z' } })
    await refused('reply_count', { unset: ['reply_count'] })
    await refused('silent', { set: { silent: true } })
    await refused('type', { set: { type: 'system' } })
    await ada.isRefused(4, 'PATCH', `/messages/${before.id}/ephemeral`, { body: { set: { 'user.name': 'Eve' } } })

    assert.deepEqual((await bo.opensChannel(room)).messages, [before])
    // A patch may set such a field to its present value.
    const same = { set: { silent: false, type: 'regular', 'box.wide': 2 } }
    assert.deepEqual((await ada.does('PUT', `/messages/${before.id}`, { body: same })).message.box, { wide: 2 })
  })

  it('an edit needs the permissions of a new message for what it adds', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const file = { type: 'file', title: 'Plan' }
    const { id: quoted } = await ada.sends(room, 'Plan?')
    const before = await bo.sends(room, 'https://plan.example', { attachments: [file], quoted_message_id: quoted })
    const { id } = await bo.sends(room, 'Hello')
    const grants = { channel_member: ['!create-attachment', '!add-links'] }
    await appServer.does('PATCH', path(room), { body: { set: { config_overrides: { quotes: false, grants } } } })

    const set = (code: number, fields: object) =>
      bo.isRefused(code, 'PUT', `/messages/${id}`, { body: { set: fields } })
    for (const text of [
      'https://plan.example',
      'See www.plan.example',
      '`https://plan.example`',
      '[a](https://b.example)',
    ]) {
      await set(17, { text })
      await bo.isRefused(17, 'POST', `${path(room)}/message`, { body: { message: { text } } })
      await bo.isRefused(17, 'POST', `${path(room)}/message`, { body: { message: { text, parent_id: before.id } } })
    }
    await bo.sends(room, 'The www. of old, and http: alone, are no links')
    await set(17, { attachments: [file] })
    await set(19, { quoted_message_id: quoted })
    // Content from before the edit stays without them.
    const { message } = await bo.does('POST', `/messages/${before.id}`, {
      body: { message: { ...before, colour: 'red' } },
    })
    assert.deepEqual([message.colour, message.attachments, message.quoted_message_id], ['red', [file], quoted])
    await bo.does('PUT', `/messages/${before.id}`, { body: { set: { text: 'No plan', attachments: [] } } })
  })

  it('[MSG-38] an edit can quote only messages its editor may see, and keeps the present quote', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada])
    const secret = await ada.sends(room, 'Secret')
    await appServer.does('POST', path(room), { body: { add_members: ['bo'], hide_history: true } })
    const { id } = await bo.sends(room, 'What was it?')
    await bo.isRefused(4, 'PUT', `/messages/${id}`, { body: { set: { quoted_message_id: secret.id } } })

    await appServer.does('POST', '/moderation/ban', { body: { target_user_id: 'ada', shadow: true, user_id: 'bo' } })
    const shadowed = await ada.sends(room, 'Buy!')
    await bo.isRefused(4, 'PUT', `/messages/${id}`, { body: { set: { quoted_message_id: shadowed.id } } })

    const first = await bo.sends(room, 'First')
    const quoting = await bo.sends(room, 'As I said', { quoted_message_id: first.id })
    await appServer.does('DELETE', `/messages/${first.id}`, { query: { hard: 'true' } })
    const body = { message: { text: 'As I have said', quoted_message_id: first.id } }
    const { message } = await bo.does('POST', `/messages/${quoting.id}`, { body })
    assert.deepEqual([message.quoted_message_id, message.quoted_message], [first.id, null])
  })

  it('authors can edit their own messages, and only permitted users those of others', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const room = await appServer.opens([ada, bo])
    await appServer.does('POST', path(room), {
      body: { add_members: [{ user_id: 'cy', channel_role: 'channel_moderator' }] },
    })
    const { id } = await ada.sends(room, 'Hello')

    await bo.isRefused(17, 'PUT', `/messages/${id}`, { body: { set: { text: 'Mine' } } })
    const { message } = await cy.does('PUT', `/messages/${id}`, { body: { set: { text: 'Moderated' } } })
    assert.equal(message.user.id, 'ada')
  })

  it('a deleted message cannot be edited', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const { id } = await ada.sends(await appServer.opens([ada]), 'Hello')
    await ada.does('DELETE', `/messages/${id}`)

    await ada.isRefused(4, 'PUT', `/messages/${id}`, { body: { set: { text: 'Back' } } })
  })

  it('[READ-9] a reply taken out of the channel no longer counts there', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const parent = await ada.sends(room, 'Lunch?', { silent: true })
    await bo.connects()
    const reply = await ada.sends(room, 'Pho', { parent_id: parent.id, show_in_channel: true })
    assert.equal((await bo.receives('notification.message_new')).total_unread_count, 1)

    await ada.does('PUT', `/messages/${reply.id}`, { body: { set: { show_in_channel: false } } })
    assert.equal(await bo.unread(room), 0)
    assert.equal((await bo.receives('message.updated')).total_unread_count, 0)

    await ada.does('PUT', `/messages/${reply.id}`, { body: { set: { show_in_channel: true } } })
    await ada.does('DELETE', `/messages/${reply.id}`)
    assert.equal(await bo.unread(room), 0)
    assert.equal((await bo.does('GET', '/unread')).total_unread_count, 0)
  })

  it('[PIN-1] [PIN-2] [PIN-7] a patch pins and unpins a message, also by another member', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const { id } = await ada.sends(room, 'Rules')
    await ada.watches(room)

    const { message } = await bo.does('PUT', `/messages/${id}`, { body: { set: { pinned: true } } })
    assert.deepEqual([message.pinned, message.pinned_by.id, message.pin_expires], [true, 'bo', null])
    assert.equal(message.pinned_at, message.updated_at)
    assert.equal((await ada.receives('message.updated')).message.pinned, true)
    assert.deepEqual(
      (await ada.opensChannel(room)).pinned_messages.map((pin) => pin.id),
      [id],
    )

    const unpinned = await bo.does('PUT', `/messages/${id}`, { body: { set: { pinned: false } } })
    const { pinned, pinned_at, pinned_by, pin_expires } = unpinned.message
    assert.deepEqual([pinned, pinned_at, pinned_by, pin_expires], [false, null, null, null])
    assert.deepEqual((await ada.opensChannel(room)).pinned_messages, [])
  })

  it('[PIN-7] another member can pin with a client’s `pinned_at`, which the server ignores', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const { id } = await ada.sends(room, 'the rules')
    const set = { pinned: true, pin_expires: null, pinned_at: '2001-01-01T00:00:00Z' }
    const { message } = await bo.does('PUT', `/messages/${id}`, { body: { set } })
    assert.equal(message.pinned, true)
    assert.notEqual(message.pinned_at.slice(0, 4), '2001')
  })

  it('[PIN-7] every way to pin needs the permission to pin; editing a pinned message does not', async () => {
    const { ada, appServer } = await fixture.createApp('ada', 'boss')
    const boss = appServer.user('boss')
    // In a gaming channel users may edit their own messages, but not pin them.
    const room = await appServer.opens([boss, ada], {}, 'gaming')
    const { id } = await ada.sends(room, 'Rules')

    await ada.isRefused(17, 'PUT', `/messages/${id}`, { body: { set: { pinned: true } } })
    await ada.isRefused(17, 'PUT', `/messages/${id}`, { body: { set: { pinned: true, text: 'More rules' } } })
    await ada.isRefused(17, 'POST', `/messages/${id}`, { body: { message: { text: 'Rules', pinned: true } } })
    await ada.isRefused(17, 'POST', `${path(room)}/message`, { body: { message: { text: 'Rules', pinned: true } } })
    await appServer.does('PUT', `/messages/${id}`, { body: { set: { pinned: true }, user_id: 'boss' } })

    const edited = await ada.does('POST', `/messages/${id}`, {
      body: { message: { text: 'Fewer rules', pinned: true } },
    })
    assert.deepEqual([edited.message.pinned, edited.message.pinned_by.id], [true, 'boss'])
    await ada.isRefused(17, 'POST', `/messages/${id}`, { body: { message: { text: 'No rules' } } })
  })

  it('[PIN-5] a pin expires, and the message can be pinned again', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const { id } = await ada.sends(room, 'Rules')
    const soon = new Date(fixture.clock.now() + 60_000).toISOString()
    await ada.does('PUT', `/messages/${id}`, { body: { set: { pinned: true, pin_expires: soon } } })

    fixture.clock.advance(60_000)

    const { pinned_messages, messages } = await ada.opensChannel(room)
    assert.deepEqual(pinned_messages, [])
    const { pinned, pinned_at, pinned_by, pin_expires } = messages[0]!
    assert.deepEqual([pinned, pinned_at, pinned_by, pin_expires], [false, null, null, null])
    const { message } = await ada.does('PUT', `/messages/${id}`, { body: { set: { pinned: true } } })
    assert.deepEqual([message.pinned, message.pin_expires], [true, null])
  })

  it('a channel shows its 10 newest pins, the oldest of them first', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const sent: string[] = []
    for (let i = 0; i < 12; i++) sent.push((await ada.sends(room, `Rule ${i}`, { pinned: true })).id)

    const { pinned_messages } = await ada.opensChannel(room)

    assert.deepEqual(
      pinned_messages.map((pin) => pin.id),
      sent.slice(2),
    )
  })
})
