import assert from 'node:assert/strict'
import { it } from 'vitest'
import { onEveryStorage } from '../../testing/fixture.ts'
import { path } from '../../testing/test-user.ts'

onEveryStorage((fixture) => {
  const back = (id: string) => ['POST', `/messages/${id}/undelete`, { body: { undeleted_by: 'ada' } }] as const

  it('[MSG-14] [MSG-25] [MSG-28] a restored message has its content again', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await bo.watches(room)
    const sent = await ada.sends(room, 'Oops', { colour: 'green', mentioned_users: ['bo'] })
    await ada.does('DELETE', `/messages/${sent.id}`)

    const { message } = await appServer.does(...back(sent.id))

    assert.deepEqual({ ...message, updated_at: sent.updated_at }, sent)
    const heard = await bo.receives('message.undeleted')
    assert.deepEqual([heard.message, heard.user.id], [message, 'ada'])
    assert.deepEqual((await bo.opensChannel(room)).messages, [message])
  })

  it('[READ-18] a restored message counts again for members who had not read it', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const room = await appServer.opens([ada, bo, cy])
    const { id } = await ada.sends(room, 'Oops')
    await cy.reads(room)
    await ada.does('DELETE', `/messages/${id}`)
    await bo.connects()
    assert.equal(bo.me.total_unread_count, 0)

    await appServer.does(...back(id))

    assert.equal((await bo.receives('message.undeleted')).total_unread_count, 1)
    assert.deepEqual([await ada.unread(room), await bo.unread(room), await cy.unread(room)], [0, 1, 0])
  })

  it('a restored reply counts at its parent again; it cannot be restored if the parent is gone', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const parent = await ada.sends(room, 'Lunch?')
    const reply = await ada.sends(room, 'Pho', { parent_id: parent.id })
    await ada.does('DELETE', `/messages/${reply.id}`)

    await appServer.does(...back(reply.id))

    const { messages } = await ada.opensChannel(room)
    assert.deepEqual([messages[0]!.reply_count, messages[0]!.deleted_reply_count], [1, 0])
    await ada.does('DELETE', `/messages/${reply.id}`)
    await ada.does('DELETE', `/messages/${parent.id}`)
    await appServer.isRefused(4, ...back(reply.id))
  })

  it('only the app’s server can restore a message, and only a soft-deleted one', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const { id } = await ada.sends(room, 'Oops')

    await appServer.isRefused(4, ...back(id))
    await ada.does('DELETE', `/messages/${id}`)
    await ada.isRefused(17, ...back(id))
    await appServer.isRefused(4, 'POST', `/messages/${id}/undelete`, { body: { undeleted_by: 'nobody' } })
    await ada.does('DELETE', `/messages/${id}`, { query: { hard: 'true' } })
    await appServer.isRefused(4, ...back(id))
  })

  it('a message whose content was erased cannot be restored', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const { id: deleted } = await bo.sends(room, 'Oops')
    const { id: hidden } = await bo.sends(room, 'Rude')
    await ada.watches(room)
    await bo.does('DELETE', `/messages/${deleted}`)
    await appServer.does('POST', '/users/bo/deactivate', { body: { mark_messages_deleted: true } })
    await ada.receives('user.messages.deleted')

    const ban = { target_user_id: 'bo', user_id: 'ada', delete_messages: 'pruning' }
    await appServer.does('POST', '/moderation/ban', { body: ban })
    await ada.receives('user.messages.deleted')

    for (const id of [deleted, hidden]) {
      const { message } = await appServer.isRefused(4, ...back(id))
      assert.match(message, /deleted for good/)
    }
    await appServer.does('POST', '/users/bo/reactivate', { body: { restore_messages: true } })
    const { messages } = await ada.opensChannel(room)
    assert.deepEqual(
      messages.map(({ type }) => type),
      ['deleted', 'deleted'],
    )
    const query = { show_deleted_message: 'true' }
    assert.equal((await appServer.does('GET', `/messages/${hidden}`, { query })).message.type, 'deleted')
  })

  it('a message of a deleted channel cannot be restored', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const { id } = await ada.sends(room, 'Oops')
    await ada.does('DELETE', `/messages/${id}`)
    await appServer.does('DELETE', path(room))

    await appServer.isRefused(4, ...back(id))
  })

  it('[MSG-15] [MSG-37] a translation without a translation service is refused with a reason', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const { id } = await ada.sends(await appServer.opens([ada]), 'Hello')
    const body = { language: 'fr' }

    const refusal = await ada.isRefused(4, 'POST', `/messages/${id}/translate`, { body })
    assert.equal(refusal.message, 'TranslateMessage failed with error: "translation is not configured"')
    await bo.isRefused(16, 'POST', `/messages/${id}/translate`, { body })
  })
})
