import assert from 'node:assert/strict'
import { chatHookEvents, moderationHookEvents } from '@parley/protocol/hooks'
import { it } from 'vitest'
import { onEveryTransport } from '../../testing/fixture.ts'
import { path, type TestUser } from '../../testing/test-user.ts'

onEveryTransport((fixture) => {
  const send = async (testUser: TestUser, room: string, event: object) =>
    (await testUser.does('POST', `${path(room)}/event`, { body: { event } })).event
  const refused = (code: number, testUser: TestUser, room: string, event: object) =>
    testUser.isRefused(code, 'POST', `${path(room)}/event`, { body: { event } })
  /** The events of this room that users received. */
  const receivedIn = async (room: string, testUser: TestUser) =>
    (await testUser.received()).filter(({ cid }) => cid === room).map(({ type }) => type)

  it('[TYP-4] [TYP-5] a typing event reaches all watchers, and no other users', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const room = await appServer.opens([ada, bo, cy])
    await ada.watches(room)
    await bo.watches(room)
    await cy.connects()

    const event = await send(ada, room, { type: 'typing.start', parent_id: 'p1' })

    assert.deepEqual([event.type, event.cid, event.user.id, event.parent_id], ['typing.start', room, 'ada', 'p1'])
    assert.deepEqual(await bo.receives('typing.start'), event)
    assert.deepEqual(await ada.receives('typing.start'), event)
    await send(ada, room, { type: 'typing.stop' })
    assert.equal((await bo.receives('typing.stop')).user.id, 'ada')
    assert.deepEqual(await receivedIn(room, cy), [])
  })

  it('[TYP-8] in channels without typing events, and for users who turned them off, nothing is sent', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const [room, stream] = [await appServer.opens([ada, bo]), await appServer.opens([ada, bo], {}, 'livestream')]
    await bo.watches(room)
    await bo.watches(stream)
    await send(ada, stream, { type: 'typing.start' })

    const privacy_settings = { typing_indicators: { enabled: false } }
    await appServer.does('POST', '/users', { body: { users: { ada: { id: 'ada', privacy_settings } } } })
    await send(ada, room, { type: 'typing.start' })

    // A later event on the same connection has arrived, so the earlier one was not sent.
    await send(ada, room, { type: 'over' })
    await send(ada, stream, { type: 'over' })
    await bo.receives('over', ({ cid }) => cid === room)
    await bo.receives('over', ({ cid }) => cid === stream)
    assert.equal((await bo.receivedTypes()).includes('typing.start'), false)
  })

  it('[CHN-24] custom events reach the watchers as they were sent, with their sender and channel', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await bo.watches(room)

    await send(ada, room, {
      type: 'wave',
      hands: 2,
      cid: 'messaging:x',
      created_at: '2001-01-01T00:00:00Z',
      user: { id: 'bo' },
      total_unread_count: 99,
      unread_threads: 9,
      watcher_count: 99,
      channel_member_count: 99,
      channel_last_message_at: '2001-01-01T00:00:00Z',
    })

    const heard = await bo.receives('wave')
    assert.deepEqual([heard.hands, heard.cid, heard.user.id], [2, room, 'ada'])
    const counted = ['total_unread_count', 'unread_threads', 'watcher_count', 'channel_member_count']
    for (const field of [...counted, 'channel_last_message_at']) assert.equal(heard[field], undefined, field)
    assert.ok(heard.created_at > '2020')
    await send(ada, room, { type: 'ai_indicator.update', ai_state: 'AI_STATE_THINKING' })
    assert.equal((await bo.receives('ai_indicator.update')).ai_state, 'AI_STATE_THINKING')
    const { event } = await appServer.does('POST', `${path(room)}/event`, {
      body: { event: { type: 'bell' }, user_id: 'ada' },
    })
    assert.deepEqual(await bo.receives('bell'), event)
  })

  it('a banned user sends no typing or custom events, where all users may write', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await appServer.does('PUT', '/channeltypes/livestream', { body: { typing_events: true } })
    const stream = await appServer.opens([ada], {}, 'livestream')
    await ada.watches(stream)
    const ban = { target_user_id: 'bo', channel_cid: stream, banned_by_id: 'ada' }
    await appServer.does('POST', '/moderation/ban', { body: ban })

    await send(bo, stream, { type: 'typing.start' })
    await refused(17, bo, stream, { type: 'wave' })

    await send(ada, stream, { type: 'over' })
    await ada.receives('over')
    assert.equal((await ada.receivedTypes()).includes('typing.start'), false)
  })

  it('typing of a shadow-banned user is seen by that user only, where all users may write', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await appServer.does('PUT', '/channeltypes/livestream', { body: { typing_events: true } })
    const stream = await appServer.opens([ada], {}, 'livestream')
    await ada.watches(stream)
    await bo.watches(stream)
    const ban = { target_user_id: 'bo', channel_cid: stream, banned_by_id: 'ada', shadow: true }
    await appServer.does('POST', '/moderation/ban', { body: ban })

    await send(bo, stream, { type: 'typing.start' })
    await send(bo, stream, { type: 'wave' })

    await bo.receives('typing.start')
    await bo.receives('wave')
    await send(ada, stream, { type: 'over' })
    await ada.receives('over')
    assert.deepEqual(
      (await ada.receivedTypes()).filter((type) => type === 'typing.start' || type === 'wave'),
      [],
    )
  })

  it('[ERR-12] a client cannot send server events, too much data, or events to other channels', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada])
    await ada.watches(room)

    for (const type of 'message.new health.check notification.mark_read member.removed user.deleted poll.closed'.split(
      ' ',
    ))
      await refused(18, ada, room, { type })
    await refused(22, ada, room, { type: 'wave', note: 'x'.repeat(5_200) })
    await refused(4, ada, room, {})
    await refused(17, bo, room, { type: 'wave' })
    assert.deepEqual(await receivedIn(room, ada), [])
  })

  it('[ERR-12] a client cannot forge events that only the app’s server gets', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    for (const type of [...chatHookEvents, ...moderationHookEvents]) await refused(18, ada, room, { type })
    await send(ada, room, { type: 'flag.raised' })
  })
})
