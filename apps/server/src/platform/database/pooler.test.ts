import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { it, onTestFinished } from 'vitest'
import { behindPooler, freshDatabase } from '../../testing/fixture.ts'
import { openDatabase } from './database.ts'

/** A fresh database, and the way to it through PgBouncer. */
async function twoWays() {
  const { url, drop } = await freshDatabase(randomBytes(6).toString('hex'))
  onTestFinished(drop)
  const pooled = new URL(process.env.TEST_PGBOUNCER_URL!)
  pooled.pathname = new URL(url).pathname
  return { straight: url, pooled: pooled.href }
}

it('nodes that start at once behind a pooler migrate an empty database together', async () => {
  const { pooled } = await twoWays()
  const nodes = await Promise.all([openDatabase(pooled), openDatabase(pooled), openDatabase(pooled)])
  for (const node of nodes) {
    const { rows } = await sql`select version from schema_version`.execute(node.read)
    assert.equal(rows.length, 1)
    await node.close()
  }
})

it('behind a pooler nothing is left in sessions, and without one statements stay planned', async () => {
  const { straight, pooled } = await twoWays()
  for (const [url, isPooled] of [
    [straight, false],
    [pooled, true],
  ] as const) {
    const database = await openDatabase(url, { databasePoolSize: 4 })
    // Every session is there before it is asked, or one that comes late has planned nothing yet.
    await Promise.all(Array.from({ length: 4 }, () => sql`select pg_sleep(0.05)`.execute(database.read)))
    const asks = (n: number) => sql<{ n: number }>`select ${n}::int as n, 'asked' as word`.execute(database.read)
    // More than there are sessions, and each asked by several: they meet each other's everywhere.
    const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => asks(n)))
    assert.deepEqual(
      answers.map(({ rows }) => rows[0]!.n),
      Array.from({ length: 60 }, (_, n) => n),
    )
    const { rows } = await sql<{ planned: number }>`select count(*)::int as planned from pg_prepared_statements
      where statement like '%asked%' and ${1}::int = 1`.execute(database.read)
    assert.equal(rows[0]!.planned > 0, !isPooled)
    await database.close()
  }
})

behindPooler((fixture) => {
  it('concurrent writes and reads on two nodes are all answered', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const rooms = await Promise.all(Array.from({ length: 6 }, () => appServer.opens([ada, bo])))
    await Promise.all([ada.watches(rooms[0]!), bo.watches(rooms[0]!)])

    await Promise.all(
      Array.from({ length: 120 }, (_, n) => [ada, bo][n % 2]!.sends(rooms[n % rooms.length]!, `message ${n}`)),
    )

    const views = await Promise.all(
      rooms.flatMap((room) => [ada, bo].map((testUser) => testUser.opensChannel(room, { messages: { limit: 100 } }))),
    )
    assert.deepEqual(
      views.map(({ messages }) => messages.length),
      rooms.flatMap(() => [20, 20]),
    )
    for (const testUser of [ada, bo]) {
      const received = new Set<string>()
      while (received.size < 20) received.add((await testUser.receives('message.new')).message_id)
    }
  })
})
