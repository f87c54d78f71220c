import assert from 'node:assert/strict'
import { afterAll, it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { onTwoNodes } from '../../testing/fixture.ts'
import { openLossyBus } from '../../testing/lossy-bus.ts'
import { path } from '../../testing/test-user.ts'
import { connectNats } from './bus.ts'
import { busSettingsIn } from './bus-settings.ts'

const bus = await openLossyBus(process.env.TEST_NATS_URL!)
afterAll(() => bus.close())

onTwoNodes(
  (fixture) => {
    const [HERE, THERE] = [0, 1]

    /** The node receives no event of what happens meanwhile. */
    async function missedBy(node: number, happens: () => Promise<unknown>) {
      const { lost } = bus
      bus.deaf.add(node)
      try {
        await happens()
        await eventually(() => bus.lost > lost, 'something was lost')
      } finally {
        bus.deaf.delete(node)
      }
    }

    it('a channel’s last message, lost on the way to another node, is delivered there a little later', async () => {
      const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
      const room = await appServer.opens([ada, bo])
      await bo.watches(room)
      await ada.sends(room, 'One')
      await bo.receives('message.new', ({ message }) => message.text === 'One')

      await missedBy(THERE, () => ada.sends(room, 'Two'))
      fixture.clock.advance(5_000)
      const { message, unread_count } = await bo.receives('message.new', ({ message }) => message.text === 'Two')
      assert.deepEqual([message.user.id, unread_count], ['ada', 2])
    })

    it('a member removed while their node received nothing loses their rights there a little later', async () => {
      const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
      const room = await appServer.opens([ada, bo])
      await bo.sends(room, 'I am here')

      await missedBy(THERE, () => appServer.does('POST', path(room), { body: { remove_members: ['bo'] } }))
      fixture.clock.advance(5_000)
      const message = { body: { message: { text: 'Still here?' } } }
      const isOut = async () => (await bo.call('POST', `${path(room)}/message`, message)).status === 403
      await eventually(isOut, 'bo is out')
    })

    it('a node finds in the log what it stored and could not publish, and so do the others', async () => {
      const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
      const room = await appServer.opens([ada, bo])
      await Promise.all([ada.watches(room), bo.watches(room)])
      const { hub } = fixture.nodes[HERE]!.server
      const publish = hub.publish
      hub.publish = () => {
        throw new Error('The hub is broken.')
      }
      await ada.sends(room, 'One').finally(() => {
        hub.publish = publish
      })

      for (const testUser of [ada, bo]) await testUser.receives('message.new', ({ message }) => message.text === 'One')
    })

    it('while the bus does not answer people connect, write and read all the same', async () => {
      const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
      const room = await appServer.opens([ada, bo])
      bus.deaf.add(HERE).add(THERE)
      try {
        await Promise.all([ada.watches(room), bo.watches(room)])
        await ada.sends(room, 'One')
        await ada.receives('message.new')
        assert.deepEqual(
          (await bo.opensChannel(room)).messages.map(({ text }) => text),
          ['One'],
        )
      } finally {
        bus.deaf.clear()
      }
    })

    it('[LPL-10] [ERR-17] a polling client keeps its connection while the bus is away', async () => {
      const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
      const room = await appServer.opens([ada, bo])
      const json = JSON.stringify({ user_id: 'ada' })
      const { event } = await ada.does('GET', '/longpoll', { query: { json } })
      const elsewhere = ada.device(bo.url)
      elsewhere.connectionId = event.connection_id
      const watches = () => elsewhere.call('POST', `${path(room)}/query`, { body: { watch: true } })
      bus.isAway = true
      try {
        await eventually(async () => (await watches()).body.code === 23, 'the other node is out of reach')
        await elsewhere.isRefused(23, 'GET', '/longpoll')
      } finally {
        bus.isAway = false
      }

      // A node that is back first cannot distinguish the other from one that is gone.
      await eventually(async () => (await watches()).status === 200, 'both nodes are back')
      await bo.sends(room, 'Still there?')
      const received: string[] = []
      const listens = async () => {
        const { status, body } = await elsewhere.call('GET', '/longpoll')
        assert.notEqual(body.code, 46)
        if (status === 200) received.push(...body.events.map(({ type }: { type: string }) => type))
        return received.includes('message.new')
      }
      await eventually(listens, 'the same connection goes on')
    })
  },
  { BUS_URL: bus.url, LOG_LEVEL: 'silent' },
)

it('a node can end while the bus does not answer', async () => {
  const ours = await connectNats(busSettingsIn({ BUS_URL: bus.url })!, { failed: assert.ifError, away() {}, back() {} })
  for (let node = 0; node < bus.nodes; node++) bus.deaf.add(node)
  await ours.close()
  bus.deaf.clear()
})
