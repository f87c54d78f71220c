import assert from 'node:assert/strict'
import type { TaskAnswer } from '@parley/protocol/tasks'
import { it } from 'vitest'
import { until } from '../../administration/imports/testing/importing.ts'
import { onEveryStorage, onEveryTransport } from '../../testing/fixture.ts'
import { type AppServer, path, type ReceivedEvent } from '../../testing/test-user.ts'

async function does(appServer: AppServer, operation: string, filter: object, more: object = {}) {
  const { task_id } = await appServer.does('PUT', '/channels/batch', { body: { operation, filter, ...more } })
  let task!: TaskAnswer
  await until(async () => {
    task = await appServer.does('GET', `/tasks/${task_id}`)
    return task.status === 'completed' || task.status === 'failed'
  }, 'the task is over')
  assert.equal(task.status, 'completed')
  return task.result as { success_channels_count: number; failed_channels: { reason: string; cids: string[] }[] }
}

onEveryTransport((fixture) => {
  it('members are added to many channels and receive the event', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const rooms = [await appServer.opens([ada]), await appServer.opens([ada]), await appServer.opens([ada])]
    await bo.connects()
    const members = [{ user_id: 'bo', channel_role: 'channel_moderator' }]
    const result = await does(appServer, 'addMembers', { cids: { $in: rooms.slice(0, 2) } }, { members })
    assert.deepEqual(result, { success_channels_count: 2, failed_channels: [] })
    const added = [
      await bo.receives('notification.added_to_channel'),
      await bo.receives('notification.added_to_channel'),
    ]
    assert.deepEqual(added.map(({ cid }) => cid).sort(), rooms.slice(0, 2).sort())
    assert.equal(added[0]!.member.channel_role, 'channel_moderator')
    await ada.sends(rooms[0]!, 'Hello')
    assert.equal((await bo.receives('notification.message_new')).total_unread_count, 1)
    await does(appServer, 'removeMembers', { cids: { $in: rooms } }, { members: [{ user_id: 'bo' }] })
    assert.equal((await ada.opensChannel(rooms[0]!)).members.length, 1)
  })
})

onEveryStorage((fixture) => {
  it('channels are selected by cids, types and tags, and each operation has its effect', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const warm = await appServer.opens([ada, bo], { filter_tags: ['warm', 'tea'] })
    const cold = await appServer.opens([ada, bo], { filter_tags: ['cold'] })
    const team = await appServer.opens([ada, bo], {}, 'team')
    const members = [{ user_id: 'bo' }]
    const member = async (cid: string) =>
      (await appServer.does('POST', `${path(cid)}/query`, { body: { state: true } })).members.find(
        ({ user_id }: ReceivedEvent) => user_id === 'bo',
      )
    const count = async (...asked: Parameters<typeof does>) => (await does(...asked)).success_channels_count

    assert.equal(await count(appServer, 'addModerators', { filter_tags: { $eq: 'warm' } }, { members }), 1)
    assert.equal((await member(warm)).channel_role, 'channel_moderator')
    assert.equal((await member(cold)).channel_role, 'channel_member')
    assert.equal(await count(appServer, 'demoteModerators', { filter_tags: { $in: ['tea', 'x'] } }, { members }), 1)
    assert.equal((await member(warm)).channel_role, 'channel_member')
    const roles = { members: [{ user_id: 'bo', channel_role: 'channel_moderator' }] }
    assert.equal(await count(appServer, 'assignRoles', { types: { $eq: 'team' } }, roles), 1)
    assert.equal((await member(team)).channel_role, 'channel_moderator')
    const both = { types: { $in: ['messaging'] }, cids: { $in: [warm, cold, team] } }
    assert.equal(await count(appServer, 'archive', both, { members }), 2)
    assert.deepEqual([(await member(warm)).archived, (await member(team)).archived], [true, false])
    await count(appServer, 'unarchive', both, { members })
    assert.equal((await member(warm)).archived, false)
    await count(appServer, 'hide', both, { members })
    const filter_conditions = { members: { $in: ['bo'] } }
    const shown = async () => (await bo.does('POST', '/channels', { body: { filter_conditions } })).channels.length
    assert.equal(await shown(), 1)
    await count(appServer, 'show', both, { members })
    assert.equal(await shown(), 3)

    const absent = Array.from({ length: 998 }, (_, i) => `messaging:nobody-is-in-number-${i}`)
    assert.equal(await count(appServer, 'hide', { cids: { $in: [...absent, warm, cold] } }, { members }), 2)
    await count(appServer, 'show', both, { members })

    const data = { frozen: true, custom: { mood: 'calm' }, team: 'blue', config_overrides: { replies: false } }
    assert.equal(await count(appServer, 'updateData', { cids: { $eq: warm } }, { data }), 1)
    const { channel } = await appServer.does('POST', `${path(warm)}/query`, { body: { state: true } })
    assert.deepEqual(
      [channel.frozen, channel.mood, channel.team, channel.config.replies, channel.filter_tags],
      [true, 'calm', 'blue', false, ['warm', 'tea']],
    )
    await appServer.createUsers('cy')
    assert.equal(await count(appServer, 'inviteMembers', { cids: { $eq: cold } }, { members: [{ user_id: 'cy' }] }), 1)
    const { members: now } = await appServer.does('POST', `${path(cold)}/query`, { body: { state: true } })
    assert.deepEqual(
      now.map(({ user_id, status }: ReceivedEvent) => [user_id, status]),
      [
        ['ada', 'member'],
        ['bo', 'member'],
        ['cy', 'pending'],
      ],
    )
  })

  it('a failed channel is reported with its reason, and the others are changed', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada])
    const { channel } = await ada.does('POST', '/channels/messaging/query', {
      body: { data: { members: ['ada', 'bo'] } },
    })
    await appServer.createUsers('cy')
    const members = [{ user_id: 'cy' }]
    const result = await does(appServer, 'addMembers', { cids: { $in: [room, channel.cid] } }, { members })
    assert.deepEqual(result, {
      success_channels_count: 1,
      failed_channels: [{ reason: 'cannot add/invite members to the distinct channel', cids: [channel.cid] }],
    })
    const { appServer: other } = await fixture.createApp('cy')
    assert.equal((await does(other, 'addMembers', { cids: { $eq: room } }, { members })).success_channels_count, 0)
    assert.equal((await bo.opensChannel(channel.cid)).members.length, 2)
  })

  it('an incomplete operation is refused', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const filter = { cids: { $eq: room } }
    const members = [{ user_id: 'ada' }]
    const refused = (code: number, body: object) => appServer.isRefused(code, 'PUT', '/channels/batch', { body })
    await ada.isRefused(17, 'PUT', '/channels/batch', { body: { operation: 'addMembers', filter, members } })
    await refused(4, { operation: 'addMembers', filter: { cids: [room] }, members })
    await refused(4, { operation: 'addMembers', filter: { cids: { $nin: [room] } }, members })
    await refused(4, { operation: 'addMembers', filter: {}, members })
    await refused(4, { operation: 'addMembers', filter: { name: { $eq: 'x' } }, members })
    await refused(4, { operation: 'addMembers', filter })
    await refused(4, { operation: 'addMembers', filter, members: [{ user_id: 'nobody' }] })
    await refused(4, { operation: 'assignRoles', filter, members })
    await refused(4, { operation: 'assignRoles', filter, members: [{ user_id: 'ada', channel_role: 'queen' }] })
    await refused(4, { operation: 'updateData', filter })
    await refused(4, { operation: 'updateData', filter, data: {} })
    await refused(4, { operation: 'explode', filter, members })
  })
})
