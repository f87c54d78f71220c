import assert from 'node:assert/strict'
import { expect, it, vi } from 'vitest'
import { aWorld, settle } from '../testing/fake-server.ts'
import { aChannel, ada, aMessage, anEvent, bo, me, messages } from '../testing/wire.ts'
import { developmentToken } from '../token.ts'

const fetched = vi.hoisted(() => Promise.withResolvers<void>())
vi.mock('../lazy-chunk-soon.ts', async (original) => {
  await fetched.promise
  return original()
})

it('a channel list is shown before the second chunk is loaded, and later events are applied to it', async () => {
  const { client, server } = aWorld()
  const connected = client.connectUser({ id: 'ada' }, developmentToken('ada'))
  await settle()
  server.socket.confirms(me(ada))
  await connected
  const waits = { message: aMessage('p1', { minute: 60, user: ada }) }
  let answer = aChannel({}, { messages: messages(1, 25), pending_messages: [waits] })
  server.answers('POST', '/channels', () => ({ channels: [answer] }))
  server.answers('POST', '/channels/messaging/tea/query', () => answer)
  const [tea] = await client.queryChannels({}, [], { message_limit: 25 })
  assert.ok(tea)
  const shown = () => tea.state.messages.map(({ id }) => id)
  assert.deepEqual([shown().slice(-2), shown().length, tea.state.sets[0]?.hasOlder], [['m25', 'p1'], 26, true])

  const typists = () => tea.typists.snapshot().map(({ id }) => id)
  server.socket.says(anEvent('typing.start', { user: bo }))
  assert.deepEqual(typists(), [])
  fetched.resolve()
  await expect.poll(typists).toEqual(['bo'])
  answer = aChannel({}, { messages: messages(11, 35) })
  await tea.query({ messages: { limit: 25 } })
  assert.deepEqual([shown()[0], shown().at(-1), shown().length], ['m1', 'm35', 35])
})
