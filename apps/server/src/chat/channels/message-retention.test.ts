import assert from 'node:assert/strict'
import { it } from 'vitest'
import type { RunningServer } from '../../app.ts'
import { eventually } from '../../testing/eventually.ts'
import { onEveryTransport } from '../../testing/fixture.ts'
import { path, type TestUser } from '../../testing/test-user.ts'

const DAY_MS = 24 * 3_600_000
const HOUR_MS = 3_600_000
/** A connection survives this long without traffic. */
const CONNECTED_MS = 20_000

onEveryTransport((fixture) => {
  const textsOf = async (testUser: TestUser, room: string) =>
    (await testUser.opensChannel(room)).messages.map(({ text }) => text)

  it('[CHN-62] messages older than the retention of their channel type are erased for all users', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    await appServer.does('POST', '/channeltypes', { body: { name: 'counter', count_messages: true } })
    const room = await appServer.opens([ada, bo, cy], {}, 'counter')
    const old = await ada.sends(room, 'The old price')
    await cy.sends(room, 'In the thread', { parent_id: old.id })
    await cy.sends(room, 'Mine, and old')
    fixture.clock.advance(3 * DAY_MS)
    await ada.sends(room, 'The new price')
    // A user who marked everything unread has own messages among it.
    await cy.does('POST', `${path(room)}/unread`, { body: { message_id: old.id } })
    await cy.sends(room, 'Not read by bo')
    assert.deepEqual(await textsOf(bo, room), ['The old price', 'Mine, and old', 'The new price', 'Not read by bo'])

    await appServer.does('PUT', '/channeltypes/counter', { body: { message_retention: '2' } })
    fixture.clock.advance(HOUR_MS - CONNECTED_MS)
    await bo.watches(room)
    fixture.clock.advance(CONNECTED_MS)
    await eventually(async () => (await textsOf(bo, room)).length === 2, 'the old messages are gone')

    const { channel, messages, read } = await bo.opensChannel(room)
    assert.deepEqual(
      messages.map(({ text }) => text),
      ['The new price', 'Not read by bo'],
    )
    assert.equal(channel.message_count, 2)
    const unread = Object.fromEntries(read!.map((entry) => [entry.user.id, entry.unread_messages]))
    assert.deepEqual(unread, { ada: 1, bo: 2, cy: 0 })
    assert.equal((await bo.does('GET', '/unread')).total_unread_count, 2)
    await bo.isRefused(16, 'GET', `/messages/${old.id}`)
    await eventually(
      async () => (await appServer.call('GET', `/messages/${old.id}`)).status === 404,
      'they are erased, and not only hidden',
    )

    // A connected user keeps the right counts.
    await ada.sends(room, 'One more')
    const told = await bo.receives('message.new', ({ message }) => message.text === 'One more')
    assert.equal(told.total_unread_count, 3)
    assert.equal((await bo.does('GET', '/unread')).total_unread_count, 3)
  })

  it('[CHN-62] after retention only the remaining messages are unread for a user who marked old ones unread', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await appServer.does('POST', '/channeltypes', { body: { name: 'brief' } })
    const room = await appServer.opens([ada, bo], {}, 'brief')
    const first = await ada.sends(room, 'Old')
    await bo.sends(room, 'Old, of bo')
    fixture.clock.advance(3 * DAY_MS)
    await bo.sends(room, 'New, of bo')
    await ada.sends(room, 'New')
    await bo.does('POST', `${path(room)}/unread`, { body: { message_id: first.id } })
    const unreadOf = async () =>
      (await bo.opensChannel(room)).read!.find(({ user }) => user.id === 'bo')!.unread_messages
    assert.equal(await unreadOf(), 2)

    await appServer.does('PUT', '/channeltypes/brief', { body: { message_retention: '1' } })
    fixture.clock.advance(HOUR_MS)
    await eventually(async () => (await textsOf(bo, room)).length === 2, 'the old messages are gone')
    assert.equal(await unreadOf(), 1)
  })

  it('[CHN-62] [READ-18] after retention a connected user receives only the remaining unread count', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await appServer.does('POST', '/channeltypes', { body: { name: 'swift' } })
    const room = await appServer.opens([ada, bo], {}, 'swift')
    const first = await ada.sends(room, 'Old')
    fixture.clock.advance(3 * DAY_MS)
    await bo.sends(room, 'New, of bo')
    await ada.sends(room, 'New')
    await bo.does('POST', `${path(room)}/unread`, { body: { message_id: first.id } })
    await appServer.does('PUT', '/channeltypes/swift', { body: { message_retention: '1' } })
    fixture.clock.advance(HOUR_MS - CONNECTED_MS)
    await bo.connects()
    assert.equal(bo.me.total_unread_count, 2)
    fixture.clock.advance(CONNECTED_MS)
    await eventually(async () => (await textsOf(bo, room)).length === 2, 'the old message is gone')

    const totalsOf = ({ server }: RunningServer) => server.hub.user(appServer.app.id, 'bo')?.totals.unread
    await eventually(() => fixture.nodes.map(totalsOf).includes(1), 'bo has one unread')
    await ada.sends(room, 'One more')
    assert.equal((await bo.receives('notification.message_new')).total_unread_count, 2)
  })

  it('[CHN-62] a type without retention keeps all messages, and a channel without old ones does not change', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    await appServer.does('POST', '/channeltypes', { body: { name: 'short', message_retention: '1' } })
    const [kept, old] = [await appServer.opens([ada]), await appServer.opens([ada], {}, 'short')]
    for (const room of [kept, old]) await ada.sends(room, 'Long ago')
    fixture.clock.advance(30 * DAY_MS)
    const fresh = await appServer.opens([ada], {}, 'short')
    await ada.sends(fresh, 'Just now')
    fixture.clock.advance(HOUR_MS)
    await eventually(async () => (await textsOf(ada, old)).length === 0, 'all channels were looked at')
    assert.deepEqual([await textsOf(ada, kept), await textsOf(ada, fresh)], [['Long ago'], ['Just now']])
    assert.equal('truncated_at' in (await ada.opensChannel(fresh)).channel, false)
  })
})
