import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { createSecureServer, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls'
import type { PushProviderRequest } from '@parley/protocol/devices'
import { expect, it, onTestFinished, vi } from 'vitest'
import { startServer } from '../../app.ts'
import { foundApp } from '../../chat/apps/found-app.ts'
import { readSettings } from '../../platform/settings.ts'
import { eventually } from '../../testing/eventually.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { type Fixture, onEveryStorage, onEveryTransport } from '../../testing/fixture.ts'
import { certificate, p12 } from '../../testing/push-certificate.ts'
import { type DeliveredPush, PushWorld } from '../../testing/push-world.ts'
import { statementsUntil } from '../../testing/statements.ts'
import { AppServer, path, type TestUser } from '../../testing/test-user.ts'

const world = await PushWorld.open()

const provides = (appServer: AppServer, push_provider: PushProviderRequest) =>
  appServer.does('POST', '/push_providers', { body: { push_provider } })
const sets = (appServer: AppServer, body: object) => appServer.does('PATCH', '/app', { body })
const adds = (testUser: TestUser, id: string, push_provider = 'firebase', fields: object = {}) =>
  testUser.does('POST', '/devices', { body: { id, push_provider, ...fields } })
const templates = (appServer: AppServer, event_type: string, fields: object = {}) =>
  appServer.does('POST', '/push_templates', { body: { event_type, push_provider_type: 'firebase', ...fields } })

/** Waits until no push is in flight; returns the notified devices in the order of their users. */
async function told(fixture: Pick<Fixture, 'nodes'>): Promise<string[]> {
  const { read } = fixture.nodes[0]!.server.database
  await eventually(
    async () => (await read.selectFrom('tasks').select('id').where('kind', '=', 'tell_phones').execute()).length === 0,
    'nothing is on its way to phones',
  )
  return world.delivered.map(({ device }) => device).sort()
}

onEveryStorage((fixture) => {
  it('[DEV-11] a message goes to all devices of the other members, in the format of each service', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    await provides(appServer, world.firebase)
    await provides(appServer, world.apn)
    const room = await appServer.opens([ada, bo], { name: 'Lunch' })
    await adds(ada, 'of-ada')
    await adds(bo, 'android-of-bo')
    await adds(bo, 'iphone-of-bo', 'apn')
    await adds(bo, 'phone-that-rings', 'apn', { voip_token: true })
    await adds(cy, 'of-a-stranger')
    await ada.sends(room, 'earlier')
    const { id } = await ada.sends(room, `Lunch? ${'🍜'.repeat(200)}`)
    assert.deepEqual(await told(fixture), ['android-of-bo', 'android-of-bo', 'iphone-of-bo', 'iphone-of-bo'])

    const data = {
      ...{ version: 'v2', sender: 'stream.chat', type: 'message.new', id, message_id: id, receiver_id: 'bo' },
      ...{ channel_type: 'messaging', channel_id: room.slice('messaging:'.length), cid: room },
    }
    const about = (device: string) => world.to(device).find(({ content }) => JSON.stringify(content).includes(id))!
    const android = about('android-of-bo').content
    const iphone = about('iphone-of-bo').content
    assert.deepEqual([android.data, android.android], [data, { priority: 'high' }])
    assert.deepEqual(android.apns.payload.aps, iphone.aps)
    assert.deepEqual(iphone.stream, data)
    assert.deepEqual([iphone.aps.alert.title, [...iphone.aps.alert.body].length], ['New message from Ada', 150])
    assert.deepEqual([iphone.aps.badge, iphone.aps['mutable-content']], [2, 1])
    assert.deepEqual(world.tokens, ['google-token'], 'one token serves many')
  })

  it('[DEV-11] a user has up to 25 devices, all of which are notified; a new one replaces the oldest', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await provides(appServer, world.firebase)
    const room = await appServer.opens([ada, bo])
    const ids = Array.from({ length: 26 }, (_, i) => `d${String(i).padStart(2, '0')}`)
    for (const id of ids) {
      await adds(bo, id)
      fixture.clock.advance(1)
    }
    await ada.sends(room, 'hello')
    assert.deepEqual(await told(fixture), ids.slice(1))
  })

  it('[MSG-44] [MSG-42] [MSG-43] no device is notified of a message its owner cannot see, nor of a quoted one', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    await sets(appServer, { push_config: { version: 'v3' } })
    await provides(appServer, world.firebase)
    const template = '{"notification":{"body":"{{ message.text }} | {{ message.quoted_message.text }}"}}'
    await templates(appServer, 'message.new', { template, enable_push: true })
    const room = await appServer.opens([ada, bo])
    for (const who of [ada, bo, cy]) await adds(who, who.id)
    const says = async (text: string, fields: object = {}) => {
      const message = { text, user_id: 'ada', ...fields }
      return (await appServer.does('POST', `${path(room)}/message`, { body: { message } })).message.id
    }
    const bodies = () => world.delivered.map(({ device, content }) => `${device}: ${content.notification.body}`).sort()
    for (const restricted_visibility of [['ada'], ['nobody'], ['nobody', 'ada'], ['']])
      await says('for nobody', { restricted_visibility })
    assert.deepEqual(await told(fixture), [])
    const old = await says('old', { restricted_visibility: ['bo'] })
    assert.deepEqual(await told(fixture), ['bo'])
    const known = await says('known')
    await told(fixture)
    await appServer.does('POST', path(room), { body: { add_members: ['cy'], hide_history: true } })
    world.delivered.length = 0
    await says('new', { quoted_message_id: known })
    await told(fixture)
    assert.deepEqual(bodies(), ['bo: new | known', 'cy: new | '])
    world.delivered.length = 0
    await says('newer', { quoted_message_id: old })
    await told(fixture)
    assert.deepEqual(bodies(), ['bo: newer | ', 'cy: newer | '])
  })

  it('[DEV-11] silent, shadowed and skipped messages, and muted users and channels, send no push', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    await provides(appServer, world.firebase)
    const room = await appServer.opens([ada, bo, cy])
    await adds(bo, 'bo')
    await adds(cy, 'cy')
    const says = (message: object, options: object = {}) =>
      ada.does('POST', `${path(room)}/message`, { body: { message: { text: 'hello', ...message }, ...options } })
    await says({ silent: true })
    await says({}, { skip_push: true })
    await appServer.does('POST', `${path(room)}/message`, {
      body: { message: { text: 'wait', user_id: 'ada' }, pending: true },
    })
    assert.deepEqual(await told(fixture), [])

    await bo.does('POST', '/moderation/mute', { body: { target_id: 'ada' } })
    await says({})
    assert.deepEqual(await told(fixture), ['cy'])
    await cy.does('POST', '/moderation/mute/channel', { body: { channel_cid: room } })
    await says({})
    assert.deepEqual(await told(fixture), ['cy'])
    await bo.does('POST', '/moderation/unmute', { body: { target_id: 'ada' } })
    await bo.does('POST', '/push_preferences', { body: { preferences: [{ chat_level: 'mentions' }] } })
    await says({})
    assert.deepEqual(await told(fixture), ['cy'])
    await says({ mentioned_users: ['bo'] })
    assert.deepEqual(await told(fixture), ['bo', 'cy'])
    await appServer.does('POST', '/moderation/ban', {
      body: { target_user_id: 'ada', shadow: true, banned_by_id: 'bo' },
    })
    await says({ mentioned_users: ['bo'] })
    assert.deepEqual(await told(fixture), ['bo', 'cy'])
  })

  it('[DEV-1] a device uses the provider it names, and no disabled one', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await provides(appServer, { ...world.firebase, disabled_at: '2026-01-01T00:00:00Z' })
    await provides(appServer, { ...world.firebase, name: 'other', firebase_notification_template: '{"title":"other"}' })
    await adds(bo, 'paused', 'firebase', { push_provider_name: 'main' })
    await adds(bo, 'named', 'firebase', { push_provider_name: 'other' })
    await adds(bo, 'any')
    await adds(bo, 'nobody', 'apn')
    await ada.sends(room, 'hello')
    assert.deepEqual(await told(fixture), ['any', 'named'])
    assert.deepEqual(world.to('any')[0]!.content.notification, { title: 'other' })
    await provides(appServer, { type: 'firebase', name: 'other', disabled_at: '2026-01-01T00:00:00Z' })
    await ada.sends(room, 'hello')
    assert.equal((await told(fixture)).length, 2)
  })

  it('[DEV-11] a device unknown to its service gets no push until it is added again', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    for (const provider of [world.firebase, world.apn, world.huawei, world.xiaomi]) await provides(appServer, provider)
    for (const type of ['firebase', 'apn', 'huawei', 'xiaomi']) await adds(bo, type, type)
    const no = {
      firebase: {
        status: 404,
        body: { error: { status: 'NOT_FOUND', message: 'gone\u0000', details: [{ errorCode: 'UNREGISTERED' }] } },
      },
      apn: { status: 410, body: { reason: 'Unregistered' } },
      huawei: { status: 200, body: { code: '80300007', msg: 'all tokens are invalid' } },
      xiaomi: { status: 200, body: { result: 'error', code: 20301, reason: 'No valid targets!' } },
    }
    world.answers = ({ service }) => no[service]
    await ada.sends(room, 'hello')
    const devices = async () => (await bo.does('GET', '/devices')).devices
    await told(fixture)
    for (const { id, disabled, disabled_reason } of await devices())
      assert.ok(disabled && disabled_reason.length > 5, `${id} ${disabled_reason}`)
    await ada.sends(room, 'is anybody there?')
    assert.equal((await told(fixture)).length, 4)

    world.answers = () => ({ status: 200 })
    await adds(bo, 'apn', 'apn')
    await ada.sends(room, 'hello again')
    assert.deepEqual((await told(fixture)).length, 5)
    assert.deepEqual(
      (await devices()).flatMap(({ id, disabled }: { id: string; disabled?: boolean }) => (disabled ? [] : id)),
      ['apn'],
    )
  })

  it('a busy service is retried, and a refusal is not', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    for (const provider of [world.firebase, world.apn, world.huawei, world.xiaomi]) await provides(appServer, provider)
    for (const type of ['firebase', 'apn', 'huawei', 'xiaomi']) await adds(bo, type, type)
    world.answers = ({ device }) => ({ status: device === 'apn' || world.to(device).length < 2 ? 503 : 200 })
    await ada.sends(room, 'hello')
    await world.receives(8)
    const tries = ['apn', 'apn', 'apn', 'firebase', 'firebase', 'huawei', 'huawei', 'xiaomi', 'xiaomi']
    assert.deepEqual(await told(fixture), tries)
    assert.equal(new Set(world.to('apn').map(({ headers }) => headers['apns-collapse-id'])).size, 1)

    world.answers = () => ({ status: 400, body: { reason: 'DeviceTokenNotForTopic' } })
    await ada.sends(room, 'hello')
    assert.equal((await told(fixture)).length, tries.length + 4)
    const { devices } = await bo.does('GET', '/devices')
    assert.ok(devices.every(({ disabled }: { disabled?: boolean }) => !disabled))
  })

  it('a service that does not respond times out, and is retried on a new connection', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await provides(appServer, world.apn)
    await adds(bo, 'phone', 'apn')
    world.answers = () => (world.delivered.length === 1 ? 'nothing' : { status: 200 })
    await ada.sends(room, 'hello')
    await world.receives(1)
    fixture.clock.advance(6_000)
    await world.receives(2)
    assert.deepEqual(await told(fixture), ['phone', 'phone'])
  })

  it('a closed connection is opened again', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await provides(appServer, world.apn)
    await adds(bo, 'phone', 'apn')
    await ada.sends(room, 'one')
    await told(fixture)
    world.hangsUp()
    await ada.sends(room, 'two')
    assert.deepEqual(await told(fixture), ['phone', 'phone'])
    world.answers = () => (world.delivered.length === 3 ? 'broken' : { status: 200 })
    await ada.sends(room, 'three')
    assert.deepEqual(await told(fixture), ['phone', 'phone', 'phone', 'phone'])
  })

  it('a data-only push to an iPhone is sent as a background push', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await provides(appServer, { ...world.apn, apn_notification_template: '{"aps":{"content-available":1}}' })
    await adds(bo, 'phone', 'apn')
    await ada.sends(room, 'hello')
    await told(fixture)
    const [{ headers, content }] = world.to('phone') as [DeliveredPush]
    assert.deepEqual([headers['apns-push-type'], headers['apns-priority']], ['background', '5'])
    assert.equal(content.stream.receiver_id, 'bo')
  })

  it('a broken provider does not delay the others', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await provides(appServer, world.firebase)
    await provides(appServer, { ...world.xiaomi, xiaomi_app_secret: 'line\nbreak' })
    await provides(appServer, { ...world.apn, apn_auth_key: 'no key' })
    await provides(appServer, { ...world.huawei, huawei_app_secret: 'wrong' })
    await provides(appServer, { type: 'firebase', name: 'broken', firebase_credentials: '{"project_id":"x"}' })
    for (const type of ['xiaomi', 'apn', 'huawei']) await adds(bo, type, type)
    await adds(bo, 'broken', 'firebase', { push_provider_name: 'broken' })
    await adds(bo, 'phone', 'firebase', { push_provider_name: 'main' })
    await ada.sends(room, 'hello')
    assert.deepEqual(await told(fixture), ['phone'])
    const { device_errors } = await appServer.does('POST', '/check_push', { body: { user_id: 'bo' } })
    assert.deepEqual(Object.keys(device_errors).toSorted(), ['apn', 'broken', 'huawei', 'xiaomi'])
    assert.match(device_errors.apn.error_message, /apn_auth_key/)
    assert.match(device_errors.huawei.error_message, /no token: 401/)
    assert.match(device_errors.broken.error_message, /firebase_credentials/)
  })

  it('an expired access token is requested again', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await provides(appServer, world.firebase)
    await adds(bo, 'phone')
    await ada.sends(room, 'one')
    await told(fixture)
    fixture.clock.advance(3_600_000)
    await ada.sends(room, 'two')
    await told(fixture)
    world.answers = ({ headers }) => ({ status: headers.authorization === 'Bearer google-token-2' ? 401 : 200 })
    await ada.sends(room, 'three')
    await told(fixture)
    assert.equal(world.delivered[3]!.headers.authorization, 'Bearer google-token-3')
  })

  it('an expired access token is requested once, however many devices wait for it', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await provides(appServer, world.firebase)
    for (const phone of ['one', 'two', 'three']) await adds(bo, phone)
    await ada.sends(room, 'hello')
    await told(fixture)
    fixture.clock.advance(3_600_000)
    await ada.sends(room, 'again')
    assert.equal((await told(fixture)).length, 6)
    assert.equal(world.tokens.length, 2)
  })

  it('Huawei and Xiaomi devices get the data and build their own notification', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await sets(appServer, {
      huawei_config: { id: 'tea', secret: 'huawei-secret' },
      xiaomi_config: { package_name: 'com.tea', secret: 'xiaomi-secret' },
    })
    await adds(bo, 'h', 'huawei')
    await adds(bo, 'x', 'xiaomi')
    const { id } = await ada.sends(room, 'hello')
    assert.deepEqual(await told(fixture), ['h', 'x'])
    const { data, android } = world.to('h')[0]!.content
    const { payload, title, description, restricted_package_name } = world.to('x')[0]!.content
    assert.deepEqual([data.message_id, data.receiver_id, android], [id, 'bo', { urgency: 'HIGH' }])
    assert.deepEqual(payload, data)
    assert.deepEqual([title, description, restricted_package_name], ['New message from Ada', 'hello', 'com.tea'])
  })

  it('an app without a provider has no extra cost', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await ada.sends(room, 'one')
    const spy = vi.spyOn(fixture.nodes[0]!.server.tasks, 'begin')
    onTestFinished(() => spy.mockRestore())
    await ada.sends(room, 'two')
    await provides(appServer, { ...world.firebase, disabled_at: '2026-01-01T00:00:00Z' })
    await ada.sends(room, 'three')
    expect(spy).not.toHaveBeenCalled()
    await provides(appServer, { type: 'firebase', name: 'main', disabled_at: null })
    await ada.sends(room, 'four')
    expect(spy).toHaveBeenCalledTimes(1)
    await told(fixture)
  })

  it('sending costs the same for ten members and for three hundred, and so does each batch of fifty', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    await provides(appServer, world.firebase)
    const ids = Array.from({ length: 299 }, (_, i) => `guest-${i}`)
    for (let from = 0; from < ids.length; from += 100) await appServer.createUsers(...ids.slice(from, from + 100))
    const guests = ids.map((id) => appServer.user(id))
    const small = await appServer.opens([ada, ...guests.slice(0, 9)])
    const large = await appServer.opens([ada, ...guests.slice(0, 99)])
    for (let from = 99; from < ids.length; from += 100)
      await appServer.does('POST', path(large), { body: { add_members: ids.slice(from, from + 100) } })
    for (const guest of guests.slice(0, 9)) await adds(guest, guest.id)

    const statements = (room: string) =>
      statementsUntil(async () => {
        await ada.sends(room, 'hello')
        await told(fixture)
      })
    // The first request fills caches that later ones use.
    for (const room of [small, large]) await statements(room)
    const few = await statements(small)
    const many = await statements(large)
    // There are six batches of fifty; each looks up its devices and, where there are some, the unread counts.
    expect(many.length, many.join('\n')).toBeLessThanOrEqual(few.length + 5 * 3)
  })
}, world.settings)

onEveryTransport((fixture) => {
  it('[USR-19] a blocker gets no push for the blocked user’s messages, except in a group', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    await provides(appServer, world.firebase)
    const [pair, group] = [await appServer.opens([ada, bo]), await appServer.opens([ada, bo, cy])]
    await adds(bo, 'bo')
    await bo.does('POST', '/users/block', { body: { blocked_user_id: 'ada' } })
    await ada.sends(pair, 'one')
    assert.deepEqual(await told(fixture), [])
    await ada.sends(group, 'two')
    assert.deepEqual(await told(fixture), ['bo'])
    await bo.does('POST', '/users/unblock', { body: { blocked_user_id: 'ada' } })
    await ada.sends(pair, 'three')
    assert.deepEqual(await told(fixture), ['bo', 'bo'])
  })

  it('[DEV-11] online users get pushes too, unless the settings restrict them to offline users', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    await provides(appServer, world.firebase)
    const room = await appServer.opens([ada, bo, cy])
    await adds(bo, 'bo')
    await adds(cy, 'cy')
    await bo.connects()
    await ada.sends(room, 'one')
    assert.deepEqual(await told(fixture), ['bo', 'cy'])
    await sets(appServer, { push_config: { version: 'v2', offline_only: true } })
    await ada.sends(room, 'two')
    assert.deepEqual(await told(fixture), ['bo', 'cy', 'cy'])
    await sets(appServer, { push_config: { version: 'v1', offline_only: false } })
    await ada.sends(room, 'three')
    assert.deepEqual(await told(fixture), ['bo', 'cy', 'cy', 'cy'])
  })

  it('each device is notified once, whichever node does it', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await provides(appServer, world.apn)
    const room = await appServer.opens([ada, bo])
    await adds(bo, 'phone', 'apn')
    for (let i = 0; i < 10; i++) await (i % 2 ? ada : ada.device(fixture.nodes.at(-1)!.url)).sends(room, `${i}`)
    await told(fixture)
    const bodies = world.delivered.map(({ content }) => content.aps.alert.body).sort()
    assert.deepEqual(
      bodies,
      Array.from({ length: 10 }, (_, i) => `${i}`),
    )
  })
}, world.settings)

onEveryStorage((fixture) => {
  it('apps with the newer configuration push the chosen events only', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    await provides(appServer, world.firebase)
    await sets(appServer, { push_config: { version: 'v3' } })
    await appServer.does('PUT', '/channeltypes/messaging', { body: { user_message_reminders: true } })
    const room = await appServer.opens([ada, bo, cy])
    await adds(ada, 'ada')
    await adds(bo, 'bo')
    const { id } = await ada.sends(room, 'hello')
    assert.deepEqual(await told(fixture), [])
    const types = ['message.new', 'message.updated', 'reaction.new', 'reaction.updated', 'notification.reminder_due']
    for (const type of types) await templates(appServer, type, { push_provider_name: 'main', enable_push: true })

    const reacts = (type: string, fields: object = {}) =>
      bo.does('POST', `/messages/${id}/reaction`, { body: { reaction: { type }, ...fields } })
    await ada.sends(room, 'hello')
    await appServer.does('POST', `/messages/${id}`, { body: { message: { id, text: 'hello!', user_id: 'ada' } } })
    await reacts('quietly', { skip_push: true })
    // A shadow-banned sender triggers no push.
    await appServer.does('POST', '/moderation/ban', { body: { target_user_id: 'cy', shadow: true, user_id: 'ada' } })
    await cy.does('POST', `/messages/${id}/reaction`, { body: { reaction: { type: 'wow' } } })
    await reacts('like')
    await reacts('love', { enforce_unique: true })
    const remind_at = new Date(fixture.clock.now() + 60_000).toISOString()
    await bo.does('POST', `/messages/${id}/reminders`, { body: { remind_at } })
    // A push in flight must not time out when a minute passes at once.
    await told(fixture)
    fixture.clock.advance(61_000)
    await world.receives(5)
    await told(fixture)
    const heard = world.delivered.map(({ device, content }) => [
      device,
      content.data.type,
      content.apns.payload.aps.alert.title,
    ])
    assert.deepEqual(heard.toSorted(), [
      ['ada', 'reaction.new', 'Bo reacted to your message'],
      ['ada', 'reaction.updated', 'Bo changed a reaction to your message'],
      ['bo', 'message.new', 'New message from Ada'],
      ['bo', 'message.updated', 'Ada changed a message'],
      ['bo', 'notification.reminder_due', 'Reminder'],
    ])
    await templates(appServer, 'message.new', { push_provider_name: 'main', enable_push: false })
    await ada.sends(room, 'hello')
    assert.equal((await told(fixture)).length, 5)
  })

  it('a template sets the push text, for its event and its provider', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await provides(appServer, world.firebase)
    await provides(appServer, { ...world.firebase, name: 'other' })
    await provides(appServer, world.apn)
    const room = await appServer.opens([ada, bo], { name: 'Lunch' })
    await adds(bo, 'main', 'firebase', { push_provider_name: 'main' })
    await adds(bo, 'other', 'firebase', { push_provider_name: 'other' })
    await adds(bo, 'iphone', 'apn')
    const shown = '{"title":"{{sender.name}} in {{channel.name}}","body":"{{truncate message.text 5}}"}'
    const { template: made } = await templates(appServer, 'message.new', {
      template: `{"notification":${shown},"data":{"unread":{{unread_count}},"who":"{{implodeMembers otherMembers}}"}}`,
    })
    assert.deepEqual(
      [made.event_type, made.enable_push, made.push_provider_internal_id],
      ['message.new', false, 'firebase:'],
    )
    await templates(appServer, 'message.new', { push_provider_name: 'other', template: shown })
    await appServer.does('POST', '/push_templates', {
      body: {
        ...{ event_type: 'message.new', push_provider_type: 'apn', push_provider_name: 'main' },
        template: `{"aps":{"alert":${shown},"badge":{{unread_channels}}}}`,
      },
    })
    const { id } = await ada.sends(room, 'Let "us" eat')
    await told(fixture)
    const notification = { title: 'Ada in Lunch', body: 'Let "' }
    const [main, other, iphone] = ['main', 'other', 'iphone'].map((device) => world.to(device)[0]!.content)
    assert.deepEqual([main.notification, main.data], [notification, { unread: '1', who: 'Ada' }])
    assert.deepEqual([other.notification, other.data.message_id], [notification, id])
    assert.deepEqual([iphone.aps, iphone.stream.message_id], [{ alert: notification, badge: 1 }, id])

    const listed = async (query: Record<string, string> = {}) =>
      (await appServer.does('GET', '/push_templates', { query })).templates.map(
        (one: { push_provider_internal_id: string }) => one.push_provider_internal_id,
      )
    assert.deepEqual((await listed()).toSorted(), ['apn:main', 'firebase:', 'firebase:other'])
    assert.deepEqual(await listed({ push_provider_type: 'apn' }), ['apn:main'])
    assert.deepEqual(await listed({ push_provider_type: 'firebase', push_provider_name: 'other' }), ['firebase:other'])
    fixture.clock.advance(1_000)
    const { template: emptied } = await templates(appServer, 'message.new', { template: '', enable_push: true })
    assert.deepEqual([emptied.template, emptied.enable_push, emptied.created_at], [undefined, true, made.created_at])
    await appServer.does('DELETE', '/push_providers/firebase/other')
    assert.deepEqual((await listed()).toSorted(), ['apn:main', 'firebase:'])
  })

  it('an invalid template is refused, and one that fails later falls back to the default', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await provides(appServer, world.firebase)
    const room = await appServer.opens([ada, bo])
    await adds(bo, 'phone')
    const event_type = 'message.new'
    const refused = (body: object) =>
      appServer.isRefused(4, 'POST', '/push_templates', {
        body: { event_type, push_provider_type: 'firebase', ...body },
      })
    for (const template of ['{{#if a}}', '{"a":{{sender}', '[]', 'x'.repeat(10_001), '{"a":"{{shout sender}}"}'])
      await refused({ template })
    await refused({ push_provider_type: 'apn' })
    await refused({ push_provider_name: 'nobody' })
    await refused({ event_type: 'typing.start' })
    const wrong = { ...world.firebase, firebase_data_template: '{"a":' }
    await appServer.isRefused(4, 'POST', '/push_providers', { body: { push_provider: wrong } })
    await appServer.isRefused(4, 'PATCH', '/app', { body: { firebase_config: { notification_template: '{{' } } })
    await ada.isRefused(17, 'GET', '/push_templates')
    await ada.isRefused(17, 'POST', '/push_templates', { body: { event_type, push_provider_type: 'firebase' } })

    await templates(appServer, event_type, { template: '{"data":{"all":"{{message.text}}{{message.text}}"}}' })
    await ada.sends(room, 'short')
    await told(fixture)
    await ada.sends(room, 'long '.repeat(500))
    await told(fixture)
    const [short, long] = world.delivered.map(({ content }) => content.data)
    assert.deepEqual([short.all, long.version], ['shortshort', 'v2'])
  })

  it('[DEV-8] [DEV-12] a check sends a test push to the devices once, and reports the result', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await provides(appServer, world.firebase)
    await provides(appServer, world.apn)
    await provides(appServer, { type: 'xiaomi', name: 'empty' })
    const room = await appServer.opens([ada, bo])
    const { id } = await ada.sends(room, 'hello')
    await told(fixture)
    await adds(bo, 'android')
    await adds(bo, 'iphone', 'apn')
    await adds(bo, 'redmi', 'xiaomi')
    const checks = (body: object = {}) => appServer.does('POST', '/check_push', { body: { user_id: 'bo', ...body } })
    world.answers = ({ service }) =>
      service === 'apn' ? { status: 400, body: { reason: 'BadDeviceToken' } } : { status: 200 }
    const answer = await checks({ apn_template: '{"aps":{"alert":"{{message.text}} {{sender.name}}"}}' })
    assert.deepEqual(Object.keys(answer.device_errors).toSorted(), ['iphone', 'redmi'])
    const { iphone, redmi } = answer.device_errors
    assert.match(iphone.error_message, /BadDeviceToken/)
    assert.match(redmi.error_message, /xiaomi_app_secret/)
    assert.deepEqual(JSON.parse(answer.rendered_apn_template).aps, { alert: 'hello Ada' })
    assert.equal(JSON.parse(answer.rendered_firebase_template).data.message_id, id)
    assert.equal(answer.rendered_message.message_id, id)
    assert.deepEqual(world.to('iphone')[0]!.content.aps, { alert: 'hello Ada' })
    assert.deepEqual(world.delivered.map(({ device }) => device).toSorted(), ['android', 'iphone'])

    const skipped = await checks({ skip_devices: true, firebase_template: '{"title":{{sender.name}}}' })
    assert.match(skipped.general_errors[0], /firebase is not used: it does not render to JSON/)
    const { rendered_firebase_template: rendered } = await checks({
      ...{ skip_devices: true, firebase_template: '{"title":"{{event_type}}"}', event_type: 'reaction.new' },
      ...{ push_provider_type: 'firebase', firebase_data_template: '{"n":{{unread_count}}}' },
    })
    assert.deepEqual(JSON.parse(rendered).notification, { title: 'reaction.new' })
    assert.deepEqual(JSON.parse(rendered).data, { n: '1' })
    assert.equal(world.delivered.length, 2)
  })
}, world.settings)

/** A separate server for tests of one provider. */
async function aServer(env: Record<string, string>) {
  const settings = readSettings({ DATABASE_URL: 'sqlite::memory:', LOG_LEVEL: 'error', ...env })
  const clock = new FakeClock()
  const { server, url, stop } = await startServer({ ...settings, port: 0 }, clock)
  onTestFinished(stop)
  const app = await foundApp(server.database, { key: 'key', secret: 'a secret of the story' }, 0)
  const appServer = new AppServer(url, app, clock)
  await appServer.createUsers('ada', 'bo')
  return { appServer, ada: appServer.user('ada'), bo: appServer.user('bo') }
}

it('a client certificate is presented to Apple where one is configured', async () => {
  const apple = createSecureServer({
    ...{ pfx: Buffer.from(p12, 'base64'), ca: certificate, requestCert: true, rejectUnauthorized: true },
  })
  const heard: { device: string; authorization: string | undefined; who: string }[] = []
  apple.on('stream', (stream: ServerHttp2Stream, { ':path': address, authorization }) => {
    const { subject } = (stream.session!.socket as TLSSocket).getPeerCertificate()
    heard.push({ device: address!.slice('/3/device/'.length), authorization, who: String(subject.CN) })
    stream.respond({ ':status': 200 })
    stream.end()
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  apple.listen(0, '127.0.0.1', resolve)
  await promise
  onTestFinished(() => void apple.close())
  const trusted = getCACertificates('default')
  setDefaultCACertificates([...trusted, certificate])
  onTestFinished(() => setDefaultCACertificates(trusted))

  const { ada, bo, appServer } = await aServer(world.settings)
  const { port } = apple.address() as AddressInfo
  const provider: PushProviderRequest = {
    type: 'apn',
    name: 'main',
    apn_auth_type: 'certificate',
    apn_topic: 'com.tea',
  }
  await provides(appServer, { ...provider, apn_p12_cert: p12, apn_host: `https://127.0.0.1:${port}/` })
  await adds(bo, 'iphone', 'apn')
  await ada.sends(await appServer.opens([ada, bo]), 'hello')
  await eventually(() => heard.length === 1, 'Apple heard of it')
  assert.deepEqual(heard[0], { device: 'iphone', authorization: undefined, who: 'Apple Push Services: com.tea' })

  await provides(appServer, { ...provider, apn_p12_cert: 'bm90aGluZw==' })
  const { device_errors } = await appServer.does('POST', '/check_push', { body: { user_id: 'bo' } })
  assert.match(device_errors.iphone.error_message, /the certificate cannot be used/)
})

it('an administrator cannot make the server call internal addresses', async () => {
  const { ALLOWED_PRIVATE_HOSTS: _, ...elsewhere } = world.settings
  const { ada, bo, appServer } = await aServer(elsewhere)
  await ada.sends(await appServer.opens([ada, bo]), 'hello')
  const { settings: at } = world
  const account = JSON.parse(world.firebase.firebase_credentials!)
  await provides(appServer, { ...world.apn, apn_host: at.APN_URL })
  await provides(appServer, { ...world.firebase, firebase_host: at.FIREBASE_URL })
  const away = JSON.stringify({ ...account, token_uri: 'http://169.254.169.254/token' })
  await provides(appServer, { ...world.firebase, name: 'away', firebase_credentials: away })
  await provides(appServer, { ...world.huawei })
  await adds(bo, 'iphone', 'apn')
  await adds(bo, 'android', 'firebase', { push_provider_name: 'main' })
  await adds(bo, 'away', 'firebase', { push_provider_name: 'away' })
  await adds(bo, 'huawei', 'huawei')
  const { device_errors } = await appServer.does('POST', '/check_push', { body: { user_id: 'bo' } })
  for (const device of ['iphone', 'android', 'away', 'huawei'])
    assert.match(device_errors[device].error_message, /not for us|not a public address/, device)
  assert.deepEqual([world.delivered, world.tokens], [[], []])
})

it('unfinished pushes continue after a restart, and no device is notified twice', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'push-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  const clock = new FakeClock()
  const database = `sqlite:${join(dir, 'chat.sqlite')}`
  const settings = readSettings({ PORT: '0', LOG_LEVEL: 'error', DATABASE_URL: database, ...world.settings })
  const before = await startServer({ ...settings, port: 0 }, clock)
  const app = await foundApp(before.server.database, { key: 'key', secret: 'a secret of the story' }, 0)
  const appServer = new AppServer(before.url, app, clock)
  const ids = Array.from({ length: 60 }, (_, i) => `p${String(i).padStart(2, '0')}`)
  await appServer.createUsers('ada', ...ids)
  await provides(appServer, world.apn)
  const people = ids.map((id) => appServer.user(id))
  for (const testUser of people) await adds(testUser, testUser.id, 'apn')
  const room = await appServer.opens([appServer.user('ada'), ...people])
  // The first of each fifty succeeds, the second hangs.
  world.answers = ({ device }) => (device === 'p01' || device === 'p51' ? 'nothing' : { status: 200 })
  await appServer.user('ada').sends(room, 'can you hear me?')
  await eventually(() => world.delivered.length === 50, 'fifty were told')
  await before.stop()

  world.answers = () => ({ status: 200 })
  const after = await startServer({ ...settings, port: 0 }, clock)
  onTestFinished(() => after.stop())
  await told({ nodes: [after] })
  for (const id of ids) assert.equal(world.to(id).length, id === 'p01' ? 2 : 1, id)
  const [first, second] = world.to('p01').map(({ headers }) => headers['apns-collapse-id'])
  assert.equal(first, second)
})
