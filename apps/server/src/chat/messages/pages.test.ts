import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Message } from '@parley/protocol/messages'
import { it } from 'vitest'
import { type Fixture, onEveryStorage } from '../../testing/fixture.ts'
import { path, type TestUser } from '../../testing/test-user.ts'

/** A channel with the messages m1 … m9, and a function that returns the texts of a page. */
async function nineMessages(fixture: Fixture) {
  const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
  const room = await appServer.opens([ada])
  const messages: Message[] = []
  for (let i = 1; i <= 9; i++) messages.push(await ada.sends(room, `m${i}`))
  const at = (i: number) => messages[i - 1]!
  const page = async (options: object, reader: TestUser = ada) =>
    texts((await reader.opensChannel(room, { messages: options })).messages)
  return { ada, bo, appServer, room, at, page }
}

const texts = (messages: readonly Message[]) => messages.map(({ text }) => text).join(' ')

onEveryStorage((fixture) => {
  it('a page is before or after a message, with or without it, oldest first', async () => {
    const { at, page } = await nineMessages(fixture)
    const { id, created_at } = at(5)

    assert.equal(await page({ limit: 3 }), 'm7 m8 m9')
    assert.equal(await page({ limit: 2, id_lt: id }), 'm3 m4')
    assert.equal(await page({ limit: 2, id_lte: id }), 'm4 m5')
    assert.equal(await page({ limit: 2, id_gt: id }), 'm6 m7')
    assert.equal(await page({ limit: 2, id_gte: id }), 'm5 m6')
    assert.equal(await page({ limit: 2, created_at_before: created_at }), 'm3 m4')
    assert.equal(await page({ limit: 2, created_at_before_or_equal: created_at }), 'm4 m5')
    assert.equal(await page({ limit: 2, created_at_after: created_at }), 'm6 m7')
    assert.equal(await page({ limit: 2, created_at_after_or_equal: created_at }), 'm5 m6')
    assert.equal(await page({ id_lt: at(1).id }), '')
    assert.equal(await page({ id_gt: at(9).id }), '')
    assert.equal(await page({ limit: 0 }), '')
  })

  it('[MSG-12] the page around a message has it in the middle, and shifts at the ends', async () => {
    const { at, page } = await nineMessages(fixture)

    assert.equal(await page({ limit: 1, id_around: at(5).id }), 'm5')
    assert.equal(await page({ limit: 2, id_around: at(5).id }), 'm4 m5')
    assert.equal(await page({ limit: 4, id_around: at(5).id }), 'm3 m4 m5 m6')
    assert.equal(await page({ limit: 5, id_around: at(5).id }), 'm3 m4 m5 m6 m7')
    assert.equal(await page({ limit: 5, id_around: at(2).id }), 'm1 m2 m3 m4 m5')
    assert.equal(await page({ limit: 5, id_around: at(1).id }), 'm1 m2 m3 m4 m5')
    assert.equal(await page({ limit: 5, id_around: at(9).id }), 'm5 m6 m7 m8 m9')
    assert.equal(await page({ limit: 100, id_around: at(9).id }), 'm1 m2 m3 m4 m5 m6 m7 m8 m9')
    assert.equal(await page({ limit: 4, created_at_around: at(5).created_at }), 'm3 m4 m5 m6')
    assert.equal(await page({ limit: 4, created_at_around: '2001-01-01T00:00:00Z' }), 'm1 m2 m3 m4')
    assert.equal(await page({ limit: 4, created_at_around: '2100-01-01T00:00:00Z' }), 'm6 m7 m8 m9')
  })

  it('[LIM-5] a page has 25 messages unless asked, and at most 300', async () => {
    const { ada, room, page } = await nineMessages(fixture)
    for (let i = 10; i <= 30; i++) await ada.sends(room, `m${i}`)

    assert.equal((await page({})).split(' ').length, 25)
    assert.equal((await page({ limit: 300 })).split(' ').length, 30)
    await ada.isRefused(4, 'POST', `${path(room)}/query`, { body: { state: true, messages: { limit: 301 } } })
  })

  it('a page request has one position, and starts from a visible message of the channel', async () => {
    const { ada, bo, appServer, room, at } = await nineMessages(fixture)
    const elsewhere = await ada.sends(await appServer.opens([ada]), 'Elsewhere')
    const ask = (code: number, messages: object, reader = ada) =>
      reader.isRefused(code, 'POST', `${path(room)}/query`, { body: { state: true, messages } })

    await ask(4, { id_lt: at(5).id, id_gt: at(2).id })
    await ask(4, { created_at_before: 'noon' })
    await ask(16, { id_lt: 'nobody' })
    await ask(16, { id_around: elsewhere.id })

    await appServer.does('POST', path(room), { body: { add_members: ['bo'], hide_history: true } })
    await ask(16, { id_around: at(5).id }, bo)
  })

  it('[MSG-12] a page around a message that it could not include is refused', async () => {
    const { ada, appServer, room, at } = await nineMessages(fixture)
    const reply = await ada.sends(room, 'in a thread', { parent_id: at(3).id })
    const shown = await ada.sends(room, 'in both', { parent_id: at(3).id, show_in_channel: true })
    const other = await ada.sends(room, 'elsewhere', { parent_id: at(4).id })
    const around = (id: string) =>
      ada.does('POST', `${path(room)}/query`, { body: { state: true, messages: { limit: 3, id_around: id } } })
    const noPage = (id: string) =>
      ada.isRefused(16, 'POST', `${path(room)}/query`, { body: { state: true, messages: { id_around: id } } })
    const noReplies = (id: string) =>
      ada.isRefused(16, 'GET', `/messages/${at(3).id}/replies`, { query: { id_around: id } })

    assert.equal(texts((await around(shown.id)).messages), 'm8 m9 in both')
    await noPage(reply.id)
    for (const id of [at(3).id, other.id]) await noReplies(id)

    fixture.clock.advance(1000)
    await appServer.does('POST', `${path(room)}/truncate`, { body: { truncated_at: at(5).created_at } })
    await noPage(at(4).id)
    assert.equal(texts((await around(at(5).id)).messages), 'm5 m6 m7')
  })

  it('[MSG-12] a page around a reply includes it, even if another reply has the same time', async () => {
    const { ada, room, at } = await nineMessages(fixture)
    const ids: string[] = []
    for (const text of ['At noon', 'At noon, too']) ids.push((await ada.sends(room, text, { parent_id: at(3).id })).id)
    // In earlier versions the app's server could give two replies the same time.
    const { write } = fixture.nodes[0]!.server.database
    await write.updateTable('messages').set({ created_at: fixture.clock.micros() }).where('id', 'in', ids).execute()
    for (const id_around of ids) {
      const { messages } = await ada.does('GET', `/messages/${at(3).id}/replies`, { query: { id_around } })
      assert.ok(messages.some(({ id }: Message) => id === id_around))
    }
  })

  it('a page does not reveal the place of a message the reader may never see', async () => {
    const { ada, bo, appServer, room, at } = await nineMessages(fixture)
    await appServer.createUsers('cy')
    await appServer.does('POST', path(room), { body: { add_members: ['bo', 'cy'] } })
    const cy = appServer.user('cy')
    const message = { id: randomUUID(), text: 'Psst', user_id: 'ada', restricted_visibility: ['bo'] }
    await appServer.does('POST', `${path(room)}/message`, { body: { message } })
    await ada.sends(room, 'm10')
    const body = (messages: object) => ({ body: { state: true, messages } })

    for (const name of ['id_lt', 'id_lte', 'id_gt', 'id_gte', 'id_around'])
      await cy.isRefused(16, 'POST', `${path(room)}/query`, body({ [name]: message.id }))
    const { messages } = await bo.does('POST', `${path(room)}/query`, body({ id_gte: message.id }))
    assert.equal(texts(messages), 'Psst m10')

    // A truncated message is still a valid position: a client that has read up to it can load newer pages.
    fixture.clock.advance(1000)
    await appServer.does('POST', `${path(room)}/truncate`, { body: { truncated_at: at(8).created_at } })
    const after = await cy.does('POST', `${path(room)}/query`, body({ id_gt: at(2).id }))
    assert.equal(texts(after.messages), 'm8 m9 m10')
  })

  it('history hidden from a new member is on no page', async () => {
    const { ada, bo, appServer, room, at, page } = await nineMessages(fixture)
    await appServer.does('POST', path(room), {
      body: { add_members: ['bo'], hide_history_before: at(6).created_at },
    })
    await ada.sends(room, 'm10')

    assert.equal(await page({ limit: 100 }, bo), 'm7 m8 m9 m10')
    assert.equal(await page({ limit: 100, id_lt: at(9).id }, bo), 'm7 m8')
    assert.equal(await page({ limit: 3, created_at_after: at(1).created_at }, bo), 'm7 m8 m9')
    const ids = [at(1).id, at(8).id].join()
    assert.equal(texts((await bo.does('GET', `${path(room)}/messages`, { query: { ids } })).messages), 'm8')
  })

  it('[LIM-5] replies have their own pages', async () => {
    const { ada, room, at } = await nineMessages(fixture)
    const parent = at(3).id
    const replies: Message[] = []
    for (let i = 1; i <= 5; i++)
      replies.push(await ada.sends(room, `r${i}`, { parent_id: parent, show_in_channel: i === 2 }))
    const page = async (query: Record<string, string>) =>
      texts((await ada.does('GET', `/messages/${parent}/replies`, { query })).messages)
    const middle = replies[2]!.id
    const newestFirst = JSON.stringify([{ field: 'created_at', direction: -1 }])

    assert.equal(await page({}), 'r1 r2 r3 r4 r5')
    assert.equal(await page({ limit: '2' }), 'r4 r5')
    assert.equal(await page({ limit: '2', sort: newestFirst }), 'r5 r4')
    assert.equal(await page({ limit: '2', sort: '{"created_at":-1}' }), 'r5 r4')
    assert.equal(await page({ limit: '2', sort: '[{"created_at":1}]' }), 'r4 r5')
    assert.equal(await page({ limit: '2', id_lt: middle }), 'r1 r2')
    assert.equal(await page({ limit: '2', id_gt: middle }), 'r4 r5')
    assert.equal(await page({ limit: '3', id_around: middle }), 'r2 r3 r4')
    assert.equal(await page({ limit: '300' }), 'r1 r2 r3 r4 r5')
    for (const limit of ['0', '301', 'many'])
      await ada.isRefused(4, 'GET', `/messages/${parent}/replies`, { query: { limit } })
    for (const wrong of [{ sort: 'created_at' }, { sort: '[{"field":"text"}]' }, { created_at_after: 'noon' }]) {
      const refused = await ada.isRefused(4, 'GET', `/messages/${parent}/replies`, { query: wrong })
      assert.deepEqual(Object.keys(refused.exception_fields), Object.keys(wrong))
    }
    await ada.isRefused(16, 'GET', '/messages/nobody/replies')
    assert.equal(texts((await ada.opensChannel(room)).messages), 'm1 m2 m3 m4 m5 m6 m7 m8 m9 r2')
  })
})
