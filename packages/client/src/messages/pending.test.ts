import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { aConnectedWorld, type Call } from '../testing/fake-server.ts'
import { type RealServer, startRealServer, until } from '../testing/real-server.ts'
import { aChannel, ada, aMessage, anEvent, messages, posted } from '../testing/wire.ts'

describe('a message that the app’s server has yet to commit', () => {
  const held = (id: string, minute: number) => ({ message: aMessage(id, { minute, user: ada }) })

  async function adaWaits(pending = [held('p1', 60)], page = messages(1, 2)) {
    const world = await aConnectedWorld()
    world.server.answers('POST', '/channels/messaging/tea/query', () =>
      aChannel({}, { messages: page, pending_messages: pending }),
    )
    const tea = world.client.channel('messaging', 'tea')
    await tea.watch()
    const shown = () => tea.state.messages.map(({ id }) => id)
    const waiting = () => tea.state.pending_messages.map(({ id }) => id)
    return { ...world, tea, shown, waiting }
  }

  it('is shown to its author in its place, and listed', async () => {
    const { tea, shown, waiting } = await adaWaits()
    assert.deepEqual([shown(), waiting()], [['m1', 'm2', 'p1'], ['p1']])
    await tea.query()
    assert.deepEqual(shown(), ['m1', 'm2', 'p1'])
  })

  it('that is older than the page is only listed, so that no gap is hidden', async () => {
    const { shown, waiting } = await adaWaits([held('p1', 1)], messages(30, 54))
    assert.deepEqual([shown()[0], waiting()], ['m30', ['p1']])
  })

  it('is an ordinary message once it is committed, and moves to that time', async () => {
    const { server, shown, waiting } = await adaWaits([held('p1', 60)], messages(1, 2))
    server.socket.says(posted(aMessage('m3', { minute: 61 })))
    server.socket.says(posted(aMessage('p1', { minute: 62, user: ada, updated_at: '2026-01-05T09:02:00Z' })))
    assert.deepEqual([shown(), waiting()], [['m1', 'm2', 'm3', 'p1'], []])
  })

  it('is removed when it is refused', async () => {
    const { server, shown, waiting } = await adaWaits()
    const message = aMessage('p1', { user: ada, type: 'deleted' })
    server.socket.says(anEvent('message.deleted', { message, hard_delete: true }))
    assert.deepEqual([shown(), waiting()], [['m1', 'm2'], []])
  })

  it('is marked as pending as soon as it is sent, if the channel holds messages back', async () => {
    const { server, tea, shown, waiting } = await adaWaits([])
    server.socket.says(
      anEvent('channel.updated', { channel: { ...tea.data, config: { mark_messages_pending: true } } }),
    )
    server.answers('POST', '/channels/messaging/tea/message', ({ body }: Call) => ({
      message: aMessage(body.message.id, { user: ada, minute: 63 }),
    }))
    const { id, status } = await tea.send({ text: 'hi' })
    assert.deepEqual([status, shown(), waiting()], ['received', ['m1', 'm2', id], [id]])
  })
})

describe('on a real server', () => {
  let server: RealServer
  beforeAll(async () => {
    server = await startRealServer()
  })
  afterAll(() => server.stop())

  it('only its author sees a message until the app’s server commits it', async () => {
    await server.company.createChannelType({ name: 'held', mark_messages_pending: true })
    await server.company.upsertUsers([{ id: 'ada' }, { id: 'bo' }])
    await server.company.channel('held', 'tea', { created_by_id: 'ada', members: ['ada', 'bo'] }).create()
    const [ada, bo] = await Promise.all([server.connects('ada'), server.connects('bo')])
    const [adas, bos] = [ada.channel('held', 'tea'), bo.channel('held', 'tea')]
    await Promise.all([adas.watch(), bos.watch()])
    const { id } = await adas.send({ text: 'Lunch?' })
    assert.deepEqual(
      adas.state.pending_messages.map((message) => message.id),
      [id],
    )
    await adas.query()
    assert.deepEqual([adas.lastMessage()?.id, adas.state.pending_messages.length], [id, 1])
    assert.deepEqual(bos.state.messages, [])

    await server.company.commitMessage(id)
    await until(bos, ({ messages }) => messages.at(-1)?.id === id)
    await until(adas, ({ pending_messages }) => pending_messages.length === 0)
    assert.equal(adas.lastMessage()?.id, id)
  })
})
