/** Changed system clocks: durations and ages do not change by that. */
import assert from 'node:assert/strict'
import { it } from 'vitest'
import { onEveryTransport } from '../../testing/fixture.ts'

const TEN_MINUTES_MS = 600_000

onEveryTransport((fixture) => {
  for (const set of [TEN_MINUTES_MS, -TEN_MINUTES_MS])
    it(`[CON-21] a clock that is set by ${set / 60_000} minutes drops no client, and one that is silent later is dropped all the same`, async () => {
      const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
      const room = await appServer.opens([ada, bo])
      await Promise.all([ada.connects(), bo.connects()])
      await Promise.all([ada.watches(room), bo.watches(room)])
      fixture.clock.isSet(set)
      // No client has been silent for longer than this.
      fixture.clock.advance(10_000)
      await ada.sends(room, 'Still here')
      await bo.receives('message.new')
      assert.deepEqual([ada.closed, bo.closed], [undefined, undefined])

      for (let round = 0; round < 20; round++) {
        await ada.pings()
        fixture.clock.advance(5_000)
      }
      await bo.ends()
      assert.equal(bo.closed?.code, 1001)
      assert.equal(ada.closed, undefined)
    })
})
