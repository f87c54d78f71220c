import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { ChannelState } from '@parley/protocol/channels'
import type { OwnUser } from '@parley/protocol/users'
import { sql } from 'kysely'
import { it } from 'vitest'
import { microsOf } from '../../platform/micros.ts'
import { type Fixture, onEveryStorage, onEveryTransport } from '../../testing/fixture.ts'
import { justBefore } from '../../testing/just-before.ts'
import { path, type TestUser } from '../../testing/test-user.ts'

const mute = (who: TestUser, body: object) => who.does('POST', '/moderation/mute', { body })
const muteChannel = (who: TestUser, body: object) => who.does('POST', '/moderation/mute/channel', { body })
/** Advances the clock by more than a minute, with the socket open. */
async function aMinute(fixture: Fixture, who: TestUser) {
  for (let i = 0; i < 4; i++) {
    fixture.clock.advance(16_000)
    await who.received()
  }
}
/** The unread counts as a new query returns them. */
const unreadTotal = async (who: TestUser) => (await who.does('GET', '/unread')).total_unread_count

onEveryTransport((fixture) => {
  it('[MOD-6] [MOD-13] [MOD-18] [READ-11] messages of a muted user are delivered, and do not count as unread', async () => {
    const { ada, bo, cleo, appServer } = await fixture.createApp('ada', 'bo', 'cleo')
    const room = await appServer.opens([ada, bo, cleo])
    const desk = bo.device(fixture.nodes.at(-1)!.url)
    await bo.watches(room)
    await desk.connects()
    const answer = await mute(bo, { target_id: 'ada' })
    assert.deepEqual([answer.mute.user.id, answer.mute.target.id, answer.mute.expires], ['bo', 'ada', undefined])
    assert.equal(answer.own_user.mutes.length, 1)
    for (const device of [bo, desk]) {
      const { me } = await device.receives('notification.mutes_updated')
      assert.deepEqual([me.id, me.mutes[0].target.id], ['bo', 'ada'])
    }

    const { id } = await ada.sends(room, 'Buy!')
    assert.equal((await bo.receives('message.new')).total_unread_count, 0)
    assert.equal((await desk.receives('notification.message_new')).total_unread_count, 0)
    await cleo.sends(room, 'Hello')
    assert.equal((await bo.receives('message.new')).total_unread_count, 1)
    await desk.receives('notification.message_new')
    await ada.does('DELETE', `/messages/${id}`)
    assert.equal((await bo.receives('message.deleted')).total_unread_count, 1)
    await ada.sends(room, 'Buy now!')
    assert.deepEqual([await bo.unread(room), await unreadTotal(bo)], [1, 1])
    const fresh = await bo.device(fixture.nodes[0]!.url).connects()
    assert.deepEqual([fresh.me.total_unread_count, fresh.me.mutes.length], [1, 1])
  })

  it('[MOD-7] [MOD-13] [MOD-18] after a mute ends new messages count as unread, earlier ones do not', async () => {
    const { ada, bo, cleo, appServer } = await fixture.createApp('ada', 'bo', 'cleo')
    const room = await appServer.opens([ada, bo, cleo])
    await ada.sends(room, 'Before')
    await bo.connects()
    const [answer] = (await mute(bo, { target_id: '', target_ids: ['ada'], timeout: 1 })).mutes
    assert.equal(Math.round((microsOf(answer.expires)! - microsOf(answer.created_at)!) / 60_000_000), 1)
    await ada.sends(room, 'Meanwhile')
    assert.equal((await bo.receives('notification.message_new')).total_unread_count, 1)
    await aMinute(fixture, bo)
    await ada.sends(room, 'After')
    assert.equal((await bo.receives('notification.message_new')).total_unread_count, 2)
    assert.equal(await bo.unread(room), 2)
    assert.deepEqual((await bo.device().connects()).me.mutes, [])

    await mute(bo, { target_ids: ['ada', 'cleo', 'nobody'] })
    await ada.sends(room, 'Unheard')
    assert.equal((await bo.receives('notification.message_new')).total_unread_count, 2)
    await bo.does('POST', '/moderation/unmute', { body: { target_id: 'ada' } })
    await bo.receives('notification.mutes_updated', (event) => event.me.mutes.length === 1)
    await ada.sends(room, 'Again')
    assert.equal((await bo.receives('notification.message_new')).total_unread_count, 3)
    assert.deepEqual([await bo.unread(room), await unreadTotal(bo)], [3, 3])
  })

  it('[CHN-28] [CHN-29] [READ-12] a muted channel has no unread messages; after unmuting new ones count', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const [room, other] = [await appServer.opens([ada, bo]), await appServer.opens([ada, bo])]
    const desk = bo.device(fixture.nodes.at(-1)!.url)
    await desk.connects()
    await ada.sends(room, 'Before')
    await ada.sends(other, 'Elsewhere')
    await desk.sees((event) => event.total_unread_count === 2)
    await desk.received()

    const answer = await muteChannel(bo, { channel_cid: room })
    assert.deepEqual([answer.channel_mute.channel.cid, answer.own_user.total_unread_count], [room, 1])
    const told = await desk.receives('notification.channel_mutes_updated')
    assert.deepEqual([told.me.channel_mutes[0].channel.cid, told.total_unread_count], [room, 1])
    await ada.sends(room, 'Meanwhile')
    assert.equal((await desk.receives('notification.message_new')).total_unread_count, 1)
    assert.deepEqual([await bo.unread(room), await unreadTotal(bo)], [0, 1])

    await bo.does('POST', '/moderation/unmute/channel', { body: { channel_cid: room } })
    assert.deepEqual((await desk.receives('notification.channel_mutes_updated')).me.channel_mutes, [])
    await ada.sends(room, 'After')
    assert.equal((await desk.receives('notification.message_new')).total_unread_count, 2)
    assert.deepEqual([await bo.unread(room), await unreadTotal(bo)], [1, 2])
  })

  it('a connected user gets their new mutes when a muted channel or user is deleted, and when it is restored', async () => {
    const { ada, bo, cleo, dan, appServer } = await fixture.createApp('ada', 'bo', 'cleo', 'dan')
    const room = await appServer.opens([ada], {}, 'livestream')
    const other = await appServer.opens([ada, bo])
    const desk = bo.device(fixture.nodes.at(-1)!.url)
    for (const device of [bo, desk, cleo]) await device.connects()
    await muteChannel(bo, { channel_cids: [room, other] })
    await mute(bo, { target_ids: ['ada', 'cleo'] })
    for (const device of [bo, desk]) await device.receives('notification.mutes_updated')
    const muted = (type: string, me: OwnUser) =>
      type === 'notification.mutes_updated'
        ? me.mutes.map(({ target }) => target.id)
        : me.channel_mutes.map(({ channel }) => channel.cid)
    const keptUp = async () => {
      const type = 'notification.channel_mutes_updated'
      const now = muted(type, (await bo.device().connects()).me)
      for (const device of [bo, desk]) await device.receives(type, ({ me }) => isDeepStrictEqual(muted(type, me), now))
      return now.length
    }
    const deletes = (cid: string, hard_delete: string) =>
      appServer.does('DELETE', path(cid), { query: { hard_delete } })
    await deletes(room, 'false')
    assert.equal(await keptUp(), 1)
    const data = { created_by_id: 'ada', members: ['ada', 'bo'] }
    await appServer.does('POST', `${path(room)}/query`, { body: { data } })
    assert.equal(await keptUp(), 2)
    for (const [cid, left] of [
      [room, 1],
      [other, 0],
    ] as const) {
      await deletes(cid, 'true')
      assert.equal(await keptUp(), left)
    }
    assert.deepEqual(
      (await cleo.receivedTypes()).filter((type) => type.endsWith('mutes_updated')),
      [],
    )

    await appServer.does('POST', `${path(other)}/query`, {
      body: { data: { created_by_id: 'dan', members: ['dan', 'bo'] } },
    })
    await dan.sends(other, 'It is another one')
    const { total_unread_count } = await desk.receives('notification.message_new')
    assert.deepEqual([total_unread_count, await bo.unread(other)], [1, 1])
    const gone = { user: 'hard', messages: 'hard', conversations: 'hard' }
    await appServer.does('POST', '/users/delete', { body: { user_ids: ['cleo'], ...gone } })
    for (const device of [bo, desk]) {
      const { me } = await device.receives('notification.mutes_updated')
      assert.deepEqual(muted('notification.mutes_updated', me), ['ada'])
    }
    assert.deepEqual(muted('notification.mutes_updated', (await bo.device().connects()).me), ['ada'])
  })
})

onEveryStorage((fixture) => {
  it('[CHN-28] [CHN-29] a channel is shown as muted, with the end, only to the user who muted it', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const [muted, heard] = [await appServer.opens([ada, bo]), await appServer.opens([ada, bo])]
    const { id } = await ada.sends(muted, 'Hello')
    await ada.sends(muted, 'Me first', { parent_id: id })
    const mark = ({ channel }: { channel: { muted?: boolean; mute_expires_at?: string } }) => [
      channel.muted,
      channel.mute_expires_at,
    ]
    const listed = async (who: TestUser) => {
      const body = { filter_conditions: { cid: { $in: [muted, heard] } }, sort: [{ field: 'cid', direction: 1 }] }
      const { channels } = await who.does('POST', '/channels', { body })
      return new Map(channels.map((state: ChannelState) => [state.channel.cid, mark(state)]))
    }
    const none = [undefined, undefined]
    const { channel_mute } = await muteChannel(bo, { channel_cid: muted, expiration: 60_000 })
    const till = [true, channel_mute.expires]
    assert.match(channel_mute.expires, /^20/)
    assert.deepEqual(
      await listed(bo),
      new Map([
        [heard, none],
        [muted, till],
      ]),
    )
    assert.deepEqual(
      await listed(ada),
      new Map([
        [heard, none],
        [muted, none],
      ]),
    )
    assert.deepEqual(mark(await bo.opensChannel(muted)), till)
    assert.deepEqual(mark(await bo.opensChannel(muted, { state: false })), till)
    assert.deepEqual(mark((await bo.does('GET', `/messages/${id}`)).message), till)
    assert.deepEqual(mark((await ada.does('GET', `/messages/${id}`)).message), none)
    assert.deepEqual(mark((await bo.does('GET', `/threads/${id}`)).thread), till)
    const body = { set: { mood: 'calm' }, user_id: 'bo' }
    assert.deepEqual(mark(await appServer.does('PATCH', path(muted), { body })), till)

    fixture.clock.advance(61_000)
    assert.deepEqual(mark(await bo.opensChannel(muted)), none)
    await muteChannel(bo, { channel_cid: muted })
    assert.deepEqual(mark(await bo.opensChannel(muted)), [true, undefined])
    await bo.does('POST', '/moderation/unmute/channel', { body: { channel_cid: muted } })
    assert.deepEqual(mark(await bo.opensChannel(muted)), none)
  })

  it('[CHN-28] a channel can be muted for milliseconds, and muted channels can be queried', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const rooms = [await appServer.opens([ada, bo]), await appServer.opens([ada, bo])]
    await bo.connects()
    const answer = await muteChannel(bo, { channel_cids: [rooms[0]], expiration: 60_000 })
    assert.deepEqual(answer.channel_mutes, [answer.channel_mute])
    const find = async (filter: object) => {
      const { channels } = await bo.does('POST', '/channels', {
        body: { filter_conditions: { members: { $in: ['bo'] }, ...filter } },
      })
      return channels.map(({ channel }: { channel: { cid: string } }) => channel.cid)
    }
    for (const room of rooms) await ada.sends(room, 'Hello')
    assert.deepEqual(await find({ muted: true }), [rooms[0]])
    assert.deepEqual(await find({ muted: false }), [rooms[1]])
    assert.deepEqual(await find({ has_unread: true }), [rooms[1]])
    await aMinute(fixture, bo)
    assert.deepEqual(await find({ muted: true }), [])
    await ada.sends(rooms[0]!, 'Later')
    await bo.receives('notification.message_new', (event) => event.total_unread_count === 2)
    assert.deepEqual([await bo.unread(rooms[0]!), (await find({ has_unread: true })).length], [1, 2])
  })

  it('[MOD-6] [MOD-7] [CHN-28] [CHN-29] a user renamed while muting has the new name in the events', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const { commit } = fixture.nodes[0]!.server
    await ada.connects()
    const deeds = [
      ['/moderation/mute', { target_ids: ['bo'] }],
      ['/moderation/unmute', { target_ids: ['bo'] }],
      ['/moderation/mute/channel', { channel_cid: room }],
      ['/moderation/unmute/channel', { channel_cid: room }],
    ] as const
    for (const [at, body] of deeds) {
      const users = [{ id: 'ada', set: { name: at } }]
      justBefore(commit, 'write', () => appServer.does('PATCH', '/users', { body: { users } }))
      await ada.does('POST', at, { body })
      const { me } = await ada.receives(`notification.${at.includes('channel') ? 'channel_' : ''}mutes_updated`)
      assert.equal(me.name, at)
    }
  })

  it('mutes with the same timestamp keep their order, whichever of them is renewed', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const rooms = [await appServer.opens([ada, bo]), await appServer.opens([ada, cy])].sort()
    const query = { payload: JSON.stringify({ filter_conditions: { id: 'ada' } }) }
    const muted = async () => {
      const [{ mutes, channel_mutes }] = (await appServer.does('GET', '/users', { query })).users
      return [
        mutes.map(({ target }: { target: { id: string } }) => target.id),
        channel_mutes.map(({ channel }: { channel: { cid: string } }) => channel.cid),
      ]
    }
    await mute(ada, { target_ids: ['cy', 'bo'] })
    await muteChannel(ada, { channel_cids: rooms.toReversed() })
    // PostgreSQL reads small tables with known statistics in physical order.
    for (const table of ['user_mutes', 'channel_mutes'])
      await sql`analyze ${sql.table(table)}`.execute(fixture.nodes[0]!.server.database.write)
    for (const i of [0, 1, 0]) {
      await mute(ada, { target_id: ['bo', 'cy'][i], timeout: 5 })
      await muteChannel(ada, { channel_cid: rooms[i], expiration: 300_000 })
      assert.deepEqual(await muted(), [['bo', 'cy'], rooms])
    }
  })

  it('[MOD-6] a mute of oneself, of an unknown user, or of an inaccessible channel is refused', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([bo])
    const at = '/moderation/mute'
    await ada.isRefused(4, 'POST', at, { body: { target_id: 'ada' } })
    await ada.isRefused(16, 'POST', at, { body: { target_id: 'nobody' } })
    await ada.isRefused(4, 'POST', at, { body: {} })
    await ada.isRefused(4, 'POST', at, { body: { target_id: 'bo', target_ids: ['bo'] } })
    await ada.isRefused(4, 'POST', at, { body: { target_id: 'bo', timeout: -1 } })
    await ada.isRefused(17, 'POST', `${at}/channel`, { body: { channel_cid: room } })
    await appServer.isRefused(4, 'POST', at, { body: { target_id: 'bo' } })
    const answer = await appServer.does('POST', at, { body: { target_ids: ['bo', 'nobody'], user_id: 'ada' } })
    assert.deepEqual([answer.mutes[0].user.id, answer.non_existing_users], ['ada', ['nobody']])
    assert.equal((await ada.connects()).me.mutes.length, 1)
    for (const call of [at, '/moderation/unmute', '/api/v2/moderation/mute', '/api/v2/moderation/unmute']) {
      const { mutes, non_existing_users } = await ada.does('POST', call, { body: { target_ids: ['nobody', 'none'] } })
      assert.deepEqual([mutes ?? [], non_existing_users], [[], ['nobody', 'none']], call)
    }
  })
})
