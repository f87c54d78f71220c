/** Two things happen to a channel at the same moment: one of them was decided before the other, and is done after it. */
import assert from 'node:assert/strict'
import { it } from 'vitest'
import { path } from '../testing/person.ts'
import { onEveryStorage, onEveryTransport } from '../testing/stage.ts'

/** The next time this is done, something else is done just before. */
function justBefore<Method extends string>(
  // biome-ignore lint/suspicious/noExplicitAny: whatever the method takes is handed on.
  whose: { [M in Method]: (...given: any[]) => any },
  method: Method,
  act: () => Promise<unknown>,
) {
  const original = whose[method]
  whose[method] = async (...given) => {
    whose[method] = original
    await act()
    return original.apply(whose, given)
  }
}

onEveryStorage((stage) => {
  it('nothing is done any more to a channel that is deleted at that moment', async () => {
    const { ada, bo, company } = await stage.company('ada', 'bo', 'cleo')
    const { commit } = stage.nodes[0]!.server
    await ada.connects()
    for (const [method, place, body] of [
      ['POST', '', { data: { name: 'Tea' } }],
      ['POST', '', { add_members: ['cleo'] }],
      ['PATCH', '', { set: { name: 'Tea' } }],
      ['POST', '/truncate', {}],
      ['POST', '/hide', {}],
      ['POST', '/show', {}],
      ['POST', '/read', {}],
      ['PATCH', '/member/ada', { set: { pinned: true } }],
    ] as const) {
      const room = await company.opens([ada, bo])
      await ada.watches(room)
      justBefore(commit, 'write', () => company.does('DELETE', path(room)))
      await ada.isRefused(16, method, path(room) + place, { body })
      const told = (await ada.hasHeard()).filter(({ type, cid }) => cid === room && !type.startsWith('user.'))
      assert.deepEqual(
        told.map(({ type }) => type),
        ['channel.deleted'],
        `${method} ${place}`,
      )
    }
    const room = await company.opens([ada, bo])
    const { id } = await bo.says(room, 'Hello')
    justBefore(commit, 'write', () => company.does('DELETE', path(room)))
    await ada.isRefused(16, 'POST', `${path(room)}/unread`, { body: { message_id: id } })
  })

  it('nothing happens any more to the messages and threads of a channel that is deleted at that moment', async () => {
    const { ada, bo, company } = await stage.company('ada', 'bo')
    const { commit } = stage.nodes[0]!.server
    await ada.connects()
    const deeds: ((room: string, id: string) => Parameters<typeof ada.call>)[] = [
      (_, id) => ['POST', `/messages/${id}/reaction`, { body: { reaction: { type: 'wow' } } }],
      (_, id) => ['DELETE', `/messages/${id}/reaction/love`],
      (_, id) => ['POST', `/messages/${id}`, { body: { message: { text: 'Coffee?' } } }],
      (_, id) => ['PUT', `/messages/${id}`, { body: { set: { pinned: true } } }],
      (_, id) => ['DELETE', `/messages/${id}`],
      (_, id) => ['DELETE', `/messages/${id}`, { query: { hard: 'true' } }],
      (_, id) => ['DELETE', `/messages/${id}`, { query: { delete_for_me: 'true' } }],
      (room, id) => ['POST', `${path(room)}/read`, { body: { thread_id: id } }],
      (room, id) => ['POST', `${path(room)}/unread`, { body: { thread_id: id } }],
      (_, id) => ['PATCH', `/threads/${id}`, { body: { set: { title: 'Tea' } } }],
    ]
    for (const deed of deeds) {
      const room = await company.opens([ada, bo])
      const { id } = await ada.says(room, 'Tea?')
      await ada.does('POST', `/messages/${id}/reaction`, { body: { reaction: { type: 'love' } } })
      await bo.says(room, 'Yes', { parent_id: id })
      await ada.watches(room)
      justBefore(commit, 'write', () => company.does('DELETE', path(room)))

      await ada.isRefused(16, ...deed(room, id))

      const told = (await ada.hasHeard()).filter(({ type, cid }) => cid === room && !type.startsWith('user.'))
      assert.equal(told.at(-1)?.type, 'channel.deleted', deed(room, id).join(' '))
    }
  })

  it('what is known of a channel is not taken back by a commit that comes to its end late', async () => {
    const { ada, company } = await stage.company('ada')
    const { channels } = stage.nodes[0]!.server
    const room = await company.opens([ada])
    const before = { ...(await channels.get(company.app.id, room))! }
    await company.does('PATCH', path(room), { body: { set: { frozen: true } } })
    assert.equal((await channels.get(company.app.id, room))?.frozen, 1)
    channels.put(before)
    assert.equal((await channels.get(company.app.id, room))?.frozen, 1)
  })

})
