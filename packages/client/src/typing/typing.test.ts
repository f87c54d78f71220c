import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import type { OwnUser } from '../shapes.ts'
import { aConnectedWorld, settle } from '../testing/fake-server.ts'
import { aChannel, ada, aMessage, anEvent, bo, cy, me, posted } from '../testing/wire.ts'

const EVENT = '/channels/messaging/tea/event'

async function adaInTea({ own = me(ada), typing_events = true }: { own?: OwnUser; typing_events?: boolean } = {}) {
  const world = await aConnectedWorld({ own })
  const config = { typing_events, read_events: true }
  world.server.answers('POST', '/channels/messaging/tea/query', () => aChannel({ config }))
  const tea = world.client.channel('messaging', 'tea')
  await tea.watch()
  const told = () => world.server.callsTo('POST', EVENT).map(({ body }) => body.event)
  return { ...world, tea, told }
}

const start = { type: 'typing.start' }
const stop = { type: 'typing.stop' }

describe('own typing', () => {
  it('[TYP-1] is sent at most every 2 s', async () => {
    const { tea, told, clock } = await adaInTea()
    await tea.keystroke()
    for (let i = 0; i < 4; i++) {
      clock.advance(499)
      await tea.keystroke()
    }
    assert.deepEqual(told(), [start])
    clock.advance(4)
    await tea.keystroke()
    assert.deepEqual(told(), [start, start])
  })

  it('[TYP-2] [CON-17] is ended after 1 s without keystrokes, by the sweep', async () => {
    const { tea, told, clock } = await adaInTea()
    await tea.keystroke()
    clock.advance(1_000)
    await settle()
    assert.deepEqual(told(), [start])
    clock.advance(500)
    await settle()
    assert.deepEqual(told(), [start, stop])
    clock.advance(5_000)
    await settle()
    assert.deepEqual(told(), [start, stop])
    await tea.keystroke()
    assert.deepEqual(told(), [start, stop, start])
  })

  it('[TYP-2] is ended once: a message sent after the pause sends no second stop', async () => {
    const { tea, told, clock } = await adaInTea()
    await tea.stopTyping()
    assert.deepEqual(told(), [])
    await tea.keystroke()
    clock.advance(1_500)
    await settle()
    await tea.stopTyping()
    assert.deepEqual(told(), [start, stop])
  })

  it('names its thread', async () => {
    const { tea, told } = await adaInTea()
    await tea.keystroke('m1')
    await tea.stopTyping('m1')
    assert.deepEqual(told(), [
      { ...start, parent_id: 'm1' },
      { ...stop, parent_id: 'm1' },
    ])
  })

  it('[TYP-1] [TYP-2] in a thread ends that in the channel, and is itself ended there', async () => {
    const { tea, told, clock } = await adaInTea()
    await tea.keystroke()
    await tea.keystroke('m1')
    await tea.keystroke('m1')
    assert.deepEqual(told(), [start, stop, { ...start, parent_id: 'm1' }])
    clock.advance(1_500)
    await settle()
    assert.deepEqual(told().at(-1), { ...stop, parent_id: 'm1' })
  })

  it('can be aborted', async () => {
    const { server, tea } = await adaInTea()
    server.holds('POST', EVENT)
    const giveUp = new AbortController()
    const { signal } = giveUp
    const telling = [tea.keystroke(undefined, { signal }), tea.stopTyping(undefined, { signal })]
    await settle()
    giveUp.abort()
    await Promise.all(telling)
  })

  it('[TYP-8] is not sent where the channel has no typing events, or by a user who turned them off', async () => {
    const off = { typing_indicators: { enabled: false } }
    for (const world of [
      await adaInTea({ typing_events: false }),
      await adaInTea({ own: me(ada, { privacy_settings: off }) }),
    ]) {
      await world.tea.keystroke()
      await world.tea.stopTyping()
      world.clock.advance(3_000)
      await settle()
      assert.deepEqual(world.told(), [])
    }
  })
})

describe('the typing of others', () => {
  it('[TYP-3] [CON-16] ends 7 s after the last event, by a sweep every 500 ms', async () => {
    const { server, tea, clock } = await adaInTea()
    server.socket.says(anEvent('typing.start', { user: bo }))
    clock.advance(5_000)
    server.socket.says(anEvent('typing.start', { user: bo }))
    clock.advance(6_500)
    assert.deepEqual(tea.typists.snapshot(), [bo])
    clock.advance(500)
    assert.deepEqual(tea.typists.snapshot(), [])
    assert.ok(clock.waits.includes(500))
  })

  it('[CON-17] is swept only while a channel is active', async () => {
    const { client, clock } = await aConnectedWorld()
    assert.ok(!clock.waits.includes(500))
    client.channel('messaging', 'tea')
    assert.ok(clock.waits.includes(500))
    clock.advance(500)
    assert.ok(clock.waits.includes(500))
    await client.disconnectUser()
    assert.deepEqual(clock.waits, [])
  })

  it('[TYP-4] [TYP-5] can be read live, in the order they began', async () => {
    const { server, tea } = await adaInTea()
    const seen: string[][] = []
    tea.typists.subscribe(() => seen.push(tea.typists.snapshot().map(({ id }) => id)))
    server.socket.says(anEvent('typing.start', { user: cy }))
    server.socket.says(anEvent('typing.start', { user: bo }))
    server.socket.says(posted(aMessage('m1', { user: ada })))
    server.socket.says(anEvent('typing.stop', { user: cy }))
    assert.deepEqual(seen, [['cy'], ['cy', 'bo'], ['bo']])
  })

  it('[TYP-7] in a thread is shown only in that thread', async () => {
    const { server, tea } = await adaInTea()
    server.socket.says(anEvent('typing.start', { user: bo, parent_id: 'm1' }))
    assert.deepEqual(tea.typists.snapshot(), [])
    assert.deepEqual(tea.typistsIn('m1').snapshot(), [bo])
    assert.deepEqual(tea.typistsIn('m2').snapshot(), [])
  })
})
