import assert from 'node:assert/strict'
import { it } from 'vitest'
import { onEveryStorage } from '../../testing/fixture.ts'
import { rowsUntil } from '../../testing/statements.ts'
import { path } from '../../testing/test-user.ts'

onEveryStorage((fixture) => {
  it('marking read costs a late member the same, however many messages came before', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const joined = async (said: number) => {
      const room = await appServer.opens([ada])
      for (let i = 0; i < said; i++) await ada.sends(room, `${i}`)
      await appServer.does('POST', path(room), { body: { add_members: ['bo'] } })
      return room
    }
    const marking = async (room: string) => {
      const { id } = await ada.sends(room, 'Welcome')
      await ada.sends(room, 'Tea?')
      const rows = await rowsUntil(() => bo.reads(room, { message_id: id }))
      assert.equal(await bo.unread(room), 1)
      return rows
    }
    const [young, old] = [await joined(2), await joined(20)]
    for (const room of [young, old]) await marking(room)
    assert.equal(await marking(old), await marking(young))
  })

  it('slow mode reads only one message of the sender', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    for (let i = 0; i < 10; i++) await ada.sends(room, `${i}`)
    await appServer.does('POST', path(room), { body: { cooldown: 60 } })
    const speaking = () =>
      rowsUntil(() => ada.isRefused(60, 'POST', `${path(room)}/message`, { body: { message: { text: 'Hi' } } }))
    await speaking()
    assert.ok((await speaking()) < 10)
  })
})
