/**
 * What becomes of messages while servers fail, on two nodes behind TLS. Each test prints its row of the table in
 * docs/subsystems/delivery.md.
 */
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Nats, startNats } from '../../scripts/services/nats.ts'
import { postgresProcesses, signalPostgres, startPostgres } from '../../scripts/services/postgres.ts'
import type { Service } from '../../scripts/services/service.ts'
import { BusyRoom, whole } from './kit/busy-room.ts'
import { startTlsStack, type TlsStack } from './kit/tls-stack.ts'

/** Twice the time the proxy takes to notice. */
const DRAIN_SECONDS = 1
/** How long a process is stopped. */
const STOPPED_MS = 6_000

describe('on two nodes behind TLS', () => {
  const before = { postgres: process.env.TEST_POSTGRES_URL, nats: process.env.TEST_NATS_URL }
  let postgres: Service
  let nats: Nats
  let stack: TlsStack
  let room: BusyRoom

  beforeAll(async () => {
    // Other tests share the usual ones, which must not be disturbed.
    postgres = await startPostgres({ synchronous_commit: 'on' })
    nats = await startNats({ nodes: 1 })
    Object.assign(process.env, { TEST_POSTGRES_URL: postgres.url, TEST_NATS_URL: nats.url })
    stack = await startTlsStack({ webNodes: 0, settings: { DRAIN_SECONDS: String(DRAIN_SECONDS) } })
  })
  afterAll(async () => {
    await stack?.stop()
    Object.assign(process.env, { TEST_POSTGRES_URL: before.postgres, TEST_NATS_URL: before.nats })
    await nats?.stop()
    await postgres?.stop()
  })
  beforeEach(async () => {
    room = await BusyRoom.open(stack.company, stack.key, stack.chatUrl, ['ada', 'bo', 'cy', 'dee'])
    room.begin()
    await room.goesOn()
  })
  afterEach(() => room.close())

  it('[HTTP-31] a rolling restart fails no call and loses no message', { timeout: 120_000 }, async () => {
    for (const [i, node] of stack.chats.entries()) {
      await node.stop()
      await stack.proxy.sees(`chat${i + 1}`, 'DOWN')
      await room.goesOn()
      await node.start()
      await stack.proxy.sees(`chat${i + 1}`, 'UP')
      await room.goesOn()
    }
    const account = await room.accountOf('rolling restart')
    expect(room.failures).toEqual([])
    expect(account).toMatchObject({ ...whole, failed: 0 })
  })

  it('a killed node loses no acknowledged message', { timeout: 120_000 }, async () => {
    const [node] = stack.chats
    await node!.kill()
    await room.goesOn()
    await node!.start()
    await stack.proxy.sees('chat1', 'UP')
    await room.goesOn()
    expect(await room.accountOf('node killed')).toMatchObject(whole)
  })

  it('a database that crashes loses no acknowledged message', { timeout: 120_000 }, async () => {
    const victim = new pg.Client({ connectionString: postgres.url })
    victim.on('error', () => {})
    await victim.connect()
    const { rows } = await victim.query('select pg_backend_pid() as pid')
    // A backend that dies takes all others down, with everything in memory.
    process.kill(rows[0].pid, 'SIGKILL')
    await room.goesOn()
    expect(await room.accountOf('database killed')).toMatchObject(whole)
  })

  it('a database that stops for a while loses nothing', { timeout: 120_000 }, async () => {
    const pids = await postgresProcesses(postgres.url)
    signalPostgres(pids, 'SIGSTOP')
    await setTimeout(STOPPED_MS)
    signalPostgres(pids, 'SIGCONT')
    await room.goesOn()
    expect(await room.accountOf('database stopped')).toMatchObject(whole)
  })

  it('a bus that stops for a while loses nothing', { timeout: 120_000 }, async () => {
    const [pid] = nats.pids
    process.kill(pid!, 'SIGSTOP')
    await setTimeout(STOPPED_MS)
    process.kill(pid!, 'SIGCONT')
    await room.goesOn()
    expect(await room.accountOf('NATS stopped')).toMatchObject(whole)
  })

  it('a killed bus loses nothing', { timeout: 120_000 }, async () => {
    process.kill(nats.pids[0]!, 'SIGKILL')
    await room.goesOn()
    const { port } = new URL(nats.url.split(',')[0]!)
    const next = await startNats({ nodes: 1, config: `port: ${port}`, anyPort: false })
    try {
      await room.goesOn()
      expect(await room.accountOf('NATS killed')).toMatchObject(whole)
    } finally {
      await nats.stop()
      nats = next
    }
  })

  it('[CON-27] a database that lost acknowledged messages shows every client the stored state', {
    timeout: 120_000,
  }, async () => {
    const name = new URL(stack.databases.chat).pathname.slice(1)
    const run = async (...texts: string[]) => {
      const client = new pg.Client({ connectionString: postgres.url })
      await client.connect()
      for (const text of texts) await client.query(text)
      await client.end()
    }
    const cut = [
      `alter database ${name} allow_connections false`,
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`,
    ]
    await run(...cut, `create database backup template ${name}`, `alter database ${name} allow_connections true`)
    await room.goesOn()
    await run(...cut, `drop database ${name}`, `alter database backup rename to ${name}`)
    await room.goesOn()
    const account = await room.accountOf('database put back')
    // What was acknowledged in between is lost with the database, and nothing else is wrong.
    expect(account).toMatchObject({ doubled: 0, misordered: 0, behind: 0 })
    expect(account.lost).toBeGreaterThan(0)
  })
})
