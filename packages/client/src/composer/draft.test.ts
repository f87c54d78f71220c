import assert from 'node:assert/strict'
import { it } from 'vitest'
import { aConnectedWorld, type Call } from '../testing/fake-server.ts'
import { aChannel, ada, aMessage, messages } from '../testing/wire.ts'

const file = { type: 'file', title: 'a.txt', asset_url: 'https://files.example/a.txt' }
const draft = { text: 'With a file', mentioned: [], attachments: [file] }

// In a file of its own, because here the upload code is not loaded yet.
it('a draft that is sent or cleared before its files are restored sends or clears them, too', async () => {
  const storage = new Map(['', ':m1'].map((place) => [`draft:ada:messaging:tea${place}`, draft]))
  const { client, server } = await aConnectedWorld({ storage })
  server.answers('POST', '/channels/messaging/tea/query', aChannel({}, { messages: messages(1, 2) }))
  server.answers('POST', '/channels/messaging/tea/message', ({ body }: Call) => ({
    message: aMessage(body.message.id, { ...body.message, user: ada, mentioned_users: [] }),
  }))
  const tea = client.channel('messaging', 'tea')
  await tea.watch()
  const [sent, thrownAway] = [tea.composer, tea.composerIn('m1')]
  for (const composer of [sent, thrownAway]) composer.restoreDraft()
  const sending = sent.send()
  thrownAway.clear()
  await sending
  // Now it is loaded.
  for (const composer of [sent, thrownAway]) await composer.attach([])
  assert.deepEqual(server.callsTo('POST', '/channels/messaging/tea/message')[0]?.body.message.attachments, [file])
  assert.deepEqual([sent.isEmpty, thrownAway.isEmpty], [true, true])
})
