import assert from 'node:assert/strict'
import { it } from 'vitest'
import { onEveryStorage } from '../../testing/fixture.ts'
import { path } from '../../testing/test-user.ts'

onEveryStorage((fixture) => {
  it('[MSG-13] [MSG-23] [MSG-30] [MSG-36] a deleted message stays as a tombstone without its content', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const fields = { mentioned_users: ['bo'], attachments: [{ type: 'file' }], secret: 'custom', pinned: true }
    const sent = await ada.sends(room, 'Oops', fields)
    await bo.does('POST', `/messages/${sent.id}/reaction`, { body: { reaction: { type: 'love' } } })
    await ada.does('POST', `/messages/${sent.id}/reaction`, { body: { reaction: { type: 'wow' } } })
    await bo.watches(room)

    const { message } = await ada.does('DELETE', `/messages/${sent.id}`)

    assert.equal(message.type, 'deleted')
    assert.deepEqual([message.text, message.html, message.attachments, message.mentioned_users], ['', '', [], []])
    assert.equal(message.secret, undefined)
    assert.equal(message.pinned, false)
    assert.deepEqual([message.id, message.user.id, message.created_at], [sent.id, 'ada', sent.created_at])
    assert.equal(message.deleted_at, message.updated_at)
    assert.deepEqual(message.reaction_counts, { love: 1, wow: 1 })
    assert.deepEqual(
      message.own_reactions.map(({ type }: { type: string }) => type),
      ['wow'],
    )

    const heard = await bo.receives('message.deleted')
    assert.equal(heard.hard_delete, false)
    assert.deepEqual(heard.message, { ...message, own_reactions: [] })
    const { messages, pinned_messages } = await ada.opensChannel(room)
    assert.deepEqual(messages, [message])
    assert.deepEqual(pinned_messages, [])
    assert.deepEqual((await ada.does('GET', `/messages/${sent.id}`)).message.text, '')
  })

  it('[MSG-13] [MSG-24] [MSG-29] [MSG-36] a hard deletion also removes the reactions and replies of a message', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const sent = await ada.sends(room, 'Oops')
    const hidden = await bo.sends(room, 'What?', { parent_id: sent.id })
    const shown = await bo.sends(room, 'Hm?', { parent_id: sent.id, show_in_channel: true })
    await bo.does('POST', `/messages/${sent.id}/reaction`, { body: { reaction: { type: 'love' } } })
    await bo.watches(room)

    const { message } = await ada.does('DELETE', `/messages/${sent.id}`, { query: { hard: 'true' } })

    assert.deepEqual([message.id, message.type, message.text], [sent.id, 'deleted', ''])
    const first = await bo.receives('message.deleted')
    assert.deepEqual([first.message_id, first.hard_delete], [sent.id, true])
    const second = await bo.receives('message.deleted')
    assert.deepEqual([second.message_id, second.hard_delete], [shown.id, true])
    assert.deepEqual((await bo.opensChannel(room)).messages, [])
    for (const id of [sent.id, hidden.id, shown.id]) await ada.isRefused(16, 'GET', `/messages/${id}`)
    await ada.isRefused(16, 'DELETE', `/messages/${sent.id}`)
    // Its id can be used again.
    await ada.sends(room, 'Again', { id: sent.id })
    assert.deepEqual((await ada.opensChannel(room)).messages[0]!.reaction_counts, null)
  })

  it('a second deletion changes nothing and publishes no event', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const { id } = await ada.sends(room, 'Oops')
    await bo.watches(room)

    const first = await ada.does('DELETE', `/messages/${id}`)
    const second = await ada.does('DELETE', `/messages/${id}`)

    assert.deepEqual(second.message, first.message)
    assert.equal((await bo.receivedTypes()).filter((type) => type === 'message.deleted').length, 1)
  })

  it('deleting replies updates the reply counts of their parent', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const parent = await ada.sends(room, 'Lunch?')
    const pho = await bo.sends(room, 'Pho', { parent_id: parent.id })
    const pizza = await bo.sends(room, 'Pizza', { parent_id: parent.id })
    const counts = async () => {
      const { message } = await ada.does('GET', `/messages/${parent.id}`)
      return [message.reply_count, message.deleted_reply_count]
    }

    await bo.does('DELETE', `/messages/${pho.id}`)
    assert.deepEqual(await counts(), [1, 1])
    await bo.does('DELETE', `/messages/${pizza.id}`, { query: { hard: 'true' } })
    assert.deepEqual(await counts(), [0, 1])
    await bo.does('DELETE', `/messages/${pho.id}`, { query: { hard: 'true' } })
    assert.deepEqual(await counts(), [0, 0])
  })

  it('authors can delete their own messages, and only permitted users those of others', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const room = await appServer.opens([ada, bo])
    await appServer.does('POST', path(room), {
      body: { add_members: [{ user_id: 'cy', channel_role: 'channel_moderator' }] },
    })
    const [one, two] = [await ada.sends(room, 'One'), await bo.sends(room, 'Two')]

    await bo.isRefused(17, 'DELETE', `/messages/${one.id}`)
    await bo.isRefused(17, 'DELETE', `/messages/${two.id}`, { query: { deleted_by: 'ada' } })
    await bo.does('DELETE', `/messages/${two.id}`)
    await cy.does('DELETE', `/messages/${one.id}`)
  })

  it('[READ-24] a deleted message is no longer unread, on all devices', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const [watching, away] = [bo, bo.device()]
    await watching.watches(room)
    await away.connects()
    const one = await ada.sends(room, 'One')
    const two = await ada.sends(room, 'Two')

    await ada.does('DELETE', `/messages/${one.id}`)
    assert.equal((await watching.receives('message.deleted')).total_unread_count, 1)
    assert.equal((await away.receives('message.deleted')).total_unread_count, 1)
    assert.equal(await bo.unread(room), 1)

    await ada.does('DELETE', `/messages/${one.id}`, { query: { hard: 'true' } })
    assert.equal(await bo.unread(room), 1)

    await bo.reads(room)
    await ada.does('DELETE', `/messages/${two.id}`, { query: { hard: 'true' } })
    assert.equal(await bo.unread(room), 0)
    await ada.sends(room, 'Three')
    assert.equal(await bo.unread(room), 1)
  })
})
