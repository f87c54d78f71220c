import assert from 'node:assert/strict'
import { it } from 'vitest'
import { path } from '../testing/person.ts'
import { onEveryStorage } from '../testing/stage.ts'

onEveryStorage((stage) => {
  it('[MOD-8] [MOD-9] a message or a user is flagged once by each, and the flag can be taken back', async () => {
    const { ada, bo, cleo, company } = await stage.company('ada', 'bo', 'cleo')
    const room = await company.opens([bo, cleo])
    await company.does('POST', path(room), {
      body: { add_members: [{ user_id: 'ada', channel_role: 'channel_moderator' }] },
    })
    const { id } = await bo.says(room, 'Rude')
    const asked = { target_message_id: id, reason: 'rude', custom: { level: 3 } }
    const { flag } = await cleo.does('POST', '/moderation/flag', { body: asked })
    assert.deepEqual(
      [flag.user.id, flag.target_message_id, flag.target_message.text, flag.reason, flag.custom],
      ['cleo', id, 'Rude', 'rude', { level: 3 }],
    )
    await cleo.isRefused(4, 'POST', '/moderation/flag', { body: asked })
    await cleo.isRefused(4, 'POST', '/moderation/flag', { body: {} })
    await cleo.isRefused(16, 'POST', '/moderation/flag', { body: { target_user_id: 'nobody' } })
    const user = await cleo.does('POST', '/moderation/flag', { body: { target_user_id: 'bo' } })
    assert.equal(user.flag.target_user.id, 'bo')

    const find = async (filter: object) => {
      const payload = JSON.stringify({ filter_conditions: filter })
      const { flags } = await ada.does('GET', '/moderation/flags/message', { query: { payload } })
      return flags.map((found: { message: { id: string } }) => found.message.id)
    }
    assert.deepEqual(await find({ channel_cid: room }), [id])
    assert.deepEqual(await find({ channel_cid: room, user_id: 'cleo' }), [])
    const refused = { query: { payload: JSON.stringify({ filter_conditions: { channel_cid: room } }) } }
    await cleo.isRefused(17, 'GET', '/moderation/flags/message', refused)
    await ada.isRefused(4, 'GET', '/moderation/flags/message', { query: { payload: '{}' } })

    await cleo.does('POST', '/moderation/unflag', { body: { target_message_id: id } })
    assert.deepEqual(await find({ channel_cid: room }), [])
    await cleo.isRefused(16, 'POST', '/moderation/unflag', { body: { target_message_id: id } })
  })
})
