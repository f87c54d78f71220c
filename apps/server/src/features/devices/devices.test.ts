import assert from 'node:assert/strict'
import type { Device } from '@parley/protocol/devices'
import { it } from 'vitest'
import { onEveryStorage, onTwoNodes } from '../../testing/fixture.ts'
import type { AppServer, TestUser } from '../../testing/test-user.ts'

const adds = (caller: TestUser | AppServer, id: string, fields: object = {}) =>
  caller.does('POST', '/devices', { body: { id, push_provider: 'firebase', ...fields } })

async function idsOf(caller: TestUser | AppServer, userId?: string): Promise<string[]> {
  const { devices } = await caller.does('GET', '/devices', { query: { user_id: userId ?? (caller as TestUser).id } })
  return devices.map((device: { id: string }) => device.id)
}

onEveryStorage((fixture) => {
  it('[DEV-1] [DEV-2] [DEV-3] [DEV-4] a device is added, listed, shown on connecting, and removed', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const push_provider = { type: 'firebase', name: 'main' }
    await appServer.does('POST', '/push_providers', { body: { push_provider } })
    await adds(ada, 'phone', { push_provider_name: 'main', hardware_id: 'h1' })
    const unknown = { id: 'phone', push_provider: 'firebase', push_provider_name: 'other' }
    await ada.isRefused(4, 'POST', '/devices', { body: unknown })
    await ada.isRefused(4, 'POST', '/devices', {
      body: { ...unknown, push_provider: 'apn', push_provider_name: 'main' },
    })
    fixture.clock.advance(5)
    await adds(appServer, 'tablet', { push_provider: 'apn', voip_token: true, user_id: 'ada' })
    const { devices } = await ada.does('GET', '/devices')
    const [phone, tablet] = devices
    assert.deepEqual(
      [phone.id, phone.push_provider, phone.push_provider_name, phone.user_id, phone.hardware_id],
      ['phone', 'firebase', 'main', 'ada', 'h1'],
    )
    assert.deepEqual([tablet.id, tablet.push_provider, tablet.voip], ['tablet', 'apn', true])
    const { me } = await ada.connects()
    assert.deepEqual(me.devices, devices)
    const [full] = (await appServer.does('GET', '/users', { query: { payload: '{"filter_conditions":{"id":"ada"}}' } }))
      .users
    assert.deepEqual(full.devices, devices)

    await bo.isRefused(16, 'DELETE', '/devices', { query: { id: 'phone' } })
    await ada.does('DELETE', '/devices', { query: { id: 'phone' } })
    await ada.isRefused(16, 'DELETE', '/devices', { query: { id: 'phone' } })
    await appServer.does('DELETE', '/devices', { query: { id: 'tablet', user_id: 'ada' } })
    assert.deepEqual(await idsOf(ada), [])
  })

  it('[DEV-11] a device belongs to one user, and the oldest makes room for the 26th', async () => {
    const { ada, bo } = await fixture.createApp('ada', 'bo')
    await adds(ada, 'shared')
    await adds(bo, 'shared')
    assert.deepEqual([await idsOf(ada), await idsOf(bo)], [[], ['shared']])
    for (let i = 0; i < 26; i++) {
      await adds(ada, `d${String(i).padStart(2, '0')}`)
      fixture.clock.advance(1)
    }
    const ids = await idsOf(ada)
    assert.deepEqual([ids.length, ids[0], ids.at(-1)], [25, 'd01', 'd25'])
    await adds(ada, 'd01')
    assert.equal((await idsOf(ada)).at(-1), 'd01', 'known again, it counts as new')
  })

  it('a device that makes no sense is refused, and so is somebody without a name', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const refused = (body: object) => ada.isRefused(4, 'POST', '/devices', { body })
    await refused({ id: 'x', push_provider: 'pigeon' })
    await refused({ id: '', push_provider: 'apn' })
    await refused({ id: 'x'.repeat(256), push_provider: 'apn' })
    await refused({ push_provider: 'apn' })
    await appServer.isRefused(4, 'GET', '/devices')
    await ada.isRefused(4, 'DELETE', '/devices')
    const nobody = appServer.user('!anon')
    nobody.token = ''
    for (const method of ['GET', 'DELETE']) await nobody.isRefused(17, method, '/devices', { query: { id: 'x' } })
  })

  it('[DEV-3] a client that connects can bring its device along', async () => {
    const { ada } = await fixture.createApp('ada')
    const json = { user_id: 'ada', user_details: { id: 'ada' }, device: { id: 'phone', push_provider: 'apn' } }
    const { me } = await ada.connects({ query: { json: JSON.stringify(json) } })
    assert.deepEqual(
      me.devices.map((device: { id: string }) => device.id),
      ['phone'],
    )
  })

  it('[DEV-3] nobody stays out of chat because of the push provider their device names', async () => {
    const { ada } = await fixture.createApp('ada')
    const device = { id: 'phone', push_provider: 'firebase', push_provider_name: 'main' }
    await ada.isRefused(4, 'POST', '/devices', { body: device })
    const json = { user_id: 'ada', user_details: { id: 'ada' }, device }
    const { me } = await ada.connects({ query: { json: JSON.stringify(json) } })
    assert.deepEqual(
      me.devices.map(({ id, push_provider_name }: Device) => [id, push_provider_name]),
      [['phone', 'main']],
    )
  })

  it('preferences hold everywhere or in one channel, and are taken back one by one', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const room = await appServer.opens([ada, bo])
    const sets = (caller: TestUser | AppServer, ...preferences: object[]) =>
      caller.does('POST', '/push_preferences', { body: { preferences } })
    const until = '2199-01-01T00:00:00Z'
    const answer = await sets(
      ada,
      { chat_level: 'mentions', call_level: 'none' },
      { channel_cid: room, chat_level: 'none', disabled_until: until },
    )
    assert.deepEqual(answer.user_preferences, { ada: { chat_level: 'mentions', call_level: 'none' } })
    assert.deepEqual(answer.user_channel_preferences, {
      ada: { [room]: { chat_level: 'none', disabled_until: until } },
    })
    assert.deepEqual((await ada.connects()).me.push_preferences, { chat_level: 'mentions', call_level: 'none' })
    assert.deepEqual((await ada.opensChannel(room)).push_preferences, { chat_level: 'none', disabled_until: until })
    assert.equal((await bo.opensChannel(room)).push_preferences, undefined)
    // They are the user's own: not even the app's server sees them among the user's fields.
    const payload = JSON.stringify({ filter_conditions: { id: 'ada' } })
    for (const caller of [bo, appServer]) {
      const { users } = await caller.does('GET', '/users', { query: { payload } })
      assert.deepEqual([users[0].id, 'push_preferences' in users[0]], ['ada', false])
    }

    await sets(appServer, { user_id: 'ada', chat_level: 'default' }, { user_id: 'bo', chat_level: 'all' })
    const forEver = await sets(ada, { channel_cid: room, disabled_until: '9999-12-31T00:00:00Z' })
    const kept = forEver.user_channel_preferences.ada[room].disabled_until
    assert.equal((await ada.opensChannel(room)).push_preferences?.disabled_until, kept)
    await sets(ada, { channel_cid: room, remove_disable: true })
    assert.deepEqual((await ada.device().connects()).me.push_preferences, { call_level: 'none' })
    assert.deepEqual((await ada.opensChannel(room)).push_preferences, { chat_level: 'none' })
    assert.deepEqual((await bo.connects()).me.push_preferences, { chat_level: 'all' })

    const refused = (code: number, caller: TestUser | AppServer, preference: object) =>
      caller.isRefused(code, 'POST', '/push_preferences', { body: { preferences: [preference] } })
    await refused(17, ada, { user_id: 'bo', chat_level: 'all' })
    await refused(4, appServer, { chat_level: 'all' })
    await refused(4, ada, { chat_level: 'loud' })
    await refused(4, ada, { disabled_until: 'tomorrow' })
    await refused(16, appServer, { user_id: 'nobody', chat_level: 'all' })
    await refused(17, cy, { channel_cid: room, chat_level: 'all' })
    await refused(16, ada, { channel_cid: 'messaging:nowhere', chat_level: 'all' })
  })

  it('[DEV-5] [DEV-6] [DEV-7] an app keeps push providers, whose secrets nobody sees again', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const puts = (provider: object) =>
      appServer.does('POST', '/push_providers', {
        body: { push_provider: { type: 'firebase', name: 'main', ...provider } },
      })
    const secret = '{"private_key":"very-secret-1234"}'
    const { push_provider: made } = await puts({ firebase_credentials: secret, description: 'phones' })
    assert.deepEqual([made.type, made.name, made.firebase_credentials], ['firebase', 'main', '*****34"}'])
    fixture.clock.advance(1_000)
    const { push_provider: paused } = await puts({
      ...made,
      disabled_at: '2030-01-01T00:00:00Z',
      disabled_reason: 'too dear',
    })
    assert.deepEqual([paused.created_at, paused.description], [made.created_at, 'phones'])
    assert.notEqual(paused.updated_at, made.updated_at)
    const kept = fixture.nodes[0]!.server.apps.of(appServer.app.id).pushProviders.get('firebase:main')
    assert.deepEqual([kept?.firebase_credentials, kept?.disabled_at], [secret, '2030-01-01T00:00:00Z'])
    const { push_provider: resumed } = await puts({ disabled_at: null })
    assert.deepEqual([resumed.disabled_at, resumed.disabled_reason], [undefined, undefined])
    await puts({ type: 'apn' })
    const names = async () =>
      (await appServer.does('GET', '/push_providers')).push_providers.map((one: { type: string }) => one.type)
    assert.deepEqual((await names()).sort(), ['apn', 'firebase'])
    await appServer.does('DELETE', '/push_providers/apn/main')
    await appServer.isRefused(16, 'DELETE', '/push_providers/apn/main')
    assert.deepEqual(await names(), ['firebase'])

    for (let i = 1; i < 25; i++) await puts({ name: `n${i}` })
    const one = (provider: object) => ({ body: { push_provider: provider } })
    await appServer.isRefused(4, 'POST', '/push_providers', one({ type: 'firebase', name: 'n25' }))
    await appServer.isRefused(4, 'POST', '/push_providers', one({ type: 'pigeon', name: 'x' }))
    await ada.isRefused(17, 'GET', '/push_providers')
  })

  it('an app can keep one provider of each type in its settings, without a name', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const sets = (body: object) => appServer.does('PATCH', '/app', { body })
    const pushes = async () => (await appServer.does('GET', '/app')).app.push_notifications
    assert.deepEqual(await pushes(), {
      ...{ version: 'v2', offline_only: false, apn: { enabled: false, development: false } },
      ...{ firebase: { enabled: false }, huawei: { enabled: false }, xiaomi: { enabled: false } },
    })
    const auth_key = 'a-very-secret-key-1234'
    await sets({
      push_config: { version: 'v3', offline_only: true },
      apn_config: { auth_key, auth_type: 'token', bundle_id: 'com.example', development: true, host: '' },
      firebase_config: { credentials_json: '', server_key: '' },
    })
    const { version, offline_only, apn, firebase, providers } = await pushes()
    assert.deepEqual([version, offline_only, firebase.enabled, providers.length], ['v3', true, false, 1])
    assert.deepEqual(apn, { enabled: true, development: true, auth_type: 'token', bundle_id: 'com.example' })
    assert.deepEqual([providers[0].name, providers[0].apn_auth_key], ['', '*****1234'])
    assert.equal((await appServer.does('GET', '/app')).app.push_config, undefined)
    await adds(ada, 'phone', { push_provider: 'apn' })

    await sets({ push_config: { version: '' }, apn_config: { auth_key: '*****1234', Disabled: true } })
    const paused = await pushes()
    assert.deepEqual([paused.version, paused.offline_only, paused.apn.enabled], ['v3', true, false])
    const kept = fixture.nodes[0]!.server.apps.of(appServer.app.id).pushProviders.get('apn:')
    assert.deepEqual([kept?.apn_auth_key, kept?.apn_topic], [auth_key, 'com.example'])
    await sets({ apn_config: { Disabled: false } })
    assert.equal((await pushes()).apn.enabled, true)
    await sets({ apn_config: null, push_config: null })
    assert.deepEqual([(await pushes()).apn.enabled, (await pushes()).version], [false, 'v2'])
    await appServer.isRefused(4, 'PATCH', '/app', { body: { push_config: { version: 'v4' } } })
    await appServer.isRefused(4, 'PATCH', '/app', { body: { apn_config: { auth_type: 'password' } } })
    assert.equal((await ada.does('GET', '/app')).app.push_notifications, undefined)
  })

  it('what the settings say of a provider is the same as what is said of the provider itself', async () => {
    const { appServer } = await fixture.createApp()
    const template = '{"aps": {}}'
    for (const [config, type, fields, hidden] of [
      [
        'apn_config',
        'apn',
        {
          ...{ auth_key: 'apn_auth_key', auth_type: 'apn_auth_type', bundle_id: 'apn_topic', team_id: 'apn_team_id' },
          ...{ key_id: 'apn_key_id', host: 'apn_host', development: 'apn_development', p12_cert: 'apn_p12_cert' },
          notification_template: 'apn_notification_template',
        },
        ['auth_key', 'p12_cert'],
      ],
      [
        'firebase_config',
        'firebase',
        {
          ...{ credentials_json: 'firebase_credentials', server_key: 'firebase_server_key' },
          ...{ notification_template: 'firebase_notification_template', data_template: 'firebase_data_template' },
          apn_template: 'firebase_apn_template',
        },
        ['server_key'],
      ],
      ['huawei_config', 'huawei', { id: 'huawei_app_id', secret: 'huawei_app_secret' }, ['id', 'secret']],
      [
        'xiaomi_config',
        'xiaomi',
        { package_name: 'xiaomi_package_name', secret: 'xiaomi_app_secret' },
        ['package_name', 'secret'],
      ],
    ] as const) {
      const sentFor = (field: string) =>
        field === 'development'
          ? true
          : field === 'auth_type'
            ? 'certificate'
            : field.endsWith('template')
              ? template
              : `its ${field}`
      const sent = Object.fromEntries(Object.keys(fields).map((field) => [field, sentFor(field)]))
      await appServer.does('PATCH', '/app', { body: { [config]: sent } })
      const kept = fixture.nodes[0]!.server.apps.of(appServer.app.id).pushProviders.get(`${type}:`) as object
      const { type: _, name: __, created_at: ___, updated_at: ____, ...described } = kept as Record<string, unknown>
      assert.deepEqual(
        described,
        Object.fromEntries(Object.entries(fields).map(([field, key]) => [key, sentFor(field)])),
      )
      const shown = (await appServer.does('GET', '/app')).app.push_notifications[type]
      const open = Object.keys(fields).filter((field) => !(hidden as readonly string[]).includes(field))
      assert.deepEqual(Object.keys(shown).toSorted(), ['enabled', ...open].toSorted())
    }
  })

  it('[DEV-8] [DEV-12] a push is checked without failing: what it would carry, and what keeps it away', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const checks = (body: object) => appServer.does('POST', '/check_push', { body })
    assert.deepEqual((await checks({ user_id: 'bo' })).general_errors, [
      'the app has no push provider',
      'user bo has no such device',
      'user bo has no channel with a message',
    ])
    const room = await appServer.opens([ada, bo])
    const { id } = await ada.sends(room, 'hello')
    await adds(bo, 'phone')
    const body = { push_provider: { type: 'apn', name: 'main' } }
    await appServer.does('POST', '/push_providers', { body })
    const answer = await checks({ user_id: 'bo' })
    assert.deepEqual(answer.rendered_message, {
      ...{ version: 'v2', sender: 'stream.chat', type: 'message.new', id, message_id: id },
      ...{ channel_type: 'messaging', channel_id: room.slice('messaging:'.length), cid: room, receiver_id: 'bo' },
    })
    assert.deepEqual(Object.keys(answer.device_errors), ['phone'])
    assert.match(answer.device_errors.phone.error_message, /no push provider of type firebase/)
    const skipped = await checks({ user_id: 'bo', message_id: id, skip_devices: true })
    assert.deepEqual(
      [skipped.skip_devices, skipped.device_errors, skipped.rendered_message.message_id],
      [true, undefined, id],
    )
    await appServer.isRefused(16, 'POST', '/check_push', { body: { user_id: 'bo', message_id: 'nothing' } })
    await appServer.isRefused(4, 'POST', '/check_push', { body: { user_id: 'nobody' } })
  })

  it('[DEV-9] [DEV-10] [DEV-12] queues are checked without failing, and this server writes to none', async () => {
    const { appServer } = await fixture.createApp()
    const queue = { sqs_url: 'https://sqs.example/q', sqs_key: 'key', sqs_secret: 'secret' }
    const topic = { sns_topic_arn: 'arn:aws:sns:eu-west-1:1:t', sns_key: 'key', sns_secret: 'secret' }
    for (const [address, body] of [
      ['/check_sqs', queue],
      ['/check_sqs', {}],
      ['/check_sns', topic],
      ['/check_sns', {}],
    ] as const) {
      const { status, error, data } = await appServer.does('POST', address, { body })
      assert.deepEqual([status, error, data], ['error', 'not supported by this server', {}])
    }
  })
})

onTwoNodes((fixture) => {
  it('what somebody sets for everywhere is told to all their devices, and to nobody else', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const phone = ada.device(fixture.nodes.at(-1)!.url)
    for (const device of [ada, phone, bo]) await device.watches(room)
    await bo.opensChannel(room, { watch: true, presence: true })
    for (const device of [ada, phone, bo]) await device.received()
    const until = '2199-01-01T00:00:00Z'
    const sets = (caller: TestUser | AppServer, preference: object) =>
      caller.does('POST', '/push_preferences', { body: { preferences: [preference] } })
    const keepsUp = async () => {
      const { me } = await ada.device().connects()
      for (const device of [ada, phone])
        assert.deepEqual((await device.receives('user.updated')).user.push_preferences, me.push_preferences)
      return me.push_preferences
    }

    await sets(ada, { chat_level: 'mentions', disabled_until: until })
    assert.deepEqual(await keepsUp(), { chat_level: 'mentions', disabled_until: until })
    await sets(phone, { remove_disable: true })
    assert.deepEqual(await keepsUp(), { chat_level: 'mentions' })
    await sets(appServer, { user_id: 'ada', chat_level: 'default' })
    assert.deepEqual(await keepsUp(), {})
    await sets(ada, { channel_cid: room, chat_level: 'none' })
    for (const device of [ada, phone, bo])
      assert.equal((await device.receivedTypes()).includes('user.updated'), false, device.id)
  })

  it('what is set of preferences on two nodes at once is all kept', async () => {
    const { ada } = await fixture.createApp('ada')
    const there = ada.device(fixture.nodes[1]!.url)
    const kinds = ['all', 'mentions', 'none']
    for (let i = 0; i < 20; i++) {
      const [chat_level, call_level] = [kinds[i % 3], i % 2 ? 'all' : 'none']
      const sets = (who: TestUser, preference: object) =>
        who.does('POST', '/push_preferences', { body: { preferences: [preference] } })
      await Promise.all([sets(ada, { chat_level }), sets(there, { call_level })])
      const { user_preferences } = await sets(ada, { feeds_level: 'default' })
      assert.deepEqual(user_preferences, { ada: { chat_level, call_level } }, `after ${i} times`)
    }
  })
})
