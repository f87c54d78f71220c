/**
 * What becomes of messages when the database fails over to its standby. Each test prints its row of the table in
 * docs/subsystems/delivery.md.
 */
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { postgresProcesses, signalPostgres, startPostgres, startStandby } from '../../scripts/services/postgres.ts'
import { startTcpRelay } from '../../scripts/services/tcp-relay.ts'
import { whole } from './kit/busy-room.ts'
import { until } from './kit/chatter.ts'
import { aRoomBehindTls, onABusOfItsOwn, onPostgresAt } from './kit/room-behind-tls.ts'

const settings = { synchronous_commit: 'on' }

describe('on two nodes behind TLS and a database that fails over', () => {
  onABusOfItsOwn()

  it('loses no acknowledged message with a synchronous standby', { timeout: 240_000 }, async () => {
    const { room, pair } = await aRoomOnAPair()
    await run(pair.primary, "alter system set synchronous_standby_names = '*'", 'select pg_reload_conf()')
    await until('the standby to be waited for', () => isFollowing(pair.primary, 'sync'))
    await room.goesOn()
    await pair.failOver()
    await room.goesOn()
    expect(await room.accountOf('failed over, synchronous standby')).toMatchObject(whole)
  })

  it('[CON-27] shows every client the stored state after a standby that lagged took over', {
    timeout: 240_000,
  }, async () => {
    const { room, pair } = await aRoomOnAPair()
    pair.link.hold()
    await room.goesOn()
    await pair.failOver()
    await room.goesOn()
    const account = await room.accountOf('failed over, asynchronous standby that was behind')
    expect(account).toMatchObject({ doubled: 0, misordered: 0, behind: 0 })
    // What the standby had not received is gone, and nothing else is wrong.
    expect(account.lost).toBeGreaterThan(0)
  })

  async function aRoomOnAPair() {
    const pair = await aPair()
    onPostgresAt(pair.url)
    return { pair, ...(await aRoomBehindTls()) }
  }
})

/** A database, a standby that follows it over a connection of its own, and the address clients use. */
async function aPair() {
  const primary = await startPostgres(settings)
  onTestFinished(() => primary.stop())
  const link = await startTcpRelay(portOf(primary.url))
  onTestFinished(() => link.close())
  const standby = await startStandby(link.port, settings)
  onTestFinished(() => standby.stop())
  await until('the standby to follow', () => isFollowing(primary.url, 'async'))
  const address = await startTcpRelay(portOf(primary.url))
  onTestFinished(() => address.close())
  const url = new URL(primary.url)
  url.port = String(address.port)
  return {
    /** Reaches the current primary. */
    url: url.href,
    primary: primary.url,
    link,
    /** A machine that loses power, and the failover that follows. */
    async failOver() {
      const pids = await postgresProcesses(primary.url)
      signalPostgres(pids, 'SIGKILL')
      // What was on its way to the standby is lost with the machine.
      link.cut()
      await run(standby.url, 'select pg_promote()')
      address.leadTo(portOf(standby.url))
    },
  }
}

async function isFollowing(url: string, how: 'sync' | 'async') {
  const [{ rows }] = await run(url, "select sync_state from pg_stat_replication where state = 'streaming'")
  return rows.some((row) => row.sync_state === how)
}

async function run(url: string, ...texts: [string, ...string[]]): Promise<[pg.QueryResult, ...pg.QueryResult[]]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const results = []
    for (const text of texts) results.push(await client.query(text))
    return results as [pg.QueryResult, ...pg.QueryResult[]]
  } finally {
    await client.end()
  }
}

function portOf(url: string) {
  return Number(new URL(url).port)
}
