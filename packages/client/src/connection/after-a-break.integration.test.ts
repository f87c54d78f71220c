/** The same as `after-a-break.test.ts` in a few random cases, with a real server that pages and says what was missed. */
import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { currentSet } from '../messages/message-sets.ts'
import { agreed, type RealServer, startRealServer, until } from '../testing/real-server.ts'
import { seeded } from '../testing/seeded.ts'

let server: RealServer
beforeAll(async () => {
  server = await startRealServer()
})
afterAll(() => server.stop())

/** Counts the runs, so that a retried test has new users and channels. */
let told = 0

describe('after a break of the connection', () => {
  it.each([1, 2, 3, 4, 5, 6])('[CON-24] a channel equals a fresh fetch, page by page (seed %i)', async (seed) => {
    const random = seeded(seed)
    const upTo = (most: number) => Math.floor(random() * (most + 1))
    const run = told++
    const [adaID, boID] = [`ada-${run}`, `bo-${run}`] as const
    await server.company.upsertUsers([{ id: adaID }, { id: boID }])
    const made = server.company.channel('messaging', `tea-${run}`, { created_by_id: adaID, members: [adaID, boID] })
    await made.create()
    const posts = async (count: number) => {
      for (let i = 0; i < count; i++) await made.sendMessage({ text: `${i}`, user_id: random() < 0.5 ? adaID : boID })
    }
    await posts(upTo(60))

    const ada = await server.connects(adaID)
    const tea = ada.channel('messaging', made.id)
    await tea.watch()
    tea.subscribe(() => {})
    const live = upTo(35)
    const before = tea.state.messages.length
    await posts(live)
    await until(tea, ({ messages }) => messages.length === before + live)
    const hasReadBack = random() < 0.5 && currentSet(tea.state.sets).hasOlder
    if (hasReadBack) await tea.loadOlder()
    const seen = tea.state.messages.map(({ id }) => id)

    await ada.closeConnection()
    await posts(upTo(80))
    const recovered = new Promise((resolve) => ada.on('connection.recovered', resolve))
    await ada.openConnection()
    await recovered

    const fresh = (await server.connects(adaID)).channel('messaging', made.id)
    await fresh.watch()
    const shown = new Set(tea.state.messages.map(({ id }) => id))
    if (hasReadBack)
      assert.ok(
        seen.every((id) => shown.has(id)),
        'whoever read back keeps the place',
      )
    assert.ok(currentSet(tea.state.sets).latest, 'the server returned every missed message')
    for (const channel of [tea, fresh]) while (currentSet(channel.state.sets).hasOlder) await channel.loadOlder()
    assert.deepEqual(agreed(tea, adaID), agreed(fresh, adaID))
  })
})
