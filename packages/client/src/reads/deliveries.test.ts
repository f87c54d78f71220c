import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, it, vi } from 'vitest'
import type { OwnUser } from '../shapes.ts'
import { aConnectedWorld, settle } from '../testing/fake-server.ts'
import { type RealServer, startRealServer, until } from '../testing/real-server.ts'
import { aChannel, ada, aMessage, me, messages, posted } from '../testing/wire.ts'

const TOLD = '/channels/delivered'

async function adaInTea(capabilities = ['read-events', 'delivery-events'], own: Partial<OwnUser> = {}) {
  const world = await aConnectedWorld({ own: me(ada, own) })
  world.server.answers('POST', '/channels', {
    channels: [aChannel({ own_capabilities: capabilities }, { messages: messages(1, 2) })],
  })
  await world.client.queryChannels({})
  await settle()
  const told = () => world.server.callsTo('POST', TOLD).map(({ body }) => body.latest_delivered_messages)
  const passes = async (ms: number) => {
    world.clock.advance(ms)
    await settle()
  }
  /** Loads the module for delivery receipts, and then waits until they are due. */
  const waits = async () => {
    await vi.waitUntil(() => world.clock.waits.includes(1_000), { timeout: 10_000, interval: 5 })
  }
  return { ...world, told, passes, waits }
}

describe('delivery receipts', () => {
  it('are sent at most once per second, for the newest message of each channel', async () => {
    const { server, told, passes, waits } = await adaInTea()
    await waits()
    await passes(999)
    assert.deepEqual(told(), [])
    await passes(1)
    assert.deepEqual(told(), [[{ cid: 'messaging:tea', id: 'm2' }]])
    server.socket.says(posted(aMessage('m3', { minute: 3 })))
    server.socket.says(posted(aMessage('m4', { minute: 4 })))
    await settle()
    await passes(1_000)
    assert.deepEqual(told().slice(1), [[{ cid: 'messaging:tea', id: 'm4' }]])
    await passes(5_000)
    assert.equal(told().length, 2)
  })

  it('are sent for a channel that was opened by itself', async () => {
    const { client, server, told, passes, waits } = await adaInTea()
    await waits()
    await passes(1_000)
    const coffee = aChannel({ id: 'coffee', own_capabilities: ['delivery-events'] }, { messages: messages(1, 1) })
    server.answers('POST', '/channels/messaging/coffee/query', coffee)
    await client.channel('messaging', 'coffee').watch()
    await passes(1_000)
    assert.deepEqual(told()[1], [{ cid: 'messaging:coffee', id: 'm1' }])
  })

  it('are sent with the next answer if the call failed', async () => {
    const { client, server, told, passes, waits } = await adaInTea()
    await waits()
    server.answers('POST', TOLD, () => {
      throw new TypeError('fetch failed')
    })
    await passes(1_000)
    server.answers('POST', TOLD, {})
    await client.queryChannels({})
    await passes(1_000)
    assert.deepEqual(told()[1], [{ cid: 'messaging:tea', id: 'm2' }])
  })

  it('are sent for a hundred channels at a time, the most that a call may name', async () => {
    const { client, server, told, passes, waits } = await adaInTea()
    await waits()
    const many = Array.from({ length: 120 }, (_, i) =>
      aChannel({ id: `c${i}`, own_capabilities: ['delivery-events'] }, { messages: messages(1, 1) }),
    )
    server.answers('POST', '/channels', { channels: many })
    await client.queryChannels({})
    await passes(1_000)
    await passes(1_000)
    assert.deepEqual(
      told().map(({ length }) => length),
      [100, 21],
    )
  })

  it('are not sent for the user’s own messages and for replies in threads', async () => {
    const { server, told, passes, waits } = await adaInTea()
    await waits()
    await passes(1_000)
    server.socket.says(posted(aMessage('r1', { minute: 3, parent_id: 'm1' })))
    server.socket.says(posted(aMessage('mine', { minute: 4, user: ada })))
    await settle()
    await passes(1_000)
    assert.equal(told().length, 1)
  })

  it('are not sent where the channel or the user has turned them off', async () => {
    const unwanted = { privacy_settings: { delivery_receipts: { enabled: false } } } as Partial<OwnUser>
    for (const world of [await adaInTea(['read-events']), await adaInTea(undefined, unwanted)]) {
      await world.passes(1_000)
      assert.deepEqual(world.told(), [])
    }
  })

  it('are cleared when the user signs out', async () => {
    const { client, told, passes, waits } = await adaInTea()
    await waits()
    await client.disconnectUser()
    await passes(1_000)
    assert.deepEqual(told(), [])
  })
})

describe('on a real server', () => {
  let server: RealServer
  beforeAll(async () => {
    server = await startRealServer()
  })
  afterAll(() => server.stop())

  it('the author sees that a message was delivered to the other user', async () => {
    const { company } = server
    await company.upsertUsers([{ id: 'ada' }, { id: 'bo' }])
    await company.updateChannelType('messaging', { delivery_events: true })
    await company.channel('messaging', 'tea', { created_by_id: 'ada', members: ['ada', 'bo'] }).create()
    const [adas, bos] = await Promise.all(
      ['ada', 'bo'].map(async (id) => {
        const channel = (await server.connects(id)).channel('messaging', 'tea')
        await channel.watch()
        return channel
      }),
    )
    const sent = await adas!.send({ text: 'Is it there?' })
    await until(adas!, ({ read }) => read.bo?.last_delivered_message_id === sent.id)
    assert.equal(bos!.countUnread(), 1)
  })
})
