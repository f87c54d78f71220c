/** What users can hide: read receipts, delivery receipts, typing, and presence. */
import assert from 'node:assert/strict'
import { it } from 'vitest'
import { onEveryTransport } from '../../testing/fixture.ts'
import { type AppServer, path, type ReceivedEvent, type TestUser } from '../../testing/test-user.ts'

const off = { enabled: false }
const everything = { read_receipts: off, delivery_receipts: off, typing_indicators: off }
type Hidden = keyof typeof everything

onEveryTransport((fixture) => {
  const hides = (appServer: AppServer, id: string, privacy_settings: object) =>
    appServer.does('PATCH', '/users', { body: { users: [{ id, set: { privacy_settings } }] } })

  /** Bo reads, takes part in a thread, and has received all; ada and cy check what they see. */
  const aRoom = async (hidden: readonly Hidden[], when: 'before' | 'after') => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    await appServer.does('PUT', '/channeltypes/messaging', { body: { delivery_events: true } })
    const settings = Object.fromEntries(hidden.map((what) => [what, off]))
    if (when === 'before') await hides(appServer, 'bo', settings)
    const room = await appServer.opens([ada, bo, cy])
    const parent = await ada.sends(room, 'Shall we?')
    await bo.sends(room, 'Why not', { parent_id: parent.id })
    const phone = bo.device()
    for (const who of [ada, bo, cy]) await who.watches(room)
    await phone.watches(room)
    const start = new Date(fixture.clock.now()).toISOString()
    fixture.clock.advance(5_000)
    await ada.sends(room, 'In the thread', { parent_id: parent.id })
    const last = await ada.sends(room, 'In the channel')
    await bo.does('POST', '/channels/delivered', { body: { latest_delivered_messages: [{ cid: room, id: last.id }] } })
    await bo.reads(room)
    await bo.reads(room, { thread_id: parent.id })
    if (when === 'after') await hides(appServer, 'bo', settings)
    return { ada, bo, cy, phone, appServer, room, parent, start }
  }
  const reading = { read: true, thread: true, events: true }

  /** The places where a user finds bo’s read position. */
  const foundBy = async (
    who: TestUser,
    { room, parent, start }: { room: string; parent: { id: string }; start: string },
  ) => {
    const state = await who.opensChannel(room)
    const [listed] = (await who.does('POST', '/channels', { body: { filter_conditions: { cid: room }, state: true } }))
      .channels
    const { thread } = await who.does('GET', `/threads/${parent.id}`)
    const { threads } = await who.does('POST', '/threads', { body: {} })
    const { events } = await who.does('POST', '/sync', { body: { channel_cids: [room], last_sync_at: start } })
    const isOfBo = ({ user }: { user: { id: string } }) => user.id === 'bo'
    const seen = (read: { user: { id: string } }[]) => read.some(isOfBo)
    // biome-ignore lint/suspicious/noExplicitAny: threads as responses have them.
    const inThread = (all: any[]) =>
      all.some(
        ({ read, thread_participants }) =>
          seen(read) ||
          thread_participants.some(
            // biome-ignore lint/suspicious/noExplicitAny: as above.
            (each: any) => each.user_id === 'bo' && each.last_read_at > start,
          ),
      )
    return {
      read: seen(state.read) || seen(listed.read),
      thread: inThread([thread, ...threads]),
      events: events.some(
        (event: ReceivedEvent) =>
          (event.type === 'message.read' && isOfBo(event as never)) || (event.thread && inThread([event.thread])),
      ),
    }
  }

  for (const when of ['before', 'after'] as const) {
    it(`[READ-28] who hides read receipts is read by nobody else, in channels and threads (hidden ${when})`, async () => {
      const scene = await aRoom(['read_receipts'], when)
      const { ada, bo, cy, phone, parent, room } = scene
      for (const who of [ada, cy])
        assert.deepEqual(await foundBy(who, scene), { read: false, thread: false, events: false }, who.id)
      assert.deepEqual(await foundBy(bo, scene), reading, 'their own devices know')
      for (const who of [ada, cy, phone]) await who.received()
      await ada.sends(room, 'More', { parent_id: parent.id })
      await ada.sends(room, 'And more')
      await bo.reads(room)
      await bo.reads(room, { thread_id: parent.id })
      await bo.does('POST', '/channels/read', { body: { read_by_channel: { [room]: '' } } })
      for (const who of [ada, cy]) {
        const told = (await who.received()).filter((event) => event.type === 'message.read')
        assert.deepEqual(told, [], who.id)
      }
      await phone.receives('message.read')
      // Another user’s read of the thread shows every position.
      await cy.sends(room, 'Me too', { parent_id: parent.id })
      await cy.reads(room, { thread_id: parent.id })
      const { thread } = await ada.receives('message.read', (event) => event.thread !== undefined)
      const ofBo = thread.thread_participants.find((each: { user_id: string }) => each.user_id === 'bo')
      assert.equal(ofBo.last_read_at, ofBo.created_at)
      assert.deepEqual(
        thread.read.filter(({ user }: { user: { id: string } }) => user.id === 'bo'),
        [],
      )
    })

    it(`[READ-28] who hides delivery receipts is known to have received nothing (hidden ${when})`, async () => {
      const scene = await aRoom(['delivery_receipts'], when)
      const { ada, bo, room } = scene
      assert.deepEqual(await foundBy(ada, scene), reading)
      const entry = async (who: TestUser) =>
        (await who.opensChannel(room)).read.find(({ user }) => user.id === 'bo')?.last_delivered_at
      assert.equal(await entry(ada), undefined)
      await ada.received()
      const more = await ada.sends(room, 'More')
      await bo.does('POST', '/channels/delivered', {
        body: { latest_delivered_messages: [{ cid: room, id: more.id }] },
      })
      assert.ok(!(await ada.receivedTypes()).includes('message.delivered'))
    })
  }

  it('[READ-28] a user who hides nothing is visible, so that the checks above can fail', async () => {
    const scene = await aRoom([], 'before')
    assert.deepEqual(await foundBy(scene.ada, scene), reading)
    const types = await scene.ada.receivedTypes()
    assert.ok(types.includes('message.delivered') && types.filter((type) => type === 'message.read').length === 2)
  })

  it('[TYP-8] hiding typing applies in threads, too', async () => {
    const { ada, bo, room, parent, phone } = await aRoom(['typing_indicators'], 'before')
    await ada.received()
    for (const type of ['typing.start', 'typing.stop'])
      for (const event of [{ type }, { type, parent_id: parent.id }])
        await bo.does('POST', `${path(room)}/event`, { body: { event } })
    for (const who of [ada, phone])
      assert.deepEqual(
        (await who.receivedTypes()).filter((type) => type.startsWith('typing')),
        [],
      )
  })

  it('[CHN-64] an invisible user watches, and no other user notices', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const room = await appServer.opens([ada, bo, cy])
    await ada.watches(room)
    await bo.connects({ details: { invisible: true } })
    const own = await bo.watches(room)
    assert.deepEqual([own.watcher_count, own.watchers?.map(({ id }) => id)], [1, ['ada']])
    const look = async (who: TestUser) => {
      const state = await who.opensChannel(room, { watchers: { limit: 10 } })
      const [listed] = (
        await who.does('POST', '/channels', { body: { filter_conditions: { cid: room }, state: true } })
      ).channels
      assert.equal(listed.watcher_count, state.watcher_count)
      return [state.watcher_count, (state.watchers ?? []).map(({ id }) => id).sort()]
    }
    assert.deepEqual(await look(ada), [1, ['ada']])
    assert.deepEqual(await look(cy), [1, ['ada']])
    await ada.sends(room, 'Anybody here?')
    assert.equal((await ada.receives('message.new')).watcher_count, 1)
    assert.equal((await bo.receives('message.new')).message.text, 'Anybody here?', 'they hear all the same')
    assert.ok(!(await ada.receivedTypes()).some((type) => type.startsWith('user.watching')))

    // Becoming visible looks like coming online, becoming invisible like going offline.
    const turns = (invisible: boolean) =>
      appServer.does('PATCH', '/users', { body: { users: [{ id: 'bo', set: { invisible } }] } })
    await turns(false)
    const came = await ada.receives('user.watching.start')
    assert.deepEqual([came.user.id, came.watcher_count], ['bo', 2])
    assert.deepEqual(await look(ada), [2, ['ada', 'bo']])
    await turns(true)
    const went = await ada.receives('user.watching.stop')
    assert.deepEqual([went.user.id, went.watcher_count, went.user.online], ['bo', 1, false])
    assert.deepEqual(await look(ada), [1, ['ada']])
    await ada.received()
    await bo.leaves()
    assert.ok(!(await ada.receivedTypes()).some((type) => type.startsWith('user.watching')))
    assert.deepEqual(await look(ada), [1, ['ada']])
  })
})
