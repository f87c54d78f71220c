import assert from 'node:assert/strict'
import { it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { onEveryTransport, onTwoNodes } from '../../testing/fixture.ts'
import { path } from '../../testing/test-user.ts'

onEveryTransport((fixture) => {
  it('the event of an unread reply that is deleted, restored, deleted with its thread, or hidden has the new thread totals', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const room = await appServer.opens([ada, bo, cy])
    const { id: parent_id } = await ada.sends(room, 'Lunch?')
    await ada.watches(room)
    await cy.connects()
    const phone = ada.device()
    await phone.connects()
    const one = await bo.sends(room, 'Pho', { parent_id })
    const two = await bo.sends(room, 'Or pizza', { parent_id })
    const unread = async (type: string, id: string) => {
      const told = []
      for (const device of [ada, phone]) {
        const event = await device.receives(type, ({ message }) => message.id === id)
        told.push([event.unread_threads, event.unread_thread_messages])
      }
      assert.deepEqual(told[0], told[1])
      return told[0]
    }

    await bo.does('DELETE', `/messages/${two.id}`)
    assert.deepEqual(await unread('message.deleted', two.id), [1, 1])
    await bo.does('DELETE', `/messages/${one.id}`, { query: { hard: 'true' } })
    assert.deepEqual(await unread('message.deleted', one.id), [0, 0])
    await appServer.does('POST', `/messages/${two.id}/undelete`, { body: { undeleted_by: 'bo' } })
    assert.deepEqual(await unread('message.undeleted', two.id), [1, 1])

    await ada.does('POST', `/channels/${room.replace(':', '/')}/read`, { body: { thread_id: parent_id } })
    await bo.does('DELETE', `/messages/${two.id}`)
    const read = await ada.receives('message.deleted', ({ message }) => message.id === two.id)
    assert.equal('unread_threads' in read, false)
    assert.equal((await cy.receivedTypes()).includes('message.deleted'), false)

    const other = await ada.sends(room, 'Dinner?')
    await bo.sends(room, 'Pizza', { parent_id: other.id })
    await appServer.does('DELETE', `/messages/${other.id}`, { query: { hard: 'true' } })
    assert.deepEqual(await unread('message.deleted', other.id), [0, 0])

    const three = await bo.sends(room, 'Noodles', { parent_id })
    // On the node where he writes: other nodes apply the ban a moment after the answer.
    await appServer.at(fixture.nodes.at(-1)!).does('POST', '/moderation/ban', {
      body: { target_user_id: 'bo', channel_cid: room, shadow: true, user_id: 'ada' },
    })
    await bo.does('PUT', `/messages/${three.id}`, { body: { set: { text: 'Buy!' } } })
    assert.deepEqual(await unread('message.deleted', three.id), [0, 0])
  })

  it('the events of a user’s replies that are deleted and restored have the new thread totals', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const room = await appServer.opens([ada, bo, cy])
    const { id: lunch } = await ada.sends(room, 'Lunch?')
    const { id: dinner } = await ada.sends(room, 'Dinner?')
    await ada.watches(room)
    const phone = ada.device()
    await phone.connects()
    for (const parent_id of [lunch, dinner]) await bo.sends(room, 'Pho', { parent_id })
    await cy.sends(room, 'Pizza', { parent_id: lunch })
    const unread = async (type: string) => {
      const told = []
      for (const device of [ada, phone]) {
        const event = await device.receives(type)
        told.push([event.unread_threads, event.unread_thread_messages])
      }
      assert.deepEqual(told[0], told[1])
      return told[0]
    }

    await appServer.does('POST', '/users/bo/deactivate', { body: { mark_messages_deleted: true } })
    assert.deepEqual(await unread('user.messages.deleted'), [1, 1])
    await appServer.does('POST', '/users/bo/reactivate', { body: { restore_messages: true } })
    assert.deepEqual(await unread('message.undeleted'), [2, 3])
  })
})

onTwoNodes((fixture) => {
  it('a user who connects to another node while a reply is written counts it', async () => {
    const { ada, appServer } = await fixture.createApp('ada', 'bo')
    const [here, there] = fixture.nodes
    const { id: app } = appServer.app
    const room = await appServer.opens([ada, appServer.user('bo')])
    const { id: parent_id } = await ada.sends(room, 'Lunch?')
    const desk = ada.device(there!.url)
    const { commit, presence } = here!.server
    let connecting: Promise<unknown> | undefined
    // In one batch with the reply, after it: she connects when it is written but not yet committed.
    const connects = async () => {
      connecting = desk.connects()
      await eventually(() => presence.isOnline(app, 'ada'), 'the other node knows of her')
      await Promise.race([connecting, new Promise((resolve) => setTimeout(resolve, 100))])
    }
    const write = commit.write.bind(commit)
    commit.write = (...given) => {
      const written = write(...given)
      if (!given[1].includes(room)) return written
      commit.write = write
      void write(app, [], connects)
      return written
    }
    await appServer.does('POST', `${path(room)}/message`, {
      body: { message: { text: 'Pho', parent_id, user_id: 'bo' } },
    })
    await connecting
    assert.deepEqual([desk.me.unread_threads, (await desk.does('GET', '/unread')).threads.length], [1, 1])
  })
})
