import assert from 'node:assert/strict'
import { it } from 'vitest'
import { onEveryStorage } from '../../testing/fixture.ts'
import { path } from '../../testing/test-user.ts'

const ringing = { body: { id: 'tea-time', type: 'video' } }

onEveryStorage((fixture) => {
  it('[CHN-25] [CHN-26] [CHN-27] calls are asked for in good order, and there are none', async () => {
    const { appServer, ada, bo } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada])
    const call = `${path(room)}/call`
    for (const refusal of [
      await ada.isRefused(4, 'POST', call, ringing),
      await ada.isRefused(4, 'POST', '/calls/tea-time', { body: {} }),
    ])
      assert.match(refusal.message, /"video calls are not supported by this server"$/)

    const shapeless = await ada.isRefused(4, 'POST', call, { body: { id: 'tea-time', type: 'smoke' } })
    assert.deepEqual(Object.keys(shapeless.exception_fields), ['type'])
    assert.match((await ada.isRefused(4, 'POST', '/calls/no way', { body: {} })).message, /letters/)
    await bo.isRefused(17, 'POST', call, ringing)
    await ada.isRefused(16, 'POST', '/channels/messaging/nowhere/call', ringing)
    const { channel } = await ada.opensChannel(room)
    assert.equal(
      channel.own_capabilities?.some((capability) => capability.includes('call')),
      false,
    )
  })
})
