import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { it } from 'vitest'
import type { EventRow } from '../../platform/database/tables.ts'
import { onEveryStorage } from '../../testing/fixture.ts'
import { justBefore } from '../../testing/just-before.ts'
import { eventsAfter } from './event-store.ts'

onEveryStorage((fixture) => {
  it('events after a sequence number are found, also where numbers in between are not stored', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    for (let i = 0; i < 6; i++) await ada.sends(room, `${i}`)
    const { read, write } = fixture.nodes[0]!.server.database
    const events = sql<EventRow>`select * from events where cid = ${room} order by seq`
    const { rows } = await events.execute(read)
    const gone = rows.at(-3)!
    await sql`delete from events where cid = ${room} and seq = ${gone.seq}`.execute(write)

    const left = rows.filter((row) => row !== gone)
    for (let seq = 0; seq <= rows.at(-1)!.seq; seq++)
      assert.deepEqual(
        await eventsAfter(read, gone.app, room, seq),
        left.filter((row) => row.seq > seq),
      )
  })
  it('a node that missed events skips none when more are written while it reads', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    for (let i = 0; i < 3; i++) await ada.sends(room, `${i}`)
    const { read } = fixture.nodes[0]!.server.database
    const events = sql<EventRow>`select * from events where cid = ${room} order by seq`
    const { rows } = await events.execute(read)
    const { app, seq } = rows[0]!

    const isReading = ({ sql }: { sql: string }) => /from events .* offset/s.test(sql)
    const says = async () => {
      for (let i = 3; i < 6; i++) await ada.sends(room, `${i}`)
    }
    justBefore(read.getExecutor(), 'executeQuery', says, isReading)
    const missed = await eventsAfter(read, app, room, seq)

    const all = (await events.execute(read)).rows
    assert.ok(all.length > rows.length)
    assert.deepEqual(missed, all.slice(1))
  })
})
