import assert from 'node:assert/strict'
import { it } from 'vitest'
import { type TaskKind, Tasks } from '../../platform/tasks/tasks.ts'
import type { Server } from '../../server.ts'
import { onEveryStorage } from '../../testing/fixture.ts'
import type { AppServer } from '../../testing/test-user.ts'
import { importing } from './run-import.ts'
import { begins, fileOf, type Line, until } from './testing/importing.ts'

/** The number of writes after which each of the servers ends. */
const WRITES = 4
const CLAIM_MS = 61_000

/** A server that ends in the middle of its work. */
function ending(server: Server): { tasks: Tasks; hasEnded: () => boolean } {
  let writes = 0
  const write: Server['commit']['write'] = (app, cids, run) => {
    writes += 1
    if (writes === WRITES) void tasks.close()
    return server.commit.write(app, cids, run)
  }
  const own: Server = Object.create(server, { commit: { value: { write } } })
  const failed = (error: unknown) => assert.fail(String(error))
  const tasks = new Tasks(() => own, [importing as unknown as TaskKind], failed)
  return { tasks, hasEnded: () => writes >= WRITES }
}

const rows = async (server: Server, app: string) => {
  const read = server.database.read
  const messages = await read.selectFrom('messages').selectAll().where('app', '=', app).orderBy('id').execute()
  const channels = await read.selectFrom('channels').selectAll().where('app', '=', app).orderBy('cid').execute()
  const reads = await read.selectFrom('reads').selectAll().where('app', '=', app).orderBy('user_id').execute()
  const reactions = await read
    .selectFrom('reactions')
    .selectAll()
    .where('app', '=', app)
    .orderBy('message_id')
    .execute()
  const text = JSON.stringify({ messages, channels, reads, reactions })
  return JSON.parse(text, (key, value) => (/^(app|last_read|event_at|updated_at|seq)$/.test(key) ? undefined : value))
}

onEveryStorage((fixture) => {
  it('[IMP-5] an import interrupted repeatedly has the same result as an uninterrupted one', {
    timeout: 120_000,
  }, async () => {
    const { appServer } = await fixture.createApp()
    const { appServer: other } = await fixture.createApp()
    const { server } = fixture.nodes[0]!
    const at = (i: number) => new Date(Date.UTC(2020, 0, 1) + i * 1_000).toISOString()
    const users = Array.from({ length: 30 }, (_, i) => ['user', { id: `u${i}`, created_at: at(0) }] as Line)
    const place = { channel_type: 'messaging', channel_id: 'tea' }
    const members = users.map(
      ([, data]) =>
        ['member', { ...place, user_id: (data as { id: string }).id, created_at: at(1), last_read: at(800) }] as Line,
    )
    const messages = Array.from({ length: 900 }, (_, i): Line => {
      const isReply = i % 10 === 9
      const more = isReply ? { type: 'reply', parent_id: `m${i - 9}` } : { type: 'regular' }
      return [
        'message',
        { id: `m${i}`, user: `u${i % 30}`, ...place, text: `message ${i}`, created_at: at(i + 2), ...more },
      ]
    })
    const reactions = Array.from(
      { length: 250 },
      (_, i) => ['reaction', { message_id: `m${i}`, type: 'love', user_id: 'u1', created_at: at(2_000) }] as Line,
    )
    const channel: Line = ['channel', { type: 'messaging', id: 'tea', created_by: 'u0', created_at: at(0) }]
    const file = fileOf([...users, channel, ...members, ...messages, ...reactions])

    const whole = await begins(other, file)
    const stateOf = async (from: AppServer, id: string) => (await from.does('GET', `/imports/${id}`)).import_task.state
    await until(async () => (await stateOf(other, whole.id)) === 'completed', 'the whole one is done')
    // From here on only servers that end run tasks.
    await server.tasks.close()
    const { id } = await begins(appServer, file)
    let restarts = 0
    for (; (await stateOf(appServer, id)) !== 'completed'; restarts++) {
      assert.ok(restarts < 40, 'it gets no further')
      const { tasks, hasEnded } = ending(server)
      tasks.look()
      await until(async () => hasEnded() || (await stateOf(appServer, id)) === 'completed', 'it has ended')
      await tasks.close()
      fixture.clock.advance(CLAIM_MS)
    }
    assert.ok(restarts > 8, `${restarts} restarts`)
    const { result } = (await appServer.does('GET', `/imports/${id}`)).import_task
    assert.deepEqual([result.errors, result.stats.total.messages, result.stats.total.reactions], [[], 900, 250])
    assert.deepEqual(await rows(server, appServer.app.id), await rows(server, other.app.id))
  })
})
