import assert from 'node:assert/strict'
import { afterEach, beforeEach, it } from 'vitest'
import { counting } from './platform/clock.ts'
import { eventually } from './testing/eventually.ts'
import { onEveryStorage } from './testing/fixture.ts'

onEveryStorage((fixture) => {
  beforeEach(() => fixture.clock.ticksEvery(60_000))
  afterEach(() => fixture.clock.ticksEvery(1))

  it('[READ-5] [CHN-58] channels are ordered by last message, however quickly messages follow', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const rooms: string[] = []
    for (let i = 0; i < 6; i++) rooms.push(await appServer.opens([ada, bo]))
    for (const room of rooms) await ada.sends(room, 'Hello')

    const newestFirst = rooms.toReversed()
    const { channels: unread } = await bo.does('GET', '/unread')
    assert.deepEqual(
      unread.map(({ channel_id }: { channel_id: string }) => channel_id),
      newestFirst,
    )
    const { channels } = await bo.does('POST', '/channels', {
      body: { filter_conditions: { members: { $in: ['bo'] } }, sort: [{ field: 'last_message_at', direction: -1 }] },
    })
    assert.deepEqual(
      channels.map(({ channel }: { channel: { cid: string } }) => channel.cid),
      newestFirst,
    )
  })

  it('[USR-7] a user erased while sending leaves nothing', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    for (const text of ['One', 'Two', 'Three']) await bo.sends(room, text)
    await appServer.does('DELETE', '/users/bo', { query: { mark_messages_deleted: 'true', hard_delete: 'true' } })
    await eventually(
      async () =>
        (await ada.opensChannel(room)).messages.every(
          (message: Record<string, unknown>) => message.type === 'deleted' && message.text === '',
        ),
      'nothing that bo said is left',
    )
  })

  it('[CHN-51] slow mode waits no longer than its interval, also directly after a message', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada], { cooldown: 30 })
    await ada.sends(room, 'One')
    const refusal = await ada.isRefused(60, 'POST', `/channels/${room.replace(':', '/')}/message`, {
      body: { message: { text: 'Two' } },
    })
    assert.match(refusal.message, /Wait 30 s/)
  })
})

it('increments within a millisecond, and follows a clock that was set back', () => {
  let now = 1_000
  const micros = counting(() => now)
  assert.deepEqual([micros(), micros(), micros()], [1_000_000, 1_000_001, 1_000_002])
  now = 1_001
  assert.equal(micros(), 1_001_000)
  now = 900
  assert.equal(micros(), 1_001_001, 'a little back is no way back')
  now = 0
  assert.equal(micros(), 0)
})
