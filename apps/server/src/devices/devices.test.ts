import assert from 'node:assert/strict'
import { it } from 'vitest'
import type { AppServer, Person } from '../testing/person.ts'
import { onEveryStorage } from '../testing/stage.ts'

const adds = (caller: Person | AppServer, id: string, fields: object = {}) =>
  caller.does('POST', '/devices', { body: { id, push_provider: 'firebase', ...fields } })

async function idsOf(caller: Person | AppServer, userId?: string): Promise<string[]> {
  const { devices } = await caller.does('GET', '/devices', { query: { user_id: userId ?? (caller as Person).id } })
  return devices.map((device: { id: string }) => device.id)
}

onEveryStorage((stage) => {
  it('[DEV-1] [DEV-2] [DEV-3] [DEV-4] a device is added, listed, shown on connecting, and removed', async () => {
    const { ada, bo, company } = await stage.company('ada', 'bo')
    await adds(ada, 'phone', { push_provider_name: 'main', hardware_id: 'h1' })
    stage.clock.advance(5)
    await adds(company, 'tablet', { push_provider: 'apn', voip_token: true, user_id: 'ada' })
    const { devices } = await ada.does('GET', '/devices')
    const [phone, tablet] = devices
    assert.deepEqual(
      [phone.id, phone.push_provider, phone.push_provider_name, phone.user_id, phone.hardware_id],
      ['phone', 'firebase', 'main', 'ada', 'h1'],
    )
    assert.deepEqual([tablet.id, tablet.push_provider, tablet.voip], ['tablet', 'apn', true])
    const { me } = await ada.connects()
    assert.deepEqual(me.devices, devices)
    const [full] = (await company.does('GET', '/users', { query: { payload: '{"filter_conditions":{"id":"ada"}}' } }))
      .users
    assert.deepEqual(full.devices, devices)

    await bo.isRefused(16, 'DELETE', '/devices', { query: { id: 'phone' } })
    await ada.does('DELETE', '/devices', { query: { id: 'phone' } })
    await ada.isRefused(16, 'DELETE', '/devices', { query: { id: 'phone' } })
    await company.does('DELETE', '/devices', { query: { id: 'tablet', user_id: 'ada' } })
    assert.deepEqual(await idsOf(ada), [])
  })

  it('[DEV-11] a device belongs to one user, and the oldest makes room for the 26th', async () => {
    const { ada, bo } = await stage.company('ada', 'bo')
    await adds(ada, 'shared')
    await adds(bo, 'shared')
    assert.deepEqual([await idsOf(ada), await idsOf(bo)], [[], ['shared']])
    for (let i = 0; i < 26; i++) {
      await adds(ada, `d${String(i).padStart(2, '0')}`)
      stage.clock.advance(1)
    }
    const ids = await idsOf(ada)
    assert.deepEqual([ids.length, ids[0], ids.at(-1)], [25, 'd01', 'd25'])
    await adds(ada, 'd01')
    assert.equal((await idsOf(ada)).at(-1), 'd01', 'known again, it counts as new')
  })

  it('a device that makes no sense is refused, and so is somebody without a name', async () => {
    const { ada, company } = await stage.company('ada')
    const refused = (body: object) => ada.isRefused(4, 'POST', '/devices', { body })
    await refused({ id: 'x', push_provider: 'pigeon' })
    await refused({ id: '', push_provider: 'apn' })
    await refused({ id: 'x'.repeat(256), push_provider: 'apn' })
    await refused({ push_provider: 'apn' })
    await company.isRefused(4, 'GET', '/devices')
    await ada.isRefused(4, 'DELETE', '/devices')
    const nobody = company.person('!anon')
    nobody.token = ''
    for (const method of ['GET', 'DELETE']) await nobody.isRefused(17, method, '/devices', { query: { id: 'x' } })
  })

  it('[DEV-3] a client that connects can bring its device along', async () => {
    const { ada } = await stage.company('ada')
    const json = { user_id: 'ada', user_details: { id: 'ada' }, device: { id: 'phone', push_provider: 'apn' } }
    const { me } = await ada.connects({ query: { json: JSON.stringify(json) } })
    assert.deepEqual(
      me.devices.map((device: { id: string }) => device.id),
      ['phone'],
    )
  })

  it('preferences hold everywhere or in one channel, and are taken back one by one', async () => {
    const { ada, bo, cy, company } = await stage.company('ada', 'bo', 'cy')
    const room = await company.opens([ada, bo])
    const sets = (caller: Person | AppServer, ...preferences: object[]) =>
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

    await sets(company, { user_id: 'ada', chat_level: 'default' }, { user_id: 'bo', chat_level: 'all' })
    const forEver = await sets(ada, { channel_cid: room, disabled_until: '9999-12-31T00:00:00Z' })
    const kept = forEver.user_channel_preferences.ada[room].disabled_until
    assert.equal((await ada.opensChannel(room)).push_preferences?.disabled_until, kept)
    await sets(ada, { channel_cid: room, remove_disable: true })
    assert.deepEqual((await ada.device().connects()).me.push_preferences, { call_level: 'none' })
    assert.deepEqual((await ada.opensChannel(room)).push_preferences, { chat_level: 'none' })
    assert.deepEqual((await bo.connects()).me.push_preferences, { chat_level: 'all' })

    const refused = (code: number, caller: Person | AppServer, preference: object) =>
      caller.isRefused(code, 'POST', '/push_preferences', { body: { preferences: [preference] } })
    await refused(17, ada, { user_id: 'bo', chat_level: 'all' })
    await refused(4, company, { chat_level: 'all' })
    await refused(4, ada, { chat_level: 'loud' })
    await refused(4, ada, { disabled_until: 'tomorrow' })
    await refused(16, company, { user_id: 'nobody', chat_level: 'all' })
    await refused(17, cy, { channel_cid: room, chat_level: 'all' })
    await refused(16, ada, { channel_cid: 'messaging:nowhere', chat_level: 'all' })
  })
})
