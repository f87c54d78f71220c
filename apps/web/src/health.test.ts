import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openDatabase } from '../app/database.server.ts'
import { openAuth } from '../app/session/auth.server.ts'
import { proxiesNamed } from './client-address.ts'
import { withHealth } from './health.ts'
import { withProxyNote } from './proxy-note.ts'

const PATIENCE = { timeout: 30_000 }

async function aWebApp({ proxies = [] as string[] } = {}) {
  const database = openDatabase('sqlite::memory:')
  await openAuth(database, { secret: 'x'.repeat(32), publicUrl: 'http://localhost:3000' })
  const state = { isDraining: false }
  const page = withProxyNote(proxiesNamed(proxies), (_request, response) => void response.end('{"page":true}'))
  const server = createServer(withHealth(database, state, page))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    database,
    state,
    async asks(path: string, headers: Record<string, string> = {}) {
      const [answer] = (await once(get({ port, path, headers }), 'response')) as [IncomingMessage]
      return { status: answer.statusCode, body: await json(answer), connection: answer.headers.connection }
    },
  }
}

it('[APP-38] is unhealthy while the database is unusable, and alive', async () => {
  const { database, asks } = await aWebApp()
  expect(await asks('/health')).toMatchObject({ status: 200, body: { status: 'ok' } })
  expect(await asks('/health?from=haproxy')).toMatchObject({ status: 200 })
  await database.close()
  await vi.waitUntil(async () => (await asks('/health')).status === 503, PATIENCE)
  expect((await asks('/health')).body).toMatchObject({ status: expect.stringContaining('the database') })
  expect(await asks('/alive')).toMatchObject({ status: 200, body: { status: 'ok' } })
  await database.kysely.destroy()
})

it('[APP-38] is unhealthy, too, before it stops, and each response closes its connection', async () => {
  const { state, asks } = await aWebApp()
  expect((await asks('/sign-in')).connection).not.toBe('close')
  state.isDraining = true
  expect(await asks('/health')).toMatchObject({ status: 503, body: { status: 'the web app is stopping' } })
  expect(await asks('/alive')).toMatchObject({ status: 200, connection: 'close' })
  expect(await asks('/sign-in')).toMatchObject({ status: 200, body: { page: true }, connection: 'close' })
})

it('a proxy missing from the settings is logged once', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  onTestFinished(() => warn.mockRestore())
  const forwarded = { 'x-forwarded-for': '198.51.100.1' }

  const named = await aWebApp({ proxies: ['127.0.0.0/8', '::1'] })
  await named.asks('/', forwarded)
  const direct = await aWebApp()
  await direct.asks('/')
  expect(warn).not.toHaveBeenCalled()

  for (let i = 0; i < 3; i++) await direct.asks('/', forwarded)
  expect(warn.mock.calls).toEqual([
    [expect.stringMatching(/^TRUSTED_PROXIES does not name (::ffff:)?127\.0\.0\.1[^\n]+$/)],
  ])
})
