import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { type RealServer, startRealServer, until } from '../testing/real-server.ts'

let server: RealServer
beforeAll(async () => {
  server = await startRealServer()
})
afterAll(() => server.stop())

let count = 0

/** Ada on two devices, in a channel of her own. */
async function adaTwice() {
  const [id, room] = [`ada-${++count}`, `tea-${count}`]
  await server.company.upsertUsers([{ id, name: 'Ada' }])
  await server.company.channel('messaging', room, { created_by_id: id, members: [id] }).create()
  const at = async () => {
    const client = await server.connects(id)
    const channel = client.channel('messaging', room)
    await channel.watch()
    return { client, channel }
  }
  return { here: await at(), there: await at(), at }
}

describe('drafts on the server', () => {
  it('are the user’s own on every device, until they are deleted', async () => {
    const { here, there, at } = await adaTwice()
    const { draft } = await here.channel.createDraft({ text: 'Dear all' })
    assert.equal(draft.message.text, 'Dear all')
    await until(there.channel, (state) => state.draft?.message.text === 'Dear all')
    await there.channel.createDraft({ text: 'Dear Bo' })
    await until(here.channel, (state) => state.draft?.message.text === 'Dear Bo')
    assert.equal((await at()).channel.state.draft?.message.text, 'Dear Bo')
    assert.equal((await here.channel.getDraft()).draft.message.text, 'Dear Bo')
    await here.channel.deleteDraft()
    await until(there.channel, (state) => state.draft === undefined)
    await assert.rejects(here.channel.getDraft(), { code: 16 })
  })

  it('are deleted when their message is sent', async () => {
    const { here, there } = await adaTwice()
    await here.channel.createDraft({ text: 'Hello' })
    await until(there.channel, (state) => state.draft !== undefined)
    await there.channel.send({ text: 'Hello' })
    await until(here.channel, (state) => state.draft === undefined)
  })

  it('of threads are separate from the channel’s, and all of them are listed', async () => {
    const { here, there } = await adaTwice()
    const parent = await here.channel.send({ text: 'Where?' })
    await until(there.channel, ({ messages }) => messages.length === 1)
    await here.channel.createDraft({ text: 'Here', parent_id: parent.id })
    await until(there.channel, ({ messages }) => messages[0]?.draft?.message.text === 'Here')
    await here.channel.createDraft({ text: 'Something else' })
    const { drafts } = await here.client.queryDrafts({ sort: { created_at: 1 } })
    assert.deepEqual(
      drafts.map(({ message, parent_id }) => [message.text, parent_id]),
      [
        ['Here', parent.id],
        ['Something else', undefined],
      ],
    )
    await there.channel.deleteDraft({ parent_id: parent.id })
    await until(here.channel, ({ messages }) => messages[0]?.draft === undefined)
    assert.equal(here.channel.state.draft?.message.text, 'Something else')
  })
})
