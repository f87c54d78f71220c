/** Calls against a real server: the answers match the types, and the effects are visible. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, it } from 'vitest'
import type { OwnUser } from './shapes.ts'
import { becomes, type RealServer, startRealServer, until } from './testing/real-server.ts'

let server: RealServer
beforeAll(async () => {
  server = await startRealServer()
})
afterAll(() => server.stop())

const own = (name: string) => `${name}-${randomUUID().slice(0, 8)}`

/** Ada has made a channel with Bo; both watch it. */
async function adaAndBo() {
  const [adaID, boID, room] = [own('ada'), own('bo'), own('tea')]
  await server.company.upsertUsers([{ id: adaID }, { id: boID }])
  const made = server.company.channel('messaging', room, { created_by_id: adaID, members: [adaID, boID] })
  await made.create()
  const [ada, bo] = await Promise.all([server.connects(adaID), server.connects(boID)])
  const [adas, bos] = [ada.channel('messaging', room), bo.channel('messaging', room)]
  await Promise.all([adas.watch(), bos.watch()])
  return { ada, bo, adas, bos, adaID, boID, made }
}

describe('moderation', () => {
  it('[MOD-1] [MOD-2] [MOD-3] [MOD-4] [MOD-5] [MOD-10] bans, shadow bans, lists bans and lifts them', async () => {
    const { adaID, boID, adas, bos, made } = await adaAndBo()
    await made.banUser(boID, { banned_by_id: adaID, reason: 'rude', timeout: 60 })
    await until(adas, ({ members }) => members[boID]?.banned === true)
    await assert.rejects(bos.sendMessage({ text: 'hi' }), { code: 17 })
    const { bans } = await server.company.queryBannedUsers({ channel_cid: made.cid })
    assert.deepEqual(
      bans.map(({ user, reason, banned_by }) => [user.id, reason, banned_by?.id]),
      [[boID, 'rude', adaID]],
    )
    assert.ok(bans[0]?.expires)
    await made.unbanUser(boID)
    await until(adas, ({ members }) => members[boID]?.banned === false)
    await made.shadowBan(boID, { banned_by_id: adaID })
    // No event: banned users must not receive one either.
    assert.deepEqual(
      (await server.company.queryBannedUsers({ channel_cid: made.cid })).bans.map(({ shadow }) => shadow),
      [true],
    )
    await made.removeShadowBan(boID)
    assert.deepEqual((await server.company.queryBannedUsers({ channel_cid: made.cid })).bans, [])
    await server.company.banUser(boID, { banned_by_id: adaID })
    assert.equal((await server.company.queryBannedUsers({ user_id: boID })).bans.length, 1)
    await server.company.unbanUser(boID)
    assert.equal((await server.company.queryBannedUsers({ user_id: boID })).bans.length, 0)
  })

  it('[MOD-6] [MOD-7] [MOD-13] mutes a user on every device, for a while', async () => {
    const { ada, adaID, boID } = await adaAndBo()
    const elsewhere = await server.connects(adaID)
    const muted = new Promise<void>((resolve) => elsewhere.on('notification.mutes_updated', () => resolve()))
    const { mute } = await ada.muteUser(boID, undefined, { timeout: 5 })
    assert.equal(mute?.target.id, boID)
    await muted
    assert.equal(elsewhere.userMuteStatus(boID), true)
    const unmuted = new Promise<void>((resolve) => elsewhere.on('notification.mutes_updated', () => resolve()))
    await ada.unmuteUser(boID)
    await unmuted
    assert.equal(elsewhere.userMuteStatus(boID), false)
  })

  it('pauses pushes on every device, in the order of the calls', async () => {
    const { ada, adaID } = await adaAndBo()
    const elsewhere = await server.connects(adaID)
    const known = (client: typeof ada) => (client.user as OwnUser).push_preferences
    const disabled_until = '2199-01-01T00:00:00Z'
    const told = new Promise<void>((resolve) => elsewhere.on('user.updated', () => resolve()))
    await ada.setPushPreferences([{ chat_level: 'mentions', disabled_until }])
    assert.deepEqual(known(ada), { chat_level: 'mentions', disabled_until })
    await told
    assert.deepEqual(known(elsewhere), known(ada))
    for (let i = 0; i < 10; i++) {
      await Promise.all(
        [ada, elsewhere].map((client) => client.setPushPreferences([{ chat_level: i % 2 ? 'all' : 'none' }])),
      )
      const one = ada.setPushPreferences([{ remove_disable: true }])
      const other = elsewhere.setPushPreferences([{ disabled_until }])
      await Promise.all([one, other])
      const now = (await server.connects(adaID)).user as OwnUser
      for (const client of [ada, elsewhere])
        await becomes(
          async () => known(client),
          (knows) => isDeepStrictEqual(knows, now.push_preferences),
        )
    }
  })

  it('[MOD-8] [MOD-9] [MOD-11] [MOD-12] flags, lists flags, and reviews them', async () => {
    const { ada, bos, adas, boID } = await adaAndBo()
    const { message } = await bos.sendMessage({ text: 'rude words' })
    const { flag } = await ada.flagMessage(message.id, { reason: 'rude' })
    assert.equal(flag.reason, 'rude')
    assert.equal((await ada.flagUser(boID)).flag.target_user?.id, boID)
    const { flags } = await server.company.queryMessageFlags({ channel_cid: adas.cid })
    assert.deepEqual(
      flags.map((one) => one.message?.id),
      [message.id],
    )
    const { flag_reports } = await server.company.queryFlagReports({ message_id: message.id })
    const [report] = flag_reports
    assert.deepEqual([report?.message_user_id, report?.flags_count], [boID, 1])
    const moderator = own('mod')
    await server.company.upsertUser({ id: moderator, role: 'admin' })
    const reviewed = await server.company.reviewFlagReport(report!.id, 'reviewed', { user_id: moderator })
    assert.equal(reviewed.flag_report.review_result, 'reviewed')
    await ada.unflagUser(boID)
  })
})

describe('the app’s server', () => {
  it('[PERM-7] [PERM-8] [PERM-9] [PERM-10] [PERM-11] creates roles and permissions, and deletes them', async () => {
    const { company } = server
    const [role, id] = [own('teacher'), own('read-notes')]
    assert.equal((await company.createRole(role)).role.name, role)
    assert.ok((await company.listRoles()).roles.some(({ name, custom }) => name === role && custom))
    await company.createPermission({ id, name: 'Read Notes', action: 'ReadChannel' })
    await company.updatePermission(id, { name: 'Read all notes', action: 'ReadChannel', owner: true })
    const { permission } = await company.getPermission(id)
    assert.deepEqual([permission.name, permission.owner, permission.custom], ['Read all notes', true, true])
    assert.ok((await company.listPermissions()).permissions.some((one) => one.id === id))
    await company.deletePermission(id)
    await assert.rejects(company.getPermission(id), { code: 16 })
    await company.deleteRole(role)
    await assert.rejects(company.deleteRole('user'), { code: 4 })
  })

  it('[PERM-12] [PERM-13] [PERM-1] creates a channel type, and members see its changes', async () => {
    const { company } = server
    const [type, adaID] = [own('lesson'), own('ada')]
    await company.createChannelType({ name: type, reactions: true })
    assert.ok((await company.listChannelTypes()).channel_types[type])
    await company.upsertUser({ id: adaID })
    await company.channel(type, 'one', { created_by_id: adaID, members: [adaID] }).create()
    const lesson = (await server.connects(adaID)).channel(type, 'one')
    await lesson.watch()
    assert.ok(lesson.data.own_capabilities?.includes('send-message'))
    const { grants = {} } = await company.getChannelType(type)
    const without = (role: string) => (grants[role] ?? []).filter((id) => !id.startsWith('create-message'))
    const update = { channel_member: without('channel_member'), user: without('user') }
    await company.updateChannelType(type, { grants: update })
    await until(lesson, ({ data }) => data.own_capabilities?.includes('send-message') === false)
    await assert.rejects(lesson.sendMessage({ text: 'hi' }), { code: 17 })
    await assert.rejects(company.deleteChannelType(type), { code: 4 })
    await company.channel(type, 'one').delete({ hard_delete: true })
    await company.deleteChannelType(type)
    await assert.rejects(company.getChannelType(type), { code: 16 })
  })

  it('[CMD-6] [CMD-7] [CMD-8] [CMD-13] creates commands, and deletes them', async () => {
    const { company } = server
    const name = own('ticket')
    await company.createCommand({ name, description: 'Opens a ticket' })
    const { command } = await company.updateCommand(name, { description: 'Opens another', args: '[text]' })
    assert.deepEqual([command.description, command.args], ['Opens another', '[text]'])
    assert.equal((await company.getCommand(name)).description, 'Opens another')
    assert.ok((await company.listCommands()).commands.some((one) => one.name === name))
    await company.deleteCommand(name)
    await assert.rejects(company.getCommand(name), { code: 16 })
    await assert.rejects(company.deleteCommand('giphy'), { code: 4 })
  })

  it('[IMP-1] deletes users in a task whose state can be queried', async () => {
    const { company } = server
    const id = own('gone')
    await company.upsertUser({ id })
    const { task_id } = await company.deleteUsers([id], { user: 'soft' })
    const task = await becomes(
      () => company.getTask(task_id),
      ({ status }) => status === 'completed',
    )
    assert.deepEqual(task.result, { [id]: { status: 'ok' } })
    await company.restoreUsers([id])
  })
})

describe('search', () => {
  it('[SRCH-1] [SRCH-3] [SRCH-4] finds messages by text, and by a filter, page by page', async () => {
    const { ada, adas, adaID } = await adaAndBo()
    for (const text of ['green tea', 'black tea', 'coffee']) await adas.sendMessage({ text })
    const here = { cid: adas.cid }
    const found = async (...asked: Parameters<typeof ada.search>) =>
      (await ada.search(...asked)).results.map(({ message }) => message.text).toSorted()
    assert.deepEqual(await found({ members: { $in: [adaID] } }, 'tea'), ['black tea', 'green tea'])
    assert.deepEqual(await found(here, { text: { $q: 'coffee' } }), ['coffee'])
    assert.deepEqual((await adas.search('green')).results[0]?.message.text, 'green tea')
    const first = await ada.search(here, 'tea', { limit: 1, sort: { created_at: 1 } })
    assert.equal(first.results[0]?.message.text, 'green tea')
    const second = await ada.search(here, 'tea', { limit: 1, sort: { created_at: 1 }, next: first.next! })
    assert.equal(second.results[0]?.message.text, 'black tea')
  })
})

describe('blocking', () => {
  it('takes effect at once, and is listed until it is lifted', async () => {
    const { ada, boID } = await adaAndBo()
    await ada.blockUser(boID)
    assert.deepEqual(ada.blockedUserIds, [boID])
    assert.deepEqual(
      (await ada.getBlockedUsers()).blocks.map(({ blocked_user_id }) => blocked_user_id),
      [boID],
    )
    await ada.unBlockUser(boID)
    assert.deepEqual((await ada.getBlockedUsers()).blocks, [])
  })
})
