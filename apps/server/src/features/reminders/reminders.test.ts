import assert from 'node:assert/strict'
import type { Reminder } from '@parley/protocol/reminders'
import { it } from 'vitest'
import { onEveryTransport } from '../../testing/fixture.ts'
import { type AppServer, path, type TestUser } from '../../testing/test-user.ts'

onEveryTransport((fixture) => {
  const inMs = (ms: number) => new Date(fixture.clock.now() + ms).toISOString()
  const allows = (appServer: AppServer) =>
    appServer.does('PUT', '/channeltypes/messaging', { body: { user_message_reminders: true } })
  const minds = async (testUser: TestUser, id: string, remind_at?: string | null): Promise<Reminder> =>
    (await testUser.does('POST', `/messages/${id}/reminders`, { body: { remind_at } })).reminder
  const found = async (testUser: TestUser, body: object = {}): Promise<string[]> =>
    (await testUser.does('POST', '/reminders/query', { body })).reminders.map(
      (reminder: Reminder) => reminder.message?.text,
    )

  it('a reminder is set once per user and message, and other users do not see it', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await allows(appServer)
    const room = await appServer.opens([ada, bo])
    const lunch = await bo.sends(room, 'Lunch?')
    const tablet = ada.device(fixture.nodes.at(-1)!.url)
    await tablet.connects()
    await bo.connects()

    const saved = await minds(ada, lunch.id)
    assert.deepEqual([saved.message?.text, saved.channel?.cid, saved.user?.id], ['Lunch?', room, 'ada'])
    assert.equal(saved.remind_at, undefined)
    assert.equal((await tablet.receives('reminder.created')).reminder.message_id, lunch.id)
    const at = inMs(60_000)
    const { reminder } = await ada.does('PATCH', `/messages/${lunch.id}/reminders`, { body: { remind_at: at } })
    assert.equal(Date.parse(reminder.remind_at), Date.parse(at))
    await tablet.receives('reminder.updated')
    assert.equal((await ada.opensChannel(room)).messages[0]!.reminder?.remind_at, reminder.remind_at)
    assert.equal((await bo.opensChannel(room)).messages[0]!.reminder, undefined)
    assert.deepEqual(await found(bo), [])
    await minds(ada, lunch.id, inMs(90_000))
    assert.equal((await found(ada)).length, 1)
    await tablet.receives('reminder.updated')

    await ada.does('DELETE', `/messages/${lunch.id}/reminders`)
    await tablet.receives('reminder.deleted')
    await ada.isRefused(16, 'DELETE', `/messages/${lunch.id}/reminders`)
    await ada.isRefused(16, 'PATCH', `/messages/${lunch.id}/reminders`, { body: {} })
    assert.deepEqual(await found(ada), [])
    assert.ok(!(await bo.receivedTypes()).some((type) => type.startsWith('reminder')))
  })

  it('a reminder for an inaccessible message can be deleted', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await allows(appServer)
    const [room, other] = [await appServer.opens([ada, bo]), await appServer.opens([bo, ada])]
    const [gone, left] = [await bo.sends(room, 'Lunch?'), await bo.sends(other, 'Dinner?')]
    await minds(ada, gone.id, inMs(60_000))
    await minds(ada, left.id)
    await bo.does('DELETE', `/messages/${gone.id}`, { query: { hard: 'true' } })
    await appServer.does('POST', path(other), { body: { remove_members: ['ada'] } })
    await ada.connects()
    assert.deepEqual(await found(ada), [undefined, undefined])

    for (const { id } of [gone, left]) {
      await bo.isRefused(16, 'DELETE', `/messages/${id}/reminders`)
      await ada.does('DELETE', `/messages/${id}/reminders`)
      assert.equal((await ada.receives('reminder.deleted')).reminder.message_id, id)
    }
    assert.deepEqual(await found(ada), [])
  })

  it('a due reminder is published once to every device of its owner', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await allows(appServer)
    const room = await appServer.opens([ada, bo])
    const lunch = await bo.sends(room, 'Lunch?')
    const reply = await bo.sends(room, 'Pho', { parent_id: lunch.id })
    await minds(ada, lunch.id, inMs(20_000))
    await minds(ada, reply.id, inMs(20_000))
    await ada.does('PATCH', `/messages/${lunch.id}/reminders`, { body: { remind_at: inMs(30_000) } })
    const devices = [ada.device(), ada.device(fixture.nodes.at(-1)!.url)]
    for (const device of devices) await device.connects()

    fixture.clock.advance(21_000)
    for (const device of devices) {
      const due = await device.receives('notification.reminder_due')
      assert.deepEqual([due.message_id, due.parent_id, due.user_id], [reply.id, lunch.id, 'ada'])
      assert.deepEqual([due.cid, due.reminder.message.text], [room, 'Pho'])
    }
    fixture.clock.advance(10_000)
    for (const device of devices)
      assert.equal((await device.receives('notification.reminder_due')).message_id, lunch.id)
    fixture.clock.advance(10_000)
    for (const device of devices) assert.ok(!(await device.receivedTypes()).includes('notification.reminder_due'))
    assert.equal((await found(ada)).length, 2)
  })

  it('a deleted reminder, or one for an inaccessible message, is not published', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await allows(appServer)
    const [open, closed] = [await appServer.opens([ada, bo]), await appServer.opens([bo, ada])]
    const sent = []
    for (const [room, text] of [
      [open, 'taken back'],
      [open, 'deleted'],
      [open, 'erased'],
      [closed, 'closed'],
      [open, 'some day'],
    ] as const)
      sent.push(await bo.sends(room, text))
    for (const { id } of sent) await minds(ada, id, inMs(20_000))
    await ada.does('DELETE', `/messages/${sent[0]!.id}/reminders`)
    await bo.does('DELETE', `/messages/${sent[1]!.id}`)
    await bo.does('DELETE', `/messages/${sent[2]!.id}`, { query: { hard: 'true' } })
    await appServer.does('POST', path(closed), { body: { remove_members: ['ada'] } })
    await ada.does('PATCH', `/messages/${sent[4]!.id}/reminders`, { body: { remind_at: null } })
    const last = await bo.sends(open, 'still there')
    await minds(ada, last.id, inMs(20_500))
    await ada.connects()

    fixture.clock.advance(22_000)

    assert.equal((await ada.receives('notification.reminder_due')).message_id, last.id)
    assert.ok(!(await ada.receivedTypes()).includes('notification.reminder_due'))
    const left = await found(ada, { filter: { channel_cid: closed } })
    assert.deepEqual(left, [undefined])
  })

  it('reminders can be queried by message, channel and time, earliest first, in pages', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    await allows(appServer)
    const [one, two] = [await appServer.opens([ada]), await appServer.opens([ada])]
    const later = await ada.sends(one, 'later')
    const soon = await ada.sends(two, 'soon')
    const someDay = await ada.sends(one, 'some day')
    await minds(ada, later.id, inMs(9_000_000))
    await minds(ada, soon.id, inMs(5_000_000))
    await minds(ada, someDay.id)

    assert.deepEqual(await found(ada), ['soon', 'later', 'some day'])
    assert.deepEqual(await found(ada, { sort: [{ field: 'remind_at', direction: -1 }], limit: 1 }), ['later'])
    assert.deepEqual(await found(ada, { filter: { channel_cid: two } }), ['soon'])
    assert.deepEqual(await found(ada, { filter: { message_id: { $in: [later.id] } } }), ['later'])
    assert.deepEqual(await found(ada, { filter: { remind_at: { $exists: false } } }), ['some day'])
    assert.deepEqual(await found(ada, { filter: { remind_at: { $lte: inMs(6_000_000) } } }), ['soon'])
    assert.deepEqual(await found(ada, { offset: 1, limit: 1 }), ['later'])
    const { next } = await ada.does('POST', '/reminders/query', { body: { limit: 2 } })
    assert.deepEqual(await found(ada, { limit: 2, next }), ['some day'])
    await ada.isRefused(4, 'POST', '/reminders/query', { body: { next, offset: 1 } })
    await ada.isRefused(4, 'POST', '/reminders/query', { body: { filter: { mood: 'calm' } } })
  })

  it('reminders need a channel with reminders enabled, a future time, and are limited', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada])
    const { id } = await ada.sends(room, 'Hello')
    const asks = `/messages/${id}/reminders`
    await ada.isRefused(19, 'POST', asks, { body: {} })
    await allows(appServer)
    await bo.isRefused(16, 'POST', asks, { body: {} })
    await ada.isRefused(4, 'POST', asks, { body: { remind_at: 'noon' } })
    await ada.isRefused(4, 'POST', asks, { body: { remind_at: inMs(-1_000) } })
    await appServer.does('PATCH', '/app', { body: { reminders_max_per_user: 1 } })
    await minds(ada, id, inMs(60_000))
    await minds(ada, id, inMs(70_000))
    const other = await ada.sends(room, 'Hello again')
    await ada.isRefused(4, 'POST', `/messages/${other.id}/reminders`, { body: { remind_at: inMs(60_000) } })
    await minds(ada, other.id)
    await appServer.does('POST', asks, { body: { user_id: 'ada', remind_at: null } })
    await minds(ada, other.id, inMs(60_000))
  })

  it('the limit holds for concurrent reminders on several nodes and in several channels', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    await allows(appServer)
    await appServer.does('PATCH', '/app', { body: { reminders_max_per_user: 3 } })
    const set = async (device: TestUser) => {
      const { id } = await ada.sends(await appServer.opens([ada]), 'Hello')
      return () => device.call('POST', `/messages/${id}/reminders`, { body: { remind_at: inMs(60_000) } })
    }
    const devices = Array.from({ length: 12 }, (_, i) => ada.device(fixture.nodes[i % fixture.nodes.length]!.url))
    const calls = await Promise.all(devices.map(set))
    const answers = await Promise.all(calls.map((call) => call()))
    assert.equal(answers.filter(({ status }) => status === 201).length, 3)
  })

  it('[PIN-5] a pin ends at its time, and the watchers are notified', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const message = await ada.sends(room, 'Rules')
    await bo.watches(room)
    const pins = (until: string | null) =>
      ada.does('PUT', `/messages/${message.id}`, { body: { set: { pinned: true, pin_expires: until } } })
    await pins(inMs(10_000))
    await pins(inMs(20_000))
    const other = await ada.sends(room, 'More rules', { pinned: true, pin_expires: inMs(15_000) })
    for (const _ of [1, 2]) await bo.receives('message.updated')

    fixture.clock.advance(16_000)
    const ended = await bo.receives('message.updated')
    assert.deepEqual([ended.message_id, ended.message.pinned, ended.message.pin_expires], [other.id, false, null])
    assert.deepEqual(
      (await bo.opensChannel(room)).pinned_messages.map(({ id }) => id),
      [message.id],
    )
    fixture.clock.advance(5_000)
    assert.equal((await bo.receives('message.updated')).message_id, message.id)
    await pins(inMs(10_000))
    await pins(null)
    for (const _ of [1, 2]) await bo.receives('message.updated')
    fixture.clock.advance(11_000)
    assert.deepEqual(
      (await bo.opensChannel(room)).pinned_messages.map(({ id }) => id),
      [message.id],
    )
  })
})
