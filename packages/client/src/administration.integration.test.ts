/** Calls of an application's own server for its whole app: reviews, segments, campaigns, exports and imports. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { becomes, type RealServer, startRealServer, until } from './testing/real-server.ts'

let server: RealServer
beforeAll(async () => {
  server = await startRealServer()
})
afterAll(() => server.stop())

const own = (name: string) => `${name}-${randomUUID().slice(0, 8)}`

const resultOf = async (taskId: string) => {
  const task = await becomes(
    () => server.company.getTask(taskId),
    ({ status }) => status === 'completed' || status === 'failed',
  )
  assert.equal(task.status, 'completed', JSON.stringify(task.error))
  return task.result as Record<string, string>
}

/** Ada and Bo, members of one channel. */
async function adaAndBo() {
  const [adaID, boID, room] = [own('ada'), own('bo'), own('tea')]
  await server.company.upsertUsers([
    { id: adaID, name: 'Ada' },
    { id: boID, name: 'Bo' },
  ])
  const made = server.company.channel('messaging', room, { created_by_id: adaID, members: [adaID, boID] })
  await made.create()
  return { adaID, boID, made }
}

describe('reviews', () => {
  it('[MOD2-1] [MOD2-2] [MOD2-6] [MOD2-11] a reported message is in the review queue, and a moderator deletes it', async () => {
    const { adaID, boID, made } = await adaAndBo()
    const [ada, bo] = await Promise.all([server.connects(adaID), server.connects(boID)])
    const room = ada.channel('messaging', made.id!)
    await room.watch()
    const { message } = await bo.channel('messaging', made.id!).sendMessage({ text: 'Buy my pills' })
    await until(room, ({ messages }) => messages.at(-1)?.id === message.id)
    const { item_id } = await ada.moderation.flagMessage(message.id, 'spam')
    const { items } = await server.company.moderation.queryReviewQueue({ entity_id: message.id })
    assert.deepEqual(
      items.map(({ id, flags_count, reviewed_at }) => ({ id, flags_count, reviewed_at })),
      [{ id: item_id, flags_count: 1, reviewed_at: undefined }],
    )
    await server.company.moderation.submitAction('delete_message', item_id, { user_id: adaID })
    await until(room, ({ messages }) =>
      messages.every(({ id, deleted_at }) => id !== message.id || Boolean(deleted_at)),
    )
    const after = await server.company.moderation.queryReviewQueue({ entity_id: message.id, reviewed: true })
    assert.equal(after.items[0]?.latest_moderator_action, 'delete_message')
  })

  it('[MOD2-7] [MOD2-8] [MOD2-9] [MOD2-10] a configuration is created, read, queried and deleted', async () => {
    const key = `chat:${own('type')}`
    await server.company.moderation.upsertConfig({ key, async: false })
    assert.equal((await server.company.moderation.getConfig(key)).config.key, key)
    const { configs } = await server.company.moderation.queryConfigs({ key })
    assert.deepEqual(
      configs.map((config) => config.key),
      [key],
    )
    await server.company.moderation.deleteConfig(key)
    await assert.rejects(server.company.moderation.getConfig(key), { code: 16 })
  })

  it('[MOD2-3] [MOD2-4] [MOD2-5] [MOD2-13] a mute is the same in both APIs, and is listed in the report', async () => {
    const { adaID, boID } = await adaAndBo()
    const ada = await server.connects(adaID)
    await ada.moderation.muteUser(boID)
    assert.deepEqual(
      ada.mutedUsers.map(({ target }) => target.id),
      [boID],
    )
    const report = await server.company.moderation.getUserModerationReport(boID)
    assert.deepEqual(
      report.user_mutes.map(({ user }) => user?.id),
      [adaID],
    )
    await ada.unmuteUser(boID)
    assert.deepEqual((await server.company.moderation.getUserModerationReport(boID)).user_mutes, [])
  })
})

describe('segments and campaigns', () => {
  it('[SEG-2] [SEG-6] [SEG-8] [SEG-9] [CAM-4] [CAM-6] [CAM-10] a message reaches every user of a segment, once', async () => {
    const { adaID, boID } = await adaAndBo()
    const bo = await server.connects(boID)
    const segment = server.company.segment('user', null, { name: 'Those who asked' })
    await segment.create()
    await segment.addTargets([boID])
    await segment.targetExists(boID)
    await assert.rejects(segment.targetExists(adaID), { code: 16 })
    const { targets } = await segment.queryTargets()
    assert.deepEqual(
      targets.map(({ target_id }) => target_id),
      [boID],
    )
    const campaign = server.company.campaign({
      sender_id: adaID,
      segment_ids: [segment.id!],
      message_template: { text: 'Hello {{ receiver.name }}' },
      channel_template: { type: 'messaging' },
      create_channels: true,
    })
    await campaign.create()
    await campaign.start()
    const { campaign: done } = await becomes(
      () => campaign.get(),
      ({ campaign }) => campaign.status === 'completed',
    )
    assert.equal(done.stats.stats_messages_sent, 1)
    const channels = await bo.queryChannels({ members: { $in: [boID] } }, { last_message_at: -1 })
    const texts = channels.flatMap(({ state }) => state.messages.map(({ text, user }) => [user.id, text]))
    assert.deepEqual(texts, [[adaID, 'Hello Bo']])
    await campaign.delete()
    await segment.delete()
  })
})

describe('exports and imports', () => {
  it('[IMP-1] [IMP-2] [IMP-4] [IMP-5] [IMP-6] an export of one app can be imported into another', async () => {
    const { adaID, boID, made } = await adaAndBo()
    await made.sendMessage({ id: own('first'), text: 'Where were we?', user_id: adaID })
    await made.sendMessage({ id: own('second'), text: 'Here.', user_id: boID })
    const { task_id } = await server.company.exportChannels([{ type: 'messaging', id: made.id! }], {
      version: 'v2',
      export_users: true,
    })
    const { url } = await resultOf(task_id)
    const file = await (await fetch(url!)).text()
    const elsewhere = await startRealServer()
    try {
      const { path, upload_url } = await elsewhere.company.createImportURL('history.jsonl')
      assert.equal((await fetch(upload_url, { method: 'PUT', body: file })).ok, true)
      const { import_task } = await elsewhere.company.createImport(path)
      const { import_task: done } = await becomes(
        () => elsewhere.company.getImport(import_task.id),
        ({ import_task: { state } }) => state === 'completed' || state.endsWith('failed'),
      )
      assert.equal(done.state, 'completed', JSON.stringify(done.result))
      assert.equal((await elsewhere.company.listImports()).import_tasks[0]?.id, import_task.id)
      const bo = await elsewhere.connects(boID)
      const [room] = await bo.queryChannels({ members: { $in: [boID] } })
      assert.deepEqual(
        room!.state.messages.map(({ text, user }) => [user.name, text]),
        [
          ['Ada', 'Where were we?'],
          ['Bo', 'Here.'],
        ],
      )
    } finally {
      await elsewhere.stop()
    }
  })
})
