import assert from 'node:assert/strict'
import { it } from 'vitest'
import type { RunningServer } from '../app.ts'
import { eventually } from '../testing/eventually.ts'
import { type Person, path } from '../testing/person.ts'
import { onEveryTransport } from '../testing/stage.ts'

const DAY_MS = 24 * 3_600_000
const HOUR_MS = 3_600_000
/** A connection outlasts this much silence. */
const CONNECTED_MS = 20_000

onEveryTransport((stage) => {
  const textsOf = async (person: Person, room: string) =>
    (await person.opensChannel(room)).messages.map(({ text }) => text)

  it('[CHN-62] a channel type keeps messages for as many days as it says, and then nobody has them any more', async () => {
    const { ada, bo, cy, company } = await stage.company('ada', 'bo', 'cy')
    await company.does('POST', '/channeltypes', { body: { name: 'counter', count_messages: true } })
    const room = await company.opens([ada, bo, cy], {}, 'counter')
    const old = await ada.says(room, 'The old price')
    await cy.says(room, 'In the thread', { parent_id: old.id })
    await cy.says(room, 'Mine, and old')
    stage.clock.advance(3 * DAY_MS)
    await ada.says(room, 'The new price')
    // Who has marked everything unread has own messages among it.
    await cy.does('POST', `${path(room)}/unread`, { body: { message_id: old.id } })
    await cy.says(room, 'Not read by bo')
    assert.deepEqual(await textsOf(bo, room), ['The old price', 'Mine, and old', 'The new price', 'Not read by bo'])

    await company.does('PUT', '/channeltypes/counter', { body: { message_retention: '2' } })
    stage.clock.advance(HOUR_MS - CONNECTED_MS)
    await bo.watches(room)
    stage.clock.advance(CONNECTED_MS)
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
      async () => (await company.call('GET', `/messages/${old.id}`)).status === 404,
      'they are erased, and not only hidden',
    )

    // Whoever was connected goes on with the right counts.
    await ada.says(room, 'One more')
    const told = await bo.hears('message.new', ({ message }) => message.text === 'One more')
    assert.equal(told.total_unread_count, 3)
    assert.equal((await bo.does('GET', '/unread')).total_unread_count, 3)
  })

  it('[CHN-62] whoever marked old messages unread has only those unread that are left', async () => {
    const { ada, bo, company } = await stage.company('ada', 'bo')
    await company.does('POST', '/channeltypes', { body: { name: 'brief' } })
    const room = await company.opens([ada, bo], {}, 'brief')
    const first = await ada.says(room, 'Old')
    await bo.says(room, 'Old, of bo')
    stage.clock.advance(3 * DAY_MS)
    await bo.says(room, 'New, of bo')
    await ada.says(room, 'New')
    await bo.does('POST', `${path(room)}/unread`, { body: { message_id: first.id } })
    const unreadOf = async () =>
      (await bo.opensChannel(room)).read!.find(({ user }) => user.id === 'bo')!.unread_messages
    assert.equal(await unreadOf(), 2)

    await company.does('PUT', '/channeltypes/brief', { body: { message_retention: '1' } })
    stage.clock.advance(HOUR_MS)
    await eventually(async () => (await textsOf(bo, room)).length === 2, 'the old messages are gone')
    assert.equal(await unreadOf(), 1)
  })

  it('[CHN-62] [READ-18] whoever is connected then is told only of those unread that are left', async () => {
    const { ada, bo, company } = await stage.company('ada', 'bo')
    await company.does('POST', '/channeltypes', { body: { name: 'swift' } })
    const room = await company.opens([ada, bo], {}, 'swift')
    const first = await ada.says(room, 'Old')
    stage.clock.advance(3 * DAY_MS)
    await bo.says(room, 'New, of bo')
    await ada.says(room, 'New')
    await bo.does('POST', `${path(room)}/unread`, { body: { message_id: first.id } })
    await company.does('PUT', '/channeltypes/swift', { body: { message_retention: '1' } })
    stage.clock.advance(HOUR_MS - CONNECTED_MS)
    await bo.connects()
    assert.equal(bo.me.total_unread_count, 2)
    stage.clock.advance(CONNECTED_MS)
    await eventually(async () => (await textsOf(bo, room)).length === 2, 'the old message is gone')

    const totalsOf = ({ server }: RunningServer) => server.hub.user(company.app.id, 'bo')?.totals.unread
    await eventually(() => stage.nodes.map(totalsOf).includes(1), 'bo has one unread')
    await ada.says(room, 'One more')
    assert.equal((await bo.hears('notification.message_new')).total_unread_count, 2)
  })

  it('[CHN-62] a type that keeps everything keeps it, and a channel in which nothing is old stays as it is', async () => {
    const { ada, company } = await stage.company('ada')
    await company.does('POST', '/channeltypes', { body: { name: 'short', message_retention: '1' } })
    const [kept, old] = [await company.opens([ada]), await company.opens([ada], {}, 'short')]
    for (const room of [kept, old]) await ada.says(room, 'Long ago')
    stage.clock.advance(30 * DAY_MS)
    const fresh = await company.opens([ada], {}, 'short')
    await ada.says(fresh, 'Just now')
    stage.clock.advance(HOUR_MS)
    await eventually(async () => (await textsOf(ada, old)).length === 0, 'all channels were looked at')
    assert.deepEqual([await textsOf(ada, kept), await textsOf(ada, fresh)], [['Long ago'], ['Just now']])
    assert.equal('truncated_at' in (await ada.opensChannel(fresh)).channel, false)
  })
})
