import assert from 'node:assert/strict'
import { chatHookEvents, moderationHookEvents } from '@parley/protocol/hooks'
import { it } from 'vitest'
import { type Person, path } from '../testing/person.ts'
import { onEveryTransport } from '../testing/stage.ts'

onEveryTransport((stage) => {
  const send = async (person: Person, room: string, event: object) =>
    (await person.does('POST', `${path(room)}/event`, { body: { event } })).event
  const refused = (code: number, person: Person, room: string, event: object) =>
    person.isRefused(code, 'POST', `${path(room)}/event`, { body: { event } })
  /** What people were told of this room. */
  const heardIn = async (room: string, person: Person) =>
    (await person.hasHeard()).filter(({ cid }) => cid === room).map(({ type }) => type)

  it('[TYP-4] [TYP-5] who types is seen by everybody who watches, and by nobody else', async () => {
    const { ada, bo, cy, company } = await stage.company('ada', 'bo', 'cy')
    const room = await company.opens([ada, bo, cy])
    await ada.watches(room)
    await bo.watches(room)
    await cy.connects()

    const event = await send(ada, room, { type: 'typing.start', parent_id: 'p1' })

    assert.deepEqual([event.type, event.cid, event.user.id, event.parent_id], ['typing.start', room, 'ada', 'p1'])
    assert.deepEqual(await bo.hears('typing.start'), event)
    assert.deepEqual(await ada.hears('typing.start'), event)
    await send(ada, room, { type: 'typing.stop' })
    assert.equal((await bo.hears('typing.stop')).user.id, 'ada')
    assert.deepEqual(await heardIn(room, cy), [])
  })

  it('[TYP-8] in channels without typing events, and for those who turned them off, nothing is sent', async () => {
    const { ada, bo, company } = await stage.company('ada', 'bo')
    const [room, stream] = [await company.opens([ada, bo]), await company.opens([ada, bo], {}, 'livestream')]
    await bo.watches(room)
    await bo.watches(stream)
    await send(ada, stream, { type: 'typing.start' })

    const privacy_settings = { typing_indicators: { enabled: false } }
    await company.does('POST', '/users', { body: { users: { ada: { id: 'ada', privacy_settings } } } })
    await send(ada, room, { type: 'typing.start' })

    // What follows on the same way has arrived, so that what was before it has not been sent.
    await send(ada, room, { type: 'over' })
    await send(ada, stream, { type: 'over' })
    await bo.hears('over', ({ cid }) => cid === room)
    await bo.hears('over', ({ cid }) => cid === stream)
    assert.equal((await bo.hasHeardTypes()).includes('typing.start'), false)
  })

  it('[CHN-24] an app’s own events reach the watchers as they were sent, with who sent them and where', async () => {
    const { ada, bo, company } = await stage.company('ada', 'bo')
    const room = await company.opens([ada, bo])
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

    const heard = await bo.hears('wave')
    assert.deepEqual([heard.hands, heard.cid, heard.user.id], [2, room, 'ada'])
    const counted = ['total_unread_count', 'unread_threads', 'watcher_count', 'channel_member_count']
    for (const field of [...counted, 'channel_last_message_at']) assert.equal(heard[field], undefined, field)
    assert.ok(heard.created_at > '2020')
    await send(ada, room, { type: 'ai_indicator.update', ai_state: 'AI_STATE_THINKING' })
    assert.equal((await bo.hears('ai_indicator.update')).ai_state, 'AI_STATE_THINKING')
    const { event } = await company.does('POST', `${path(room)}/event`, {
      body: { event: { type: 'bell' }, user_id: 'ada' },
    })
    assert.deepEqual(await bo.hears('bell'), event)
  })

  it('whoever is banned where everybody may write is not seen typing either, and sends no events', async () => {
    const { ada, bo, company } = await stage.company('ada', 'bo')
    await company.does('PUT', '/channeltypes/livestream', { body: { typing_events: true } })
    const stream = await company.opens([ada], {}, 'livestream')
    await ada.watches(stream)
    const ban = { target_user_id: 'bo', channel_cid: stream, banned_by_id: 'ada' }
    await company.does('POST', '/moderation/ban', { body: ban })

    await send(bo, stream, { type: 'typing.start' })
    await refused(17, bo, stream, { type: 'wave' })

    await send(ada, stream, { type: 'over' })
    await ada.hears('over')
    assert.equal((await ada.hasHeardTypes()).includes('typing.start'), false)
  })

  it('whoever is banned unseen where everybody may write is seen typing by nobody but themselves', async () => {
    const { ada, bo, company } = await stage.company('ada', 'bo')
    await company.does('PUT', '/channeltypes/livestream', { body: { typing_events: true } })
    const stream = await company.opens([ada], {}, 'livestream')
    await ada.watches(stream)
    await bo.watches(stream)
    const ban = { target_user_id: 'bo', channel_cid: stream, banned_by_id: 'ada', shadow: true }
    await company.does('POST', '/moderation/ban', { body: ban })

    await send(bo, stream, { type: 'typing.start' })
    await send(bo, stream, { type: 'wave' })

    await bo.hears('typing.start')
    await bo.hears('wave')
    await send(ada, stream, { type: 'over' })
    await ada.hears('over')
    assert.deepEqual(
      (await ada.hasHeardTypes()).filter((type) => type === 'typing.start' || type === 'wave'),
      [],
    )
  })

  it('[ERR-12] nobody can speak for the server, send too much, or send where they are not', async () => {
    const { ada, bo, company } = await stage.company('ada', 'bo')
    const room = await company.opens([ada])
    await ada.watches(room)

    for (const type of 'message.new health.check notification.mark_read member.removed user.deleted poll.closed'.split(
      ' ',
    ))
      await refused(18, ada, room, { type })
    await refused(22, ada, room, { type: 'wave', note: 'x'.repeat(5_200) })
    await refused(4, ada, room, {})
    await refused(17, bo, room, { type: 'wave' })
    assert.deepEqual(await heardIn(room, ada), [])
  })

  it('[ERR-12] nobody passes for the server before the app’s own server, which learns things from it alone', async () => {
    const { ada, company } = await stage.company('ada')
    const room = await company.opens([ada])
    for (const type of [...chatHookEvents, ...moderationHookEvents]) await refused(18, ada, room, { type })
    await send(ada, room, { type: 'flag.raised' })
  })
})
