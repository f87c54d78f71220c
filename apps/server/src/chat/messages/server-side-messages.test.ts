import assert from 'node:assert/strict'
import { it } from 'vitest'
import { onEveryStorage } from '../../testing/fixture.ts'
import { path } from '../../testing/test-user.ts'

onEveryStorage((fixture) => {
  it('the app’s server can set markup, translations and image labels of a message; a client cannot', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const extras = {
      html: '<b>Tea</b>',
      mml: '<mml>Tea</mml>',
      i18n: { language: 'en', fr_text: 'Thé' },
      image_labels: { 'tea.png': ['cup'] },
    }

    const sent = await appServer.does('POST', `${path(room)}/message`, {
      body: { message: { id: 'tea', text: 'Tea', user: { id: 'ada' }, ...extras } },
    })
    const own = await ada.sends(room, 'Coffee', extras)

    const of = ({ html, mml, i18n, image_labels }: Record<string, unknown>) => ({ html, mml, i18n, image_labels })
    assert.deepEqual(of(sent.message), extras)
    assert.deepEqual(of((await ada.opensChannel(room)).messages[0]!), extras)
    assert.deepEqual(of(own), { html: '<p>Coffee</p>\n', mml: undefined, i18n: undefined, image_labels: undefined })

    // A new text gets new HTML and has no translations yet.
    const edited = await ada.does('PUT', '/messages/tea', { body: { set: { text: 'Milk', mood: 'calm' } } })
    assert.deepEqual(of(edited.message), {
      html: '<p>Milk</p>\n',
      mml: undefined,
      i18n: undefined,
      image_labels: extras.image_labels,
    })
    const replaced = await appServer.does('POST', '/messages/tea', {
      body: { message: { text: 'Tea!', html: '<i>Tea!</i>', user_id: 'ada' } },
    })
    assert.equal(replaced.message.html, '<i>Tea!</i>')
    assert.equal(
      (await ada.does('PUT', '/messages/tea', { body: { set: { mood: 'loud' } } })).message.html,
      '<i>Tea!</i>',
    )
  })

  it('[MSG-45] custom fields may have any name that no field of a message has; a taken one is refused by name', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const custom = { priority: 'high', status: 'open', error: { code: 7 }, kind: 'ticket' }
    const of = ({ priority, status, error, kind }: Record<string, unknown>) => ({ priority, status, error, kind })
    const sent = await ada.sends(room, 'Tea', custom)
    assert.deepEqual(of(sent), custom)
    const changed = await ada.does('PUT', `/messages/${sent.id}`, { body: { set: { priority: 'low' } } })
    assert.deepEqual(of(changed.message), { ...custom, priority: 'low' })
    await ada.does('POST', `${path(room)}/draft`, { body: { message: { text: 'Later', ...custom } } })
    assert.deepEqual(of((await ada.does('GET', `${path(room)}/draft`)).draft.message), custom)

    const says = (message: object) => ada.isRefused(4, 'POST', `${path(room)}/message`, { body: { message } })
    const { exception_fields } = await says({ text: 'Tea', channel: 'news' })
    assert.deepEqual(Object.keys(exception_fields), ['message.channel'])
    await ada.isRefused(4, 'POST', `/messages/${sent.id}`, { body: { message: { text: 'Tea', channel: 'news' } } })
    await ada.isRefused(4, 'PUT', `/messages/${sent.id}`, { body: { set: { channel: 'news' } } })
    // A message may be sent back as it was read.
    const { message } = await ada.does('GET', `/messages/${sent.id}`)
    const again = await ada.does('POST', `/messages/${sent.id}`, { body: { message: { ...message, text: 'Milk' } } })
    assert.deepEqual([again.message.text, again.message.channel], ['Milk', undefined])
  })

  it('the app’s server can request the content of a deleted message', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const { id } = await ada.sends(room, 'Secret')
    await ada.does('DELETE', `/messages/${id}`)
    const query = { show_deleted_message: 'true' }

    const shown = (await appServer.does('GET', `/messages/${id}`, { query })).message
    assert.deepEqual([shown.type, shown.text, typeof shown.deleted_at], ['deleted', 'Secret', 'string'])
    assert.equal((await appServer.does('GET', `/messages/${id}`)).message.text, '')
    assert.equal((await ada.does('GET', `/messages/${id}`, { query })).message.text, '')
  })

  it('only the app’s server can name the user who deleted a message', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const { id } = await ada.sends(room, 'Hello')
    await ada.watches(room)
    await ada.isRefused(17, 'DELETE', `/messages/${id}`, { query: { deleted_by: 'bo' } })
    await appServer.does('DELETE', `/messages/${id}`, { query: { deleted_by: 'bo' } })
    assert.equal((await ada.receives('message.deleted')).user.id, 'bo')
  })

  it('an ephemeral edit is published to watchers, and not stored', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const { id } = await ada.sends(room, 'Thinking')
    await bo.watches(room)
    const left = new Date(fixture.clock.now()).toISOString()
    const body = { set: { text: 'Thinking…', progress: 40 } }

    const { message } = await ada.does('PATCH', `/messages/${id}/ephemeral`, { body })

    assert.deepEqual([message.text, message.progress], ['Thinking…', 40])
    const event = await bo.receives('message.updated')
    assert.deepEqual([event.message.text, event.message.progress], ['Thinking…', 40])
    assert.equal((await bo.does('GET', `/messages/${id}`)).message.text, 'Thinking')
    const { events } = await bo.does('POST', '/sync', { body: { channel_cids: [room], last_sync_at: left } })
    assert.deepEqual(events, [])
    await bo.isRefused(17, 'PATCH', `/messages/${id}/ephemeral`, { body })
    await ada.isRefused(20, 'PATCH', `/messages/${id}/ephemeral`, { body: { set: { text: 'x'.repeat(5_001) } } })
    await ada.does('DELETE', `/messages/${id}`)
    await ada.isRefused(4, 'PATCH', `/messages/${id}/ephemeral`, { body })
  })

  it('the author of a system message need not be the user who makes the change', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await ada.watches(room)
    const message = { text: 'Begin anew', user_id: 'bo' }

    const emptied = await appServer.does('POST', `${path(room)}/truncate`, { body: { message, user_id: 'ada' } })
    assert.deepEqual([emptied.message.user.id, emptied.channel.truncated_by.id], ['bo', 'ada'])
    const changed = await appServer.does('POST', path(room), {
      body: { data: { name: 'Tea' }, message, user_id: 'ada' },
    })
    assert.equal(changed.message.user.id, 'bo')
    assert.equal((await ada.receives('channel.updated')).user.id, 'ada')
    const stranger = { ...message, user_id: 'nobody' }
    await appServer.isRefused(4, 'POST', path(room), { body: { data: {}, message: stranger, user_id: 'ada' } })

    const own = await ada.does('POST', path(room), { body: { data: {}, message } })
    assert.equal(own.message.user.id, 'ada')
  })

  it('a message can leave a channel hidden', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await bo.does('POST', `${path(room)}/hide`, { body: {} })
    const hidden = async () => (await bo.opensChannel(room)).hidden
    const body = { message: { text: 'Psst' }, keep_channel_hidden: true, force_moderation: true, skip_push: true }

    await ada.does('POST', `${path(room)}/message`, { body })
    assert.equal(await hidden(), true)
    await ada.sends(room, 'Hello')
    assert.equal(await hidden(), false)
  })
})
