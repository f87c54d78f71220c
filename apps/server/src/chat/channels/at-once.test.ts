/** Races: two changes to one channel, where the second was decided before the first commits and runs after it. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { it } from 'vitest'
import { begins, fileOf, type Line, over } from '../../administration/imports/testing/importing.ts'
import { eventually } from '../../testing/eventually.ts'
import { onEveryStorage, onEveryTransport, onTwoNodes } from '../../testing/fixture.ts'
import { justBefore } from '../../testing/just-before.ts'
import { path } from '../../testing/test-user.ts'
import { waitsOrIsOver } from '../../testing/waits.ts'

onEveryStorage((fixture) => {
  it('a concurrently deleted channel cannot be changed any more', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo', 'cleo')
    const { commit } = fixture.nodes[0]!.server
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
      const room = await appServer.opens([ada, bo])
      await ada.watches(room)
      justBefore(commit, 'write', () => appServer.does('DELETE', path(room)))
      await ada.isRefused(16, method, path(room) + place, { body })
      const told = (await ada.received()).filter(({ type, cid }) => cid === room && !type.startsWith('user.'))
      assert.deepEqual(
        told.map(({ type }) => type),
        ['channel.deleted'],
        `${method} ${place}`,
      )
    }
    const room = await appServer.opens([ada, bo])
    const { id } = await bo.sends(room, 'Hello')
    justBefore(commit, 'write', () => appServer.does('DELETE', path(room)))
    await ada.isRefused(16, 'POST', `${path(room)}/unread`, { body: { message_id: id } })
  })

  it('messages and threads of a concurrently deleted channel cannot be changed any more', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const { commit } = fixture.nodes[0]!.server
    await appServer.does('PUT', '/channeltypes/messaging', { body: { user_message_reminders: true } })
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
      (_, id) => ['POST', `/messages/${id}/reminders`, { body: {} }],
      (_, id) => ['PATCH', `/threads/${id}`, { body: { set: { title: 'Tea' } } }],
    ]
    for (const deed of deeds) {
      const room = await appServer.opens([ada, bo])
      const { id } = await ada.sends(room, 'Tea?')
      await ada.does('POST', `/messages/${id}/reaction`, { body: { reaction: { type: 'love' } } })
      await bo.sends(room, 'Yes', { parent_id: id })
      await ada.watches(room)
      justBefore(commit, 'write', () => appServer.does('DELETE', path(room)))

      await ada.isRefused(16, ...deed(room, id))

      const told = (await ada.received()).filter(({ type, cid }) => cid === room && !type.startsWith('user.'))
      assert.equal(told.at(-1)?.type, 'channel.deleted', deed(room, id).join(' '))
    }
  })

  it('no message becomes pending in a concurrently deleted channel', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const { commit } = fixture.nodes[0]!.server
    for (const data of [{}, { cooldown: 30 }]) {
      const room = await appServer.opens([ada], data)
      const id = randomUUID()
      justBefore(commit, 'write', () => appServer.does('DELETE', path(room)))
      const body = { message: { id, text: 'Hello', user_id: 'ada' }, pending: true }
      await appServer.isRefused(16, 'POST', `${path(room)}/message`, { body })

      // Nor is it sent into the channel created under the same id afterwards.
      await appServer.does('POST', `${path(room)}/query`, {
        body: { data: { created_by_id: 'ada', members: ['ada'] } },
      })
      await appServer.isRefused(16, 'POST', `/messages/${id}/commit`)
    }
  })

  it('[MOD-1] [MOD-2] no user is banned or unbanned in a concurrently deleted channel', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const { commit } = fixture.nodes[0]!.server
    await bo.connects()
    for (const method of ['POST', 'DELETE'] as const) {
      const room = await appServer.opens([ada, bo])
      const scope = { target_user_id: 'bo', channel_cid: room, user_id: 'ada' }
      if (method === 'DELETE') await appServer.does('POST', '/moderation/ban', { body: scope })
      await bo.received()
      justBefore(commit, 'write', () => appServer.does('DELETE', path(room)))
      await appServer.isRefused(16, method, '/moderation/ban', method === 'POST' ? { body: scope } : { query: scope })
      assert.deepEqual(await bo.receivedTypes(), ['notification.channel_deleted'], method)
    }
  })

  it('[CHN-12] a create request that loses the race gives no access to the channel', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const body = { state: true, data: { created_by_id: 'ada', members: ['ada'] } }
    justBefore(fixture.nodes[0]!.server.commit, 'write', () =>
      appServer.does('POST', '/channels/messaging/secret/query', { body }),
    )
    await bo.isRefused(17, 'POST', '/channels/messaging/secret/query', { body: { state: true } })
    await ada.opensChannel('messaging:secret')
  })

  it('a message sent while a member is added without the history is hidden from that member', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada])
    justBefore(fixture.nodes[0]!.server.commit, 'write', async () => {
      fixture.clock.advance(5)
      await ada.sends(room, 'Before you came')
    })
    const message = { text: 'Bo is here', user_id: 'ada' }
    const body = { add_members: ['bo'], hide_history: true, message }
    await appServer.does('POST', path(room), { body })
    await ada.sends(room, 'Welcome')
    const { messages } = await bo.opensChannel(room)
    assert.deepEqual(
      messages.map(({ text }) => text),
      ['Bo is here', 'Welcome'],
    )
  })

  it('[CHN-19] two concurrent deletions of the same channels both get the result for each', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const cids = [await appServer.opens([ada, bo]), await appServer.opens([ada, bo])]
    const deletes = () => appServer.does('POST', '/channels/delete', { body: { cids, hard_delete: true } })
    const erases = () => appServer.does('DELETE', path(cids[0]!), { query: { hard_delete: 'true' } })
    justBefore(fixture.nodes[0]!.server.commit, 'write', erases)
    const { result, task_id } = await deletes()
    assert.deepEqual([result[cids[0]!].status, result[cids[1]!].status], ['error', 'ok'])
    assert.ok(task_id)
  })

  it('[CHN-15] [CHN-17] a member without the right to freeze or slow a channel cannot undo it either', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const grants = { channel_member: ['read-channel', 'update-channel'], user: ['create-channel'] }
    await appServer.does('POST', '/channeltypes', { body: { name: 'calm', grants } })
    const { commit } = fixture.nodes[0]!.server
    const asKnown = { frozen: false, cooldown: 0 }
    for (const [method, body] of [
      ['POST', { data: { name: 'Tea', ...asKnown } }],
      ['PATCH', { set: { name: 'Tea', ...asKnown } }],
    ] as const) {
      const room = await appServer.opens([bo, ada], {}, 'calm')
      await ada.does(method, path(room), { body })
      justBefore(commit, 'write', () =>
        appServer.does('PATCH', path(room), { body: { set: { frozen: true, cooldown: 9 } } }),
      )
      await ada.isRefused(17, method, path(room), { body })
      const { channel } = await appServer.does('POST', `${path(room)}/query`, { body: {} })
      assert.deepEqual([channel.frozen, channel.cooldown], [true, 9], method)
    }
  })

  it('[MEM-30] a user removed while starting to watch receives no event of the channel', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const { hub } = fixture.nodes[0]!.server
    const [one, other] = [await appServer.opens([ada, bo]), await appServer.opens([ada, bo])]
    await bo.connects()
    const removesBo = (room: string) => () => appServer.does('POST', path(room), { body: { remove_members: ['bo'] } })

    justBefore(hub, 'watch', removesBo(one))
    await bo.isRefused(17, 'POST', `${path(one)}/query`, { body: { state: true, watch: true } })
    justBefore(hub, 'watch', removesBo(other))
    const filter_conditions = { members: { $in: ['bo'] } }
    const { channels } = await bo.does('POST', '/channels', { body: { filter_conditions, state: true, watch: true } })
    assert.deepEqual(channels, [])
    for (const room of [one, other]) await ada.sends(room, 'Now we are among ourselves')
    assert.equal((await bo.receivedTypes()).includes('message.new'), false)
  })

  it('[READ-4] mark-all-read succeeds though one channel is deleted concurrently', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const [one, other] = [await appServer.opens([ada, bo]), await appServer.opens([ada, bo])]
    for (const room of [one, other]) await ada.sends(room, 'Hello')
    const { commit } = fixture.nodes[0]!.server
    justBefore(commit, 'write', () => appServer.does('DELETE', path(one)))
    await bo.does('POST', '/channels/read', { body: {} })
    assert.equal(await bo.unread(other), 0)
    justBefore(commit, 'write', () => appServer.does('DELETE', path(other)))
    await bo.isRefused(16, 'POST', '/channels/read', { body: { read_by_channel: { [other]: '' } } })
  })

  it('[READ-2] [READ-3] a concurrently removed member marks nothing read, and no read event is published', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const { commit } = fixture.nodes[0]!.server
    await appServer.does('PUT', '/channeltypes/messaging', { body: { delivery_events: true } })
    await ada.connects()
    await bo.connects()
    const deeds: ((room: string, id: string) => [place: string, body: object])[] = [
      (room) => [`${path(room)}/read`, {}],
      (room, id) => [`${path(room)}/read`, { message_id: id }],
      (room, id) => [`${path(room)}/unread`, { message_id: id }],
      (room, id) => [`${path(room)}/read`, { thread_id: id }],
      (room, id) => [`${path(room)}/unread`, { thread_id: id }],
      (room) => ['/channels/read', { read_by_channel: { [room]: '' } }],
      () => ['/channels/read', {}],
      (room, id) => ['/channels/delivered', { latest_delivered_messages: [{ cid: room, id }] }],
    ]
    for (const deed of deeds) {
      const room = await appServer.opens([ada, bo])
      const { id } = await ada.sends(room, 'Hello')
      for (const testUser of [bo, ada]) await testUser.sends(room, 'Tea?', { parent_id: id })
      await ada.watches(room)
      for (const testUser of [ada, bo]) await testUser.received()
      const [place, body] = deed(room, id)
      justBefore(commit, 'write', () => appServer.does('POST', path(room), { body: { remove_members: ['bo'] } }))
      await bo.does('POST', place, { body })

      const what = `${place} ${JSON.stringify(body)}`
      const marks = /^(message\.(read|delivered)|notification\.mark_.*)$/
      for (const testUser of [ada, bo])
        assert.deepEqual(
          (await testUser.received()).filter(({ type, cid }) => cid === room && marks.test(type)),
          [],
          what,
        )
      await appServer.does('POST', path(room), { body: { add_members: ['bo'] } })
      const { read } = await ada.opensChannel(room)
      assert.equal(read.find(({ user }) => user.id === 'bo')?.last_delivered_message_id, undefined, what)
    }
  })

  it('[READ-3] [CHN-42] a concurrently cleared message is marked neither unread nor delivered', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const { commit } = fixture.nodes[0]!.server
    await appServer.does('PUT', '/channeltypes/messaging', { body: { delivery_events: true } })
    const room = await appServer.opens([ada, bo])
    const clears = () => bo.does('POST', `${path(room)}/hide`, { body: { clear_history: true } })
    for (const verb of ['read', 'unread']) {
      const { id } = await ada.sends(room, 'Hello')
      justBefore(commit, 'write', clears)
      await bo.isRefused(16, 'POST', `${path(room)}/${verb}`, { body: { message_id: id } })
      assert.equal(await bo.unread(room), 0)
    }
    const { id } = await ada.sends(room, 'Hello')
    justBefore(commit, 'write', clears)
    const latest_delivered_messages = [{ cid: room, id }]
    await bo.does('POST', '/channels/delivered', { body: { latest_delivered_messages } })
    const { read } = await ada.opensChannel(room)
    assert.equal(read.find(({ user }) => user.id === 'bo')?.last_delivered_message_id, undefined)
  })

  it('[MOD2-11] releasing a message that was concurrently released, changed or deleted does not change it', async () => {
    const { ada, bo, mo, appServer } = await fixture.createApp('ada', 'bo', 'mo')
    await appServer.does('POST', '/users', { body: { users: { mo: { id: 'mo', role: 'moderator' } } } })
    const room = await appServer.opens([ada, bo], {})
    const { commit } = fixture.nodes[0]!.server
    const submit = '/api/v2/moderation/submit_action'
    const hides = async (text: string) => {
      const { id } = await ada.sends(room, text)
      const flag = { entity_type: 'stream:chat:v1:message', entity_id: id }
      const { item_id } = await bo.does('POST', '/api/v2/moderation/flag', { body: flag })
      await mo.does('POST', submit, { body: { action_type: 'shadow_block', item_id } })
      return { id, unblock: { body: { action_type: 'unblock', item_id } } }
    }
    const deleted = await hides('One')
    justBefore(commit, 'write', () => appServer.does('DELETE', `/messages/${deleted.id}`))
    await mo.isRefused(4, 'POST', submit, deleted.unblock)
    const changed = await hides('Two')
    const message = { text: 'Too', user_id: 'ada' }
    justBefore(commit, 'write', () => appServer.does('POST', `/messages/${changed.id}`, { body: { message } }))
    await mo.does('POST', submit, changed.unblock)
    const twice = await hides('Three')
    justBefore(commit, 'write', () => mo.does('POST', submit, twice.unblock))
    await mo.isRefused(4, 'POST', submit, twice.unblock)

    const { messages } = await bo.opensChannel(room)
    assert.deepEqual(
      messages.map(({ text }) => text),
      ['Too', 'Three'],
    )
    assert.equal(await bo.unread(room), 2)
  })

  it('[USR-16] a concurrently deleted reply is subtracted from its thread once', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const { commit } = fixture.nodes[0]!.server
    for (const hard of ['true', 'false']) {
      const lunch = await ada.sends(room, 'Lunch?')
      const pho = await bo.sends(room, 'Pho', { parent_id: lunch.id })
      await ada.sends(room, 'Pizza', { parent_id: lunch.id })
      const soup = await bo.sends(room, 'Soup', { parent_id: lunch.id })
      justBefore(
        commit,
        'write',
        () => appServer.does('DELETE', `/messages/${pho.id}`, { query: { hard } }),
        (_app, [cid]) => cid === room,
      )
      const deletes = { entity_id: 'bo', delete_messages: 'hard' }
      const body = { action_type: 'delete_user_messages', user_id: 'ada', delete_user_messages: deletes }
      await appServer.does('POST', '/api/v2/moderation/submit_action', { body })
      await eventually(async () => (await appServer.call('GET', `/messages/${soup.id}`)).status === 404, 'it is gone')
      const { message } = await ada.does('GET', `/messages/${lunch.id}`)
      assert.deepEqual([message.reply_count, message.deleted_reply_count], [1, 0], hard)
    }
  })

  it('[PERM-19] neither a call nor an import creates a channel of a concurrently deleted type', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const { commit } = fixture.nodes[0]!.server
    const type = '/channeltypes/salon'
    await appServer.does('POST', '/channeltypes', { body: { name: 'salon' } })
    justBefore(commit, 'write', () => appServer.does('DELETE', type))
    await ada.isRefused(16, 'POST', '/channels/salon/tea/query', { body: {} })

    await appServer.does('POST', '/channeltypes', { body: { name: 'salon' } })
    const makes = (_app: string, cids: readonly string[]) => cids.includes('salon:tea')
    justBefore(commit, 'write', () => appServer.does('DELETE', type), makes)
    const line: Line = ['channel', { type: 'salon', id: 'tea', created_by: 'ada' }]
    const { id } = await begins(appServer, fileOf([line]))
    assert.equal((await over(appServer, id)).state, 'import_failed')
    assert.deepEqual((await appServer.does('POST', '/channels', { body: {} })).channels, [])
  })

  it('[USR-10] a user is deleted completely though one of their channels is deleted concurrently', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const { commit } = fixture.nodes[0]!.server
    justBefore(
      commit,
      'write',
      () => appServer.does('DELETE', path(room)),
      (_app, [cid]) => cid === room,
    )
    const whole = { user: 'hard', messages: 'hard', conversations: 'hard' }
    const { task_id } = await appServer.does('POST', '/users/delete', { body: { user_ids: ['bo'], ...whole } })
    const task = () => appServer.does('GET', `/tasks/${task_id}`)
    await eventually(async () => ['completed', 'failed'].includes((await task()).status), 'the task is over')
    assert.equal((await task()).status, 'completed')
  })

  it('a commit that finishes late does not overwrite newer cached channel state', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const { channels } = fixture.nodes[0]!.server
    const room = await appServer.opens([ada])
    const before = { ...(await channels.get(appServer.app.id, room))! }
    await appServer.does('PATCH', path(room), { body: { set: { frozen: true } } })
    assert.equal((await channels.get(appServer.app.id, room))?.frozen, 1)
    channels.put(before)
    assert.equal((await channels.get(appServer.app.id, room))?.frozen, 1)
  })

  it('[CHN-46] a user removed while starting to watch a public channel still watches it', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo], {}, 'livestream')
    await bo.connects()
    justBefore(fixture.nodes[0]!.server.hub, 'watch', () =>
      appServer.does('POST', path(room), { body: { remove_members: ['bo'] } }),
    )
    await bo.does('POST', `${path(room)}/query`, { body: { state: true, watch: true } })
    await ada.sends(room, 'We are on the air')
    assert.equal((await bo.receives('message.new')).message.text, 'We are on the air')
  })

  it('[CHN-18] a channel deleted while a user starts to watch it does not exist', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const { hub } = fixture.nodes[0]!.server
    const [one, other] = [await appServer.opens([ada, bo]), await appServer.opens([ada, bo])]
    await bo.connects()
    justBefore(hub, 'watch', () => appServer.does('DELETE', path(one)))
    await bo.isRefused(16, 'POST', `${path(one)}/query`, { body: { state: true, watch: true } })
    justBefore(hub, 'watch', () => appServer.does('DELETE', path(other)))
    const filter_conditions = { members: { $in: ['bo'] } }
    const { channels } = await bo.does('POST', '/channels', { body: { filter_conditions, state: true, watch: true } })
    assert.deepEqual(channels, [])
  })
})

onEveryTransport((fixture) => {
  it('concurrent changes of one user in many places are all stored', async () => {
    const { appServer } = await fixture.createApp('ada')
    const servers = fixture.nodes.map((node) => appServer.at(node))
    const fields = Array.from({ length: 24 }, (_, i) => `field${i}`)
    await Promise.all(
      fields.map((field, i) => {
        const users = [{ id: 'ada', set: { [field]: i } }]
        return servers[i % servers.length]!.does('PATCH', '/users', { body: { users } })
      }),
    )
    const payload = JSON.stringify({ filter_conditions: { id: 'ada' } })
    const { users } = await appServer.does('GET', '/users', { query: { payload } })
    assert.deepEqual(
      fields.filter((field) => users[0][field] === undefined),
      [],
    )
  })
})

onTwoNodes((fixture) => {
  it('[READ-14] of two messages with the same id on two nodes one is stored, and counts once', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const [here, there] = fixture.nodes
    const [tea, milk] = [await appServer.opens([ada, bo]), await appServer.opens([ada, bo])]
    const phones = [bo.device(here!.url), bo.device(there!.url)]
    for (const phone of phones) await phone.watches(tea)
    // Her first call writes a row that both nodes update: the test must not wait for that row.
    for (const { url, server } of fixture.nodes) {
      await ada.device(url).does('GET', '/unread')
      await server.commit.drained()
    }
    const says = (node: { url: string }, room: string, id: string) =>
      ada.device(node.url).call('POST', `${path(room)}/message`, { body: { message: { id, text: 'Hello' } } })
    const isPosting = (_db: unknown, table: string, rows: readonly object[]) => table === 'messages' && rows.length > 0
    for (const [i, rooms] of [[tea, milk] as const, [tea, tea] as const].entries()) {
      const id = randomUUID()
      let other: ReturnType<typeof says> | undefined
      const otherSays = async () => {
        other = says(here!, rooms[0], id)
        if (rooms[0] === rooms[1]) await waitsOrIsOver(there!.server, other)
        else await other
      }
      justBefore(there!.server.database.dialect, 'insertRows', otherSays, isPosting)
      const answers = [await says(there!, rooms[1], id), await other!]

      assert.deepEqual(answers.map(({ body }) => body.code).toSorted(), [4, undefined])
      for (const phone of phones)
        assert.equal(
          (await phone.receives('message.new', ({ message }) => message.id === id)).total_unread_count,
          i + 1,
        )
      assert.deepEqual([await bo.unread(tea), await bo.unread(milk)], [i + 1, 0])
    }
  })

  it('[PERM-19] a channel type cannot be deleted while another node creates a channel of it', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const [here, there] = fixture.nodes
    const { dialect } = there!.server.database
    await appServer.does('POST', '/channeltypes', { body: { name: 'salon' } })
    await appServer.at(there!).does('GET', '/channeltypes/salon')
    let deleting: Promise<{ status: number }> | undefined
    const isMade = (_db: unknown, table: string) => table === 'members'
    const deletes = async () => {
      deleting = appServer.at(here!).call('DELETE', '/channeltypes/salon')
      await waitsOrIsOver(there!.server, deleting)
    }
    justBefore(dialect, 'insertRows', deletes, isMade)
    const room = await appServer.at(there!).opens([ada], {}, 'salon')
    assert.equal((await deleting!).status, 400)
    assert.equal((await ada.opensChannel(room)).members.length, 1)
  })
})
