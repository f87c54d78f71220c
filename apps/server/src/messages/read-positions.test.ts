import assert from 'node:assert/strict'
import { it } from 'vitest'
import { path } from '../testing/person.ts'
import { onEveryStorage } from '../testing/stage.ts'
import { rowsUntil } from '../testing/statements.ts'

onEveryStorage((stage) => {
  it('who joined late marks read at the same cost, however much was said before', async () => {
    const { ada, bo, company } = await stage.company('ada', 'bo')
    const joined = async (said: number) => {
      const room = await company.opens([ada])
      for (let i = 0; i < said; i++) await ada.says(room, `${i}`)
      await company.does('POST', path(room), { body: { add_members: ['bo'] } })
      return room
    }
    const marking = async (room: string) => {
      const { id } = await ada.says(room, 'Welcome')
      await ada.says(room, 'Tea?')
      const rows = await rowsUntil(() => bo.reads(room, { message_id: id }))
      assert.equal(await bo.unread(room), 1)
      return rows
    }
    const [young, old] = [await joined(2), await joined(20)]
    for (const room of [young, old]) await marking(room)
    assert.equal(await marking(old), await marking(young))
  })

  it('slow mode looks at one message of whoever wants to speak', async () => {
    const { ada, company } = await stage.company('ada')
    const room = await company.opens([ada])
    for (let i = 0; i < 10; i++) await ada.says(room, `${i}`)
    await company.does('POST', path(room), { body: { cooldown: 60 } })
    const speaking = () =>
      rowsUntil(() => ada.isRefused(60, 'POST', `${path(room)}/message`, { body: { message: { text: 'Hi' } } }))
    await speaking()
    assert.ok((await speaking()) < 10)
  })
})
