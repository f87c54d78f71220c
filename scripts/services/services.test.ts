import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { connect as connectToNats } from '@nats-io/transport-node'
import pg from 'pg'
import { expect, it } from 'vitest'
import { findChromium, findShell } from './chromium.ts'
import { startNats } from './nats.ts'
import { startPgBouncer } from './pgbouncer.ts'
import { findPostgres, startPostgres } from './postgres.ts'
import { findProgram } from './program.ts'

it('starts a PostgreSQL and leaves nothing behind', async () => {
  const postgres = await startPostgres({ max_connections: '20' })
  const database = new pg.Client(postgres.url)
  await database.connect()
  const { rows } = await database.query(`
    select current_setting('max_connections') as connections, current_setting('fsync') as fsync,
           current_setting('data_directory') as folder, lower('ÄÖ') as letters`)
  await database.end()
  expect(rows[0]).toMatchObject({ connections: '20', fsync: 'off', letters: 'äö' })

  await postgres.stop()
  expect(existsSync(rows[0].folder)).toBe(false)
  await expect(opens(postgres.url)).rejects.toThrow('ECONNREFUSED')
})

it('starts a PgBouncer that shares PostgreSQL sessions between transactions', async () => {
  const postgres = await startPostgres({ max_connections: '20' })
  const bouncer = await startPgBouncer(postgres.url)
  const clients = Array.from({ length: 8 }, () => new pg.Client(bouncer.url))
  await Promise.all(clients.map((client) => client.connect()))
  const answers = await Promise.all(clients.map((client) => client.query('select pg_backend_pid() as pid')))
  expect(new Set(answers.map(({ rows }) => rows[0].pid)).size).toBeLessThan(8)
  await Promise.all(clients.map((client) => client.end()))

  await bouncer.stop()
  await expect(opens(bouncer.url)).rejects.toThrow('ECONNREFUSED')
  await postgres.stop()
})

it('starts NATS servers that forward messages to each other', async () => {
  const nats = await startNats({ nodes: 2 })
  const [here, there] = await Promise.all(nats.url.split(',').map((servers) => connectToNats({ servers })))
  const heard = there!.subscribe('greetings', { max: 1 })
  await there!.flush()

  // Subscriptions spread between the nodes asynchronously, so publish until one answers.
  const greeting = setInterval(() => here!.publish('greetings', 'hello'), 20)
  for await (const message of heard) expect(message.string()).toBe('hello')
  clearInterval(greeting)

  await Promise.all([here!.close(), there!.close()])
  await nats.stop()
  for (const url of nats.url.split(',')) await expect(opens(url)).rejects.toThrow('ECONNREFUSED')
})

it.each(['with windows', 'without them'])('finds a Chromium %s that runs', (kind) => {
  const path = kind === 'with windows' ? findChromium() : (findShell() ?? findChromium())
  const version = execFileSync(path!, ['--version', '--no-sandbox'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  expect(version).toMatch(/Chrom/)
})

it('finds programs on PATH and in the given folders, and reports when there is none', () => {
  expect(findProgram(['no-such-program', 'sh'])).toMatch(/\/sh$/)
  expect(findPostgres()?.initdb).toMatch(/initdb$/)
  expect(findProgram(['no-such-program'])).toBeUndefined()
})

/** @throws the system's error when nothing listens there */
async function opens(url: string) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.destroy()
}
