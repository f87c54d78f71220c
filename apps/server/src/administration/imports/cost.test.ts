import assert from 'node:assert/strict'
import { afterAll, it } from 'vitest'
import { onEveryStorage } from '../../testing/fixture.ts'
import { notingStatements, walksAmong } from '../../testing/query-plans.ts'
import { statementsUntil } from '../../testing/statements.ts'
import { imports, type Line } from './testing/importing.ts'

const asked = notingStatements()
afterAll(asked.stop)

/** Lines of every type, within one page of lines per type. */
function town(many: number): Line[] {
  const each = (line: (i: number) => Line) => Array.from({ length: many }, (_, i) => line(i))
  const at = (i: number) => new Date(Date.UTC(2020, 0, 1) + i * 1_000).toISOString()
  const place = { channel_type: 'messaging', channel_id: 'tea' }
  const next = (i: number) => `u${(i + 1) % many}`
  return [
    ...each((i) => [
      'user',
      { id: `u${i}`, blocked_user_ids: [next(i)], user_mutes: [next(i)], channel_mutes: ['messaging:tea'] },
    ]),
    ...each((i) => [
      'device',
      { id: `d${i}`, user_id: `u${i}`, push_provider_type: 'apn', push_provider_name: 'main' },
    ]),
    ['channel', { type: 'messaging', id: 'tea', created_by: 'u0', banned_users: ['u1'] }],
    ...each((i) => ['member', { ...place, user_id: `u${i}`, last_read: at(i) }]),
    ...each((i) => [
      'message',
      { id: `m${i}`, type: 'regular', user: `u${i}`, ...place, text: 'hello', created_at: at(i) },
    ]),
    ...each((i) => [
      'message',
      { id: `r${i}`, type: 'reply', parent_id: 'm0', user: `u${i}`, ...place, created_at: at(many + i) },
    ]),
    ...each((i) => ['reaction', { message_id: `m${i}`, type: 'love', user_id: next(i), created_at: at(many) }]),
  ]
}

const timesOf = (texts: readonly string[]) =>
  Object.fromEntries([...Map.groupBy(texts, (text) => text)].map(([text, all]) => [text, all.length]))

onEveryStorage((fixture) => {
  it('a page of an import costs as many statements for few lines as for many', async () => {
    const { server } = fixture.nodes[0]!
    const statements = async (many: number) => {
      const { appServer } = await fixture.createApp()
      await imports(appServer, [['user', { id: 'first' }]])
      const texts = await statementsUntil(() => imports(appServer, town(many)))
      // Without the polling for the end, which depends on the clock, and the deletion of temporary names.
      return texts.filter((text) => !/\btasks\b|"(imports|import_items)"/.test(text)).sort()
    }
    const [few, many] = [await statements(6), await statements(20)]
    if (server.database.dialect.name === 'postgres') assert.deepEqual(timesOf(many), timesOf(few))
    assert.deepEqual(new Set(many), new Set(few))
  })
})

it('no statement of an import scans a whole table', async () => {
  const own = [...asked.texts].filter((text) =>
    /import_items|\bmessages\b|\bmembers\b|\breads\b|\bfiles\b|\bimports\b/.test(text),
  )
  assert.deepEqual(await walksAmong(new Set(own)), [])
})
