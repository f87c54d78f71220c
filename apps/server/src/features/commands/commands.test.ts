import assert from 'node:assert/strict'
import { it } from 'vitest'
import { onEveryStorage } from '../../testing/fixture.ts'
import { path } from '../../testing/test-user.ts'

onEveryStorage((fixture) => {
  it('[CMD-1] [CMD-2] [CMD-10] [CMD-12] a moderator bans with a slash, and nobody sees the command', async () => {
    const { ada, bo, cleo, appServer } = await fixture.createApp('ada', 'bo', 'cleo')
    const room = await appServer.opens([cleo, bo])
    await appServer.does('POST', path(room), {
      body: { add_members: [{ user_id: 'ada', channel_role: 'channel_moderator' }] },
    })
    await cleo.watches(room)

    const refused = await cleo.sends(room, '/ban @bo')
    assert.equal(refused.type, 'error')
    const answer = await ada.sends(room, '/ban @Bo rude words', { mentioned_users: ['bo'] })
    assert.deepEqual(
      [answer.type, answer.text, answer.user.id],
      ['ephemeral', 'Bo is banned from this channel.', 'ada'],
    )
    const event = await cleo.receives('user.banned')
    assert.deepEqual([event.user.id, event.reason, event.created_by.id], ['bo', 'rude words', 'ada'])
    await bo.isRefused(17, 'POST', `${path(room)}/message`, { body: { message: { text: 'Why?' } } })

    assert.equal((await ada.sends(room, '/unban @bo')).type, 'ephemeral')
    await bo.sends(room, 'Sorry')
    await cleo.receives('message.new')
    assert.equal((await cleo.receivedTypes()).includes('message.new'), false)
    const { messages } = await cleo.opensChannel(room)
    assert.deepEqual(
      messages.map(({ text }) => text),
      ['Sorry'],
    )
  })

  it('[CMD-10] moderators and admins of the company ban and unban in every channel they write in', async () => {
    const { ada, bo, cleo, appServer } = await fixture.createApp('ada', 'bo', 'cleo')
    const roles = { ada: { id: 'ada', role: 'moderator' }, cleo: { id: 'cleo', role: 'admin' } }
    await appServer.does('POST', '/users', { body: { users: roles } })
    const room = await appServer.opens([bo, ada, cleo])
    for (const who of [ada, cleo]) {
      assert.equal((await who.sends(room, '/ban @bo')).type, 'ephemeral')
      await bo.isRefused(17, 'POST', `${path(room)}/message`, { body: { message: { text: 'Why?' } } })
      assert.equal((await who.sends(room, '/unban @bo')).type, 'ephemeral')
      await bo.sends(room, 'Thank you')
    }
    for (const text of ['/ban @ada', '/unban @ada']) assert.equal((await bo.sends(room, text)).type, 'error')
  })

  it('[CMD-3] [CMD-4] [CMD-10] everybody mutes for themself', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    assert.equal((await bo.sends(room, '/mute @ada')).text, 'Ada is muted for you.')
    const { me } = await bo.connects()
    assert.deepEqual([me.mutes.length, me.mutes[0].target.id], [1, 'ada'])
    assert.equal((await bo.sends(room, '/unmute @ada')).type, 'ephemeral')
    assert.deepEqual((await bo.receives('notification.mutes_updated')).me.mutes, [])
    for (const text of ['/mute @nobody', '/mute', '/mute @bo']) assert.equal((await bo.sends(room, text)).type, 'error')
  })

  it('[CMD-12] what is no command is text', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    for (const text of ['/dance', '//ban @bo', 'see /ban', '/ban-bo'])
      assert.equal((await ada.sends(room, text)).type, 'regular')
    assert.equal((await ada.opensChannel(room)).messages.length, 4)
  })

  it('[CMD-6] the commands there are', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    for (const caller of [ada, appServer]) {
      const { commands } = await caller.does('GET', '/commands')
      assert.deepEqual(
        commands.map(({ name }: { name: string }) => name),
        ['giphy', 'ban', 'unban', 'mute', 'unmute', 'flag'],
      )
    }
    assert.equal((await ada.does('GET', '/commands/ban')).args, '[@username] [text]')
    await ada.isRefused(16, 'GET', '/commands/dance')
  })
})
