import assert from 'node:assert/strict'
import { it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { onEveryTransport } from '../../testing/fixture.ts'

onEveryTransport(
  (fixture) => {
    it('[ERR-29] [ERR-34] a user’s sockets are counted over all nodes, and one more is refused with 71', async () => {
      const { ada, bo } = await fixture.createApp('ada', 'bo')
      const last = fixture.nodes.at(-1)!
      const counted = (count: number) =>
        eventually(
          () => fixture.nodes.every(({ server }) => server.presence.connectionsOf(ada.app.id, 'ada') === count),
          `all nodes know of ${count} sockets`,
        )
      const [laptop, phone, tablet] = [ada.device(), ada.device(last.url), ada.device(last.url)]
      for (const [i, device] of [laptop, phone, tablet].entries()) {
        assert.equal((await device.connects()).type, 'health.check')
        await counted(i + 1)
      }
      for (const { url } of fixture.nodes) {
        const { error } = await ada.device(url).connects()
        assert.deepEqual([error.code, error.StatusCode], [71, 429])
      }
      assert.equal((await bo.connects()).type, 'health.check')

      await phone.leaves()
      await counted(2)
      assert.equal((await ada.device().connects()).type, 'health.check')
      await counted(3)
      // The last connection of a node closes; that is known before the user goes offline.
      await tablet.leaves()
      await counted(2)
      assert.equal((await ada.device(last.url).connects()).type, 'health.check')
      await counted(3)
    })

    it('an anonymous user may have any number', async () => {
      const { ada } = await fixture.createApp('ada')
      for (let i = 0; i < 5; i++)
        assert.equal((await ada.device().connects({ token: '', query: { json: '{}' } })).type, 'health.check')
    })
  },
  { CONNECTIONS_PER_USER: '3' },
)
