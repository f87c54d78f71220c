import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { now } from '../../../../scripts/machine-time.ts'
import { calls } from '../on-demand.ts'
import type { Message } from '../shapes.ts'
import { aConnectedWorld, Refusal, settle } from '../testing/fake-server.ts'
import { type RealServer, startRealServer, until } from '../testing/real-server.ts'
import { aChannel, aMessage, anEvent, messages } from '../testing/wire.ts'

const pin = (message: Message, minute: number, fields: Partial<Message> = {}): Message => ({
  ...message,
  pinned: true,
  pinned_at: `2026-01-05T08:${minute}:00Z`,
  pin_expires: null,
  updated_at: `2026-01-05T08:${minute}:00Z`,
  ...fields,
})

async function adaInTea(pinned_messages: Message[] = []) {
  const world = await aConnectedWorld()
  world.server.answers('POST', '/channels/messaging/tea/query', () =>
    aChannel({}, { messages: messages(1, 3), pinned_messages }),
  )
  const tea = world.client.channel('messaging', 'tea')
  await tea.watch()
  const pins = () => tea.state.pinned_messages.map(({ id }) => id)
  return { ...world, tea, pins }
}

describe('the pinned messages of a channel', () => {
  it('[PIN-6] follow pins, unpins and deletions, oldest pin first', async () => {
    const [m1, m2, m3] = messages(1, 3) as [Message, Message, Message]
    const { server, tea, pins } = await adaInTea([pin(m2, 20)])
    server.socket.says(anEvent('message.updated', { message: pin(m3, 30) }))
    server.socket.says(anEvent('message.updated', { message: pin(m1, 25) }))
    assert.deepEqual(pins(), ['m2', 'm1', 'm3'])
    server.socket.says(anEvent('message.updated', { message: { ...m2, updated_at: '2026-01-05T08:40:00Z' } }))
    assert.deepEqual(pins(), ['m1', 'm3'])
    const deleted = { ...pin(m1, 41), type: 'deleted', deleted_at: '2026-01-05T08:41:00Z' }
    server.socket.says(anEvent('message.deleted', { message: deleted, hard_delete: false }))
    assert.deepEqual(pins(), ['m3'])
    server.socket.says(anEvent('message.deleted', { message: m3, hard_delete: true }))
    assert.deepEqual(pins(), [])
    server.socket.says(anEvent('message.new', { message: pin(aMessage('m9', { minute: 42 }), 42) }))
    assert.deepEqual(pins(), ['m9'])
    assert.equal(tea.state.messages.at(-1)?.pinned, true)
  })

  it('[PIN-6] have a message that is pinned but not loaded only after a query', async () => {
    const { server, pins } = await adaInTea()
    server.socket.says(anEvent('message.updated', { message: pin(aMessage('older'), 30) }))
    assert.deepEqual(pins(), [])
  })

  it('[PIN-5] lose a pin when it expires', async () => {
    const [m1, m2] = messages(1, 2) as [Message, Message]
    const { tea, pins, server, clock } = await adaInTea([])
    server.socket.says(anEvent('message.updated', { message: pin(m1, 30, { pin_expires: '2026-01-05T09:00:10Z' }) }))
    server.socket.says(anEvent('message.updated', { message: pin(m2, 31) }))
    clock.advance(9_500)
    assert.deepEqual(pins(), ['m1', 'm2'])
    clock.advance(500)
    assert.deepEqual(pins(), ['m2'])
    const ended = tea.state.messages.find(({ id }) => id === 'm1')
    assert.deepEqual([ended?.pinned, ended?.pinned_at, ended?.pin_expires], [false, null, null])
    const before = tea.state
    clock.advance(500)
    assert.equal(tea.state, before)
  })
})

describe('a pin set by the user', () => {
  const [m1] = messages(1, 3) as [Message]
  beforeAll(() => calls.fetch())

  it('[PIN-1] [PIN-2] is shown before the server has answered, and so is its removal', async () => {
    const { server, client, tea, pins } = await adaInTea()
    const held = server.holds('PUT', '/messages/m1')
    const pinning = client.pinMessage('m1', 60)
    await settle()
    assert.deepEqual(pins(), ['m1'])
    const shown = tea.state.messages.find(({ id }) => id === 'm1')
    assert.deepEqual([shown?.pin_expires, shown?.pinned_by?.id], ['2026-01-05T09:01:00.000Z', 'ada'])
    await held.give({ message: pin(m1, 30) })
    await pinning
    assert.equal(tea.state.pinned_messages[0]?.pinned_at?.toISOString(), '2026-01-05T08:30:00.000Z')
    const heldAgain = server.holds('PUT', '/messages/m1')
    const unpinning = client.unpinMessage('m1')
    await settle()
    assert.deepEqual(pins(), [])
    await heldAgain.give({ message: { ...m1, updated_at: '2026-01-05T08:40:00Z' } })
    await unpinning
    assert.deepEqual(pins(), [])
  })

  it('is removed when the server refuses', async () => {
    const { server, client, pins } = await adaInTea([pin(m1, 20)])
    server.answers('PUT', '/messages/m1', () => new Refusal(17, 403, 'no'))
    server.answers('PUT', '/messages/m2', () => new Refusal(17, 403, 'no'))
    await assert.rejects(client.pinMessage('m2'), { code: 17 })
    assert.deepEqual(pins(), ['m1'])
    server.socket.says(anEvent('message.updated', { message: pin(m1, 20) }))
    await assert.rejects(client.unpinMessage('m1'), { code: 17 })
    assert.deepEqual(pins(), ['m1'])
  })

  it('stays when only the answer was lost', async () => {
    const { server, client, pins } = await adaInTea()
    const held = server.holds('PUT', '/messages/m1')
    const pinning = client.pinMessage('m1')
    await settle()
    server.socket.says(anEvent('message.updated', { message: pin(m1, 30) }))
    await Promise.all([assert.rejects(pinning, { code: 'ERR_NETWORK' }), held.break()])
    assert.deepEqual(pins(), ['m1'])
  })
})

describe('on a real server', () => {
  let server: RealServer
  beforeAll(async () => {
    server = await startRealServer()
  })
  afterAll(() => server.stop())

  it('[PIN-1] [PIN-2] [PIN-3] messages are pinned, listed, and unpinned', async () => {
    await server.company.upsertUsers([{ id: 'ada' }, { id: 'bo' }])
    const made = server.company.channel('messaging', 'tea', { created_by_id: 'ada', members: ['ada', 'bo'] })
    await made.create()
    const [ada, bo] = [await server.connects('ada'), await server.connects('bo')]
    const [adas, bos] = [ada.channel('messaging', 'tea'), bo.channel('messaging', 'tea')]
    await adas.watch()
    await bos.watch()
    const one = await adas.send({ text: 'one' })
    const two = await adas.send({ text: 'two' })
    await ada.pinMessage(one.id)
    await ada.pinMessage(two.id, 3_600, undefined, now())
    await until(bos, ({ pinned_messages }) => pinned_messages.length === 2)
    const found = async (...asked: Parameters<typeof bos.getPinnedMessages>) =>
      (await bos.getPinnedMessages(...asked)).messages.map(({ text }) => text)
    assert.deepEqual(await found(), ['two', 'one'])
    assert.deepEqual(await found({ limit: 1 }, { pinned_at: 1 }), ['one'])
    assert.deepEqual(await found({ filter: { text: 'two' } }), ['two'])
    assert.deepEqual(await found({ id_lt: two.id }), ['one'])
    await ada.unpinMessage(one.id)
    await until(bos, ({ pinned_messages }) => pinned_messages.length === 1)
    assert.deepEqual(await found(), ['two'])
  })
})
