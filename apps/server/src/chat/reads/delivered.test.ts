import assert from 'node:assert/strict'
import { it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { onEveryTransport } from '../../testing/fixture.ts'
import { type AppServer, path, type TestUser } from '../../testing/test-user.ts'

onEveryTransport((fixture) => {
  const got = (testUser: TestUser, ...latest_delivered_messages: { cid: string; id: string }[]) =>
    testUser.does('POST', '/channels/delivered', { body: { latest_delivered_messages } })
  const entry = async (viewer: TestUser, room: string, id: string) =>
    (await viewer.opensChannel(room)).read.find(({ user }) => user.id === id)

  /** A change made through another node arrives a moment later. */
  const turnsOn = async ({ appServer, bo }: { appServer: AppServer; bo: TestUser }, room: string) => {
    await appServer.does('PUT', '/channeltypes/messaging', { body: { delivery_events: true } })
    const isOn = async () => (await bo.opensChannel(room)).channel.config!.delivery_events
    await eventually(isOn, 'bo’s node knows of it')
  }

  it('a watcher gets the last message delivered to a member, and it never moves back', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const [tea, milk] = [await appServer.opens([ada, bo]), await appServer.opens([ada, bo])]
    await turnsOn({ appServer, bo }, tea)
    const [one, two] = [await ada.sends(tea, 'One'), await ada.sends(tea, 'Two')]
    const other = await ada.sends(milk, 'Milk?')
    for (const room of [tea, milk]) await ada.watches(room)

    await got(bo, { cid: tea, id: two.id }, { cid: milk, id: other.id })

    const heard = await ada.receives('message.delivered', ({ cid }) => cid === tea)
    assert.deepEqual([heard.user.id, heard.last_delivered_message_id], ['bo', two.id])
    await ada.receives('message.delivered', ({ cid }) => cid === milk)
    const read = await entry(ada, tea, 'bo')
    assert.deepEqual([read?.last_delivered_message_id, read?.last_delivered_at], [two.id, heard.last_delivered_at])
    assert.equal(read?.unread_messages, 2)
    await got(bo, { cid: tea, id: one.id })
    await got(ada, { cid: tea, id: two.id })
    assert.ok(!(await ada.receivedTypes()).includes('message.delivered'))
    assert.equal((await entry(ada, tea, 'bo'))?.last_delivered_message_id, two.id)
    await bo.reads(tea)
    assert.equal((await entry(ada, tea, 'bo'))?.last_delivered_message_id, two.id)
  })

  it('a member who returns to a channel, or joins one created again, has no delivery position there', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await turnsOn({ appServer, bo }, room)
    const reached = async () => (await entry(ada, room, 'bo'))?.last_delivered_message_id
    const { id } = await ada.sends(room, 'One')
    await got(bo, { cid: room, id })
    assert.equal(await reached(), id)
    for (const body of [{ remove_members: ['bo'] }, { add_members: ['bo'] }])
      await appServer.does('POST', path(room), { body })
    assert.equal(await reached(), undefined)

    const isBack = async () => (await bo.call('POST', `${path(room)}/query`, { body: {} })).status === 200
    await eventually(isBack, 'bo’s node knows that he is back')
    await got(bo, { cid: room, id })
    await appServer.does('DELETE', path(room))
    const data = { created_by_id: 'ada', members: ['ada', 'bo'] }
    await appServer.does('POST', `${path(room)}/query`, { body: { data } })
    assert.equal(await reached(), undefined)
  })

  it('no delivery receipt is published for users who hide it, or where receipts are off', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const room = await appServer.opens([ada, bo])
    const { id } = await ada.sends(room, 'One')
    await ada.watches(room)
    const body = { latest_delivered_messages: [{ cid: room, id }] }

    await got(bo, { cid: room, id })
    await turnsOn({ appServer, bo }, room)
    const hides = (enabled: boolean) =>
      bo.does('PATCH', '/users', {
        body: { users: [{ id: 'bo', set: { privacy_settings: { delivery_receipts: { enabled } } } }] },
      })
    await hides(false)
    await got(bo, { cid: room, id })
    assert.ok(!(await ada.receivedTypes()).includes('message.delivered'))
    await hides(true)
    await got(bo, { cid: room, id })
    await ada.receives('message.delivered')
    assert.equal((await entry(ada, room, 'bo'))?.last_delivered_message_id, id)
    await hides(false)
    const isHidden = async () => (await entry(ada, room, 'bo'))?.last_delivered_message_id === undefined
    await eventually(isHidden, 'ada’s node knows that bo hides it')
    assert.equal((await entry(bo, room, 'bo'))?.last_delivered_message_id, id)
    await cy.isRefused(17, 'POST', '/channels/delivered', { body })
    await bo.isRefused(4, 'POST', '/channels/delivered', { body: { latest_delivered_messages: [] } })
    await bo.isRefused(16, 'POST', '/channels/delivered', {
      body: { latest_delivered_messages: [{ cid: 'messaging:nowhere', id }] },
    })
  })
})
