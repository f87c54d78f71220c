import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { afterAll, beforeAll, it } from 'vitest'
import type { Batch } from '../../platform/database/batch.ts'
import { onEveryStorage } from '../../testing/fixture.ts'
import { type AppServer, path, type TestUser } from '../../testing/test-user.ts'
import { begins, imports, over, until } from './testing/importing.ts'

/** The files of these tests are stored in S3. */
const env: Record<string, string> = {}
let folder = ''
let bucket: S3rver
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-round-trip-'))
  bucket = new S3rver({
    ...{ address: '127.0.0.1', port: 0, silent: true, directory: folder },
    configureBuckets: [{ name: 'files', configs: [] }],
  })
  const { port } = await bucket.run()
  env.FILES_URL = `s3+http://S3RVER:S3RVER@127.0.0.1:${port}/files/chat`
})
afterAll(async () => {
  await bucket.close()
  await rm(folder, { recursive: true, force: true })
})

async function exported(appServer: AppServer, cids: readonly string[], more: object = {}): Promise<string> {
  const options = { version: 'v2', export_users: true, include_truncated_messages: true }
  const body = { channels: cids.map((cid) => ({ cid })), ...options, ...more }
  const { task_id } = await appServer.does('POST', '/export_channels', { body })
  let url = ''
  await until(async () => {
    const { status, result } = await appServer.does('GET', `/tasks/${task_id}`)
    assert.notEqual(status, 'failed')
    url = result?.url ?? ''
    return url !== ''
  }, 'the export is done')
  return (await fetch(url)).text()
}

/** A user's view of a channel, without what changes by importing: activity times and row times. */
async function seenBy(who: TestUser, cid: string): Promise<unknown> {
  const { channel, messages, members, read, pinned_messages, threads } = await who.does('POST', `${path(cid)}/query`, {
    body: { state: true },
  })
  const text = JSON.stringify({ channel, messages, members, read, pinned_messages, threads })
  return JSON.parse(text, (key, value) =>
    /^(updated_at|last_active|online|last_read_message_id)$/.test(key) ? undefined : value,
  )
}

onEveryStorage((fixture) => {
  it('[IMP-2] [IMP-5] exported data imported elsewhere looks as before', {
    timeout: 120_000,
  }, async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const push_provider = { type: 'apn', name: 'main' }
    await appServer.does('POST', '/push_providers', { body: { push_provider } })
    await bo.does('POST', '/devices', { body: { id: 'phone', push_provider: 'apn', push_provider_name: 'main' } })
    const room = await appServer.opens([ada, bo, cy], { name: 'Tea', mood: { of: ['day'] }, filter_tags: ['warm'] })
    const { channel: pair } = await ada.does('POST', '/channels/messaging/query', {
      body: { data: { members: ['ada', 'bo'] } },
    })
    await appServer.does('POST', path(room), { body: { add_moderators: ['bo'] } })
    await appServer.does('PATCH', `${path(room)}/member/cy`, { body: { set: { nickname: 'C', archived: true } } })
    const tick = () => fixture.clock.advance(5)
    const hello = await ada.sends(room, 'Hello @bo', { mentioned_users: ['bo'], topic: 'greeting' })
    tick()
    const reply = await bo.sends(room, 'Hi there', { parent_id: hello.id, show_in_channel: true })
    tick()
    await cy.sends(room, 'In the thread', { parent_id: hello.id })
    const gone = await cy.sends(room, 'Never mind')
    await cy.does('DELETE', `/messages/${gone.id}`)
    await ada.sends(room, 'As I said', { quoted_message_id: hello.id, attachments: [{ type: 'link', title: 'x' }] })
    await appServer.does('POST', `${path(room)}/message`, {
      body: { message: { text: 'psst', user_id: 'ada', silent: true } },
    })
    await bo.does('PUT', `/messages/${reply.id}`, { body: { set: { pinned: true } } })
    for (const who of [bo, cy])
      await who.does('POST', `/messages/${hello.id}/reaction`, { body: { reaction: { type: 'love', score: 2 } } })
    await bo.reads(room)
    await ada.sends(room, 'One more')
    await ada.sends(pair.cid, 'Just us')
    const cids = [room, pair.cid as string]
    const text = await exported(appServer, cids)

    const { appServer: other } = await fixture.createApp()
    await imports(other, text)
    assert.equal(await exported(other, cids), text)
    for (const who of [ada, bo, cy]) {
      const there = other.user(who.id)
      assert.deepEqual(await seenBy(there, room), await seenBy(who, room), who.id)
      const unread = async (one: TestUser) => (await one.does('GET', '/unread')).total_unread_count
      assert.equal(await unread(there), await unread(who))
    }
    for (const who of [ada, bo])
      assert.deepEqual(await seenBy(other.user(who.id), pair.cid), await seenBy(who, pair.cid))
    const replies = async (one: TestUser) =>
      (await one.does('GET', `/messages/${hello.id}/replies`)).messages.map(({ id }: { id: string }) => id)
    assert.deepEqual(await replies(other.user('ada')), await replies(ada))

    await imports(other, text)
    assert.equal(await exported(other, cids), text, 'a second import changes nothing')
    await imports(appServer, text, { mode: 'insert' })
    assert.equal(await exported(appServer, cids), text, 'nor does one where it came from')
  })

  it('[IMP-5] hard-deleted data is restored from its export as it was', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo], { name: 'Tea' })
    await ada.sends(room, 'Hello')
    await bo.sends(room, 'Hi')
    const text = await exported(appServer, [room])
    const seen = await seenBy(ada, room)

    const later = { frozen: true, disabled: true, cooldown: 30, config_overrides: { replies: false } }
    await appServer.does('PATCH', path(room), { body: { set: later, user_id: 'ada' } })
    const { task_id } = await appServer.does('POST', '/channels/delete', { body: { cids: [room], hard_delete: true } })
    const isErased = async () => (await appServer.does('GET', `/tasks/${task_id}`)).status === 'completed'
    await until(isErased, 'the channel is erased')
    await imports(appServer, text)

    assert.deepEqual(await seenBy(ada, room), seen)
    assert.equal(await exported(appServer, [room]), text)
  })

  it('[IMP-2] [IMP-5] shadowed and restricted messages are shown to no other users after an import elsewhere', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const room = await appServer.opens([ada, bo, cy])
    const hello = await ada.sends(room, 'Hello')
    const ban = { target_user_id: 'cy', banned_by_id: 'ada', type: 'messaging', id: room.split(':')[1] }
    await appServer.does('POST', '/moderation/ban', { body: { ...ban, shadow: true } })
    await cy.sends(room, 'For nobody', { parent_id: hello.id, show_in_channel: true })
    await appServer.does('POST', `${path(room)}/message`, {
      body: { message: { text: 'For bo', user_id: 'ada', restricted_visibility: ['bo'] } },
    })
    const whole = await exported(appServer, [room])
    // Whatever else an export omits, it contains this.
    const short = await exported(appServer, [room], { include_fields: ['text', 'created_at', 'show_in_channel'] })

    for (const text of [whole, short]) {
      const { appServer: other } = await fixture.createApp()
      await imports(other, text)
      const seen = async (id: string) => {
        const { messages } = await other.user(id).opensChannel(room)
        const { messages: replies } = await other.user(id).does('GET', `/messages/${hello.id}/replies`)
        return [messages, replies].map((list: { text: string }[]) => list.map((message) => message.text).join())
      }
      assert.deepEqual(await seen('bo'), ['Hello,For bo', ''])
      assert.deepEqual(await seen('cy'), ['Hello,For nobody', 'For nobody'])
      assert.deepEqual(await seen('ada'), ['Hello,For bo', ''])
      if (text === whole) assert.equal(await exported(other, [room]), text)
    }
  })

  it('[IMP-5] nothing is imported into a channel while its old content is being erased', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    await ada.sends(room, 'Hello')
    const text = await exported(appServer, [room])
    await appServer.does('DELETE', path(room), { query: { hard_delete: 'true' } })
    const { commit, tasks, clock } = fixture.nodes[0]!.server
    const mine = (db: Batch['db']) => db.updateTable('tasks').where('app', '=', appServer.app.id)
    // Another node has not finished erasing.
    await commit.write(appServer.app.id, [], async (batch) => {
      const id = await tasks.begin(batch, appServer.app.id, 'erase-messages', { cid: room, before: clock.micros() })
      await mine(batch.db).where('id', '=', id).set({ claim: 'another', claimed_until: 9e15 }).execute()
    })

    const { state, result } = await over(appServer, (await begins(appServer, text)).id)
    const errors = result?.errors.map(({ error }) => error)
    assert.deepEqual(errors, [`Validation error: channel "${room}" is still being erased, import it later`])
    assert.equal(state, 'analyze_failed')
    await commit.write(appServer.app.id, [], async ({ db }) => {
      await mine(db).where('claim', '=', 'another').set({ status: 'completed' }).execute()
    })
    const erasing = fixture.nodes[0]!.server.database.read.selectFrom('tasks')
      .select('id')
      .where((is) => is.and([is('kind', '=', 'erase-messages'), is('status', '<>', 'completed')]))
    await until(async () => (await erasing.execute()).length === 0, 'all is erased')
    await imports(appServer, text)
    assert.equal(await exported(appServer, [room]), text)
  })
}, env)
