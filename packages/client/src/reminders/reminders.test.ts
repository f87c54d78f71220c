import assert from 'node:assert/strict'
import { afterAll, beforeAll, it } from 'vitest'
import { type RealServer, startRealServer, until } from '../testing/real-server.ts'

let server: RealServer
beforeAll(async () => {
  server = await startRealServer()
})
afterAll(() => server.stop())

it('a reminder is at its message on every device of its owner, whatever else happens to the message', async () => {
  const { company } = server
  await company.upsertUsers([{ id: 'ada' }, { id: 'bo' }])
  await company.updateChannelType('messaging', { user_message_reminders: true })
  await company.channel('messaging', 'tea', { created_by_id: 'ada', members: ['ada', 'bo'] }).create()
  const at = async (id: string) => {
    const client = await server.connects(id)
    const channel = client.channel('messaging', 'tea')
    await channel.watch()
    return { client, channel }
  }
  const [here, there, bos] = [await at('ada'), await at('ada'), await at('bo')]
  const message = await bos.channel.send({ text: 'Read me later' })
  const remind_at = '2030-01-01T00:00:00Z'
  const { reminder } = await here.client.createReminder(message.id, { remind_at })
  assert.deepEqual([reminder.message_id, reminder.user_id], [message.id, 'ada'])
  const kept = () => there.channel.state.messages[0]?.reminder
  await until(there.channel, () => kept() !== undefined)
  await bos.client.partialUpdateMessage(message.id, { set: { text: 'Read me soon' } })
  await until(there.channel, ({ messages }) => messages[0]?.text === 'Read me soon')
  assert.equal(kept()?.message_id, message.id)
  assert.equal(bos.channel.state.messages[0]?.reminder, undefined)
  await here.client.updateReminder(message.id, { remind_at: null })
  await until(there.channel, () => kept()?.remind_at === undefined)
  const { reminders } = await here.client.queryReminders({ filter: { channel_cid: here.channel.cid } })
  assert.deepEqual(
    reminders.map(({ message_id }) => message_id),
    [message.id],
  )
  await here.client.deleteReminder(message.id)
  await until(there.channel, () => kept() === undefined)
})
