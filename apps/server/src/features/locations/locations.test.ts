import assert from 'node:assert/strict'
import { it } from 'vitest'
import { onEveryTransport } from '../../testing/fixture.ts'
import { justBefore } from '../../testing/just-before.ts'
import { type AppServer, path, type TestUser } from '../../testing/test-user.ts'

onEveryTransport((fixture) => {
  const inMs = (ms: number) => new Date(fixture.clock.now() + ms).toISOString()
  const allows = (appServer: AppServer) =>
    appServer.does('PUT', '/channeltypes/messaging', { body: { shared_locations: true } })
  const here = { latitude: 48.2, longitude: 16.37, created_by_device_id: 'phone' }
  const shares = (testUser: TestUser, room: string, fields: object = {}) =>
    testUser.sends(room, '', { shared_location: { ...here, ...fields } })
  const moves = (testUser: TestUser, message_id: string, fields: object = {}) =>
    testUser.does('PUT', '/users/live_locations', { body: { message_id, created_by_device_id: 'phone', ...fields } })
  const live = async (testUser: TestUser) =>
    (await testUser.does('GET', '/users/live_locations')).active_live_locations.map(
      ({ message_id }: { message_id: string }) => message_id,
    )

  it('a live location is shared for a while, moves, and ends by itself', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await allows(appServer)
    const room = await appServer.opens([ada, bo])
    await bo.watches(room)
    const fixed = await shares(ada, room)
    const message = await shares(ada, room, { end_at: inMs(20_000) })

    const { shared_location: shared } = (await bo.receives('message.new', (event) => event.message.id === message.id))
      .message
    assert.deepEqual([shared.latitude, shared.user_id, shared.channel_cid], [48.2, 'ada', room])
    assert.deepEqual([shared.message_id, typeof shared.end_at], [message.id, 'string'])
    assert.equal((fixed.shared_location as { end_at?: string }).end_at, undefined)
    const elsewhere = await shares(ada, room, { end_at: '2099-06-01T02:00:00.500+02:00' })
    assert.equal(elsewhere.shared_location?.end_at, '2099-06-01T00:00:00.5Z')
    await ada.does('DELETE', `/messages/${elsewhere.id}`)
    assert.deepEqual(await live(ada), [message.id])
    assert.deepEqual(await live(bo), [])

    const moved = await moves(ada, message.id, { latitude: 48.3 })
    assert.deepEqual([moved.latitude, moved.longitude], [48.3, 16.37])
    assert.equal((await bo.receives('message.updated')).message.shared_location.latitude, 48.3)
    const state = await bo.opensChannel(room)
    assert.deepEqual(state.active_live_locations, [{ ...shared, latitude: 48.3, updated_at: moved.updated_at }])

    fixture.clock.advance(21_000)
    assert.equal((await bo.receives('message.updated')).message_id, message.id)
    assert.deepEqual(await live(ada), [])
    assert.equal((await bo.opensChannel(room)).active_live_locations, undefined)
    await ada.isRefused(4, 'PUT', '/users/live_locations', {
      body: { message_id: message.id, created_by_device_id: 'phone', latitude: 1 },
    })
  })

  it('[MOD-17] a banned user cannot move a location that others see, but can end it', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await allows(appServer)
    const room = await appServer.opens([ada, bo])
    const [first, second] = [
      await shares(ada, room, { end_at: inMs(600_000) }),
      await shares(ada, room, { end_at: inMs(600_000) }),
    ]
    await bo.watches(room)
    const ban = { target_user_id: 'ada', channel_cid: room, user_id: 'bo' }
    await appServer.does('POST', '/moderation/ban', { body: ban })
    await bo.receives('user.banned')

    const body = { message_id: first.id, created_by_device_id: 'phone' }
    await ada.isRefused(17, 'PUT', '/users/live_locations', { body: { ...body, latitude: 1 } })
    await ada.isRefused(17, 'PUT', '/users/live_locations', { body: { ...body, latitude: 1, end_at: inMs(-1) } })
    await moves(ada, first.id, { end_at: inMs(-1) })
    assert.equal((await bo.receives('message.updated')).message_id, first.id)
    await appServer.does('POST', '/moderation/ban', { body: { ...ban, shadow: true } })
    assert.equal((await moves(ada, second.id, { latitude: 1 })).latitude, 1)
    assert.equal((await bo.receives('message.deleted')).message_id, second.id)
    assert.deepEqual(await live(ada), [second.id])
    assert.equal((await bo.opensChannel(room)).active_live_locations, undefined)
  })

  it('the owner of a location can end it early, and keeps it through an edit', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await allows(appServer)
    const room = await appServer.opens([ada, bo])
    const message = await shares(ada, room, { end_at: inMs(600_000) })
    await ada.does('PUT', `/messages/${message.id}`, { body: { set: { text: 'On my way' } } })
    await ada.does('PUT', `/messages/${message.id}`, { body: { set: { text: '' } } })
    assert.deepEqual(await live(ada), [message.id])
    await moves(ada, message.id, { end_at: inMs(900_000) })
    await bo.watches(room)

    await moves(ada, message.id, { end_at: inMs(0) })

    assert.equal((await bo.receives('message.updated')).message_id, message.id)
    assert.deepEqual(await live(ada), [])
    const gone = await shares(ada, room, { end_at: inMs(600_000) })
    await ada.does('DELETE', `/messages/${gone.id}`)
    assert.deepEqual(await live(ada), [])
    assert.equal((await bo.opensChannel(room)).active_live_locations, undefined)
  })

  it('a location cannot move in a channel deleted at that moment', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    await allows(appServer)
    const room = await appServer.opens([ada])
    const { id } = await shares(ada, room, { end_at: inMs(600_000) })
    justBefore(fixture.nodes[0]!.server.commit, 'write', () => appServer.does('DELETE', path(room)))
    const body = { message_id: id, created_by_device_id: 'phone', latitude: 1 }
    await ada.isRefused(16, 'PUT', '/users/live_locations', { body })
  })

  it('only the owner can move a live location, from the device that shares it, where locations are enabled', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const room = await appServer.opens([ada, bo])
    const send = (fields: object) => ({ body: { message: { text: '', shared_location: { ...here, ...fields } } } })
    await ada.isRefused(19, 'POST', `${path(room)}/message`, send({}))
    await allows(appServer)
    await ada.isRefused(4, 'POST', `${path(room)}/message`, send({ end_at: inMs(-1_000) }))
    await ada.isRefused(4, 'POST', `${path(room)}/message`, send({ latitude: 91 }))
    assert.ok((await ada.opensChannel(room)).channel.own_capabilities?.includes('share-location'))
    const message = await shares(ada, room, { end_at: inMs(600_000) })
    const body = { message_id: message.id, created_by_device_id: 'phone', latitude: 1 }
    await bo.isRefused(17, 'PUT', '/users/live_locations', { body })
    await cy.isRefused(16, 'PUT', '/users/live_locations', { body })
    await ada.isRefused(4, 'PUT', '/users/live_locations', { body: { ...body, created_by_device_id: 'watch' } })
    const fixed = await shares(ada, room)
    await ada.isRefused(4, 'PUT', '/users/live_locations', { body: { ...body, message_id: fixed.id } })
    await appServer.does('PATCH', '/app', { body: { shared_locations_enabled: false } })
    await ada.isRefused(19, 'POST', `${path(room)}/message`, send({}))
  })
})
