import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { onEveryTransport } from '../../testing/fixture.ts'
import { connectNats } from './bus.ts'
import { busSettingsIn } from './bus-settings.ts'

onEveryTransport((fixture) => {
  it('the largest possible message reaches all recipients, and so do the messages beside it', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const [room, other] = [await appServer.opens([ada, bo]), await appServer.opens([cy, bo])]
    await ada.watches(room)
    await bo.watches(room)
    await bo.watches(other)
    // Each is written with two more in JSON, and that with as many again in a bus message.
    const attachments = Array.from({ length: 30 }, () => ({ type: 'file', title: '\\'.repeat(2_500) }))
    const quoted = await ada.sends(room, 'One', { attachments })

    let searched = 0
    for (const { server } of fixture.nodes) {
      const { catchUp } = server.hub
      server.hub.catchUp = () => {
        searched += 1
        return catchUp.call(server.hub)
      }
    }

    await Promise.all([ada.sends(room, 'Two', { attachments, quoted_message_id: quoted.id }), cy.sends(other, 'Three')])

    for (const testUser of [ada, bo]) {
      const { message } = await testUser.receives('message.new', ({ message }) => message.text === 'Two')
      assert.deepEqual([message.attachments.length, message.quoted_message.attachments.length], [30, 30])
    }
    await bo.receives('message.new', ({ message }) => message.text === 'Three')
    assert.equal(searched, 0, 'no node had to look for it')
  })
})

it('a text of any length comes over the bus as it was, beside those of others', async () => {
  const subject = randomBytes(6).toString('hex')
  const settings = busSettingsIn({ BUS_URL: process.env.TEST_NATS_URL })!
  const reports = { failed: assert.ifError, away() {}, back() {} }
  const [here, there, elsewhere] = await Promise.all([1, 2, 3].map(() => connectNats(settings, reports)))
  const received: string[] = []
  here!.subscribe(subject, (text) => received.push(text))
  await here!.settled()
  const texts = [10, 200_000, 524_286, 524_287, 1_048_600, 3_000_000].map((length) =>
    JSON.stringify('x'.repeat(length)),
  )
  texts.push(JSON.stringify('я€😀'.repeat(200_000)))
  for (const text of texts) for (const bus of [there!, elsewhere!]) bus.publish(subject, text)
  await eventually(() => received.length === 2 * texts.length, 'all came')
  assert.ok(received.every((text) => texts.includes(text)))
  await Promise.all([here!, there!, elsewhere!].map((bus) => bus.close()))
})
