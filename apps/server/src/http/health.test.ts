import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { it, onTestFinished } from 'vitest'
import { startServer } from '../app.ts'
import { readSettings } from '../settings.ts'
import { eventually } from '../testing/eventually.ts'
import { freshDatabase } from '../testing/stage.ts'
import { StoryClock } from '../testing/story-clock.ts'

it('a node says that it is not well while its database is out of reach, and that it lives', async () => {
  const { url, drop } = await freshDatabase(randomBytes(6).toString('hex'))
  onTestFinished(drop)
  const way = await aWayTo(url)
  const clock = new StoryClock()
  const env = { LOG_LEVEL: 'silent', DATABASE_URL: way.url }
  const node = await startServer({ ...readSettings(env), port: 0 }, clock)
  onTestFinished(() => node.stop())
  const asks = async (path: string) => {
    const answer = await fetch(node.url + path)
    return [answer.status, await answer.json()]
  }
  const well = [200, { status: 'ok' }]
  const unwell = [503, { status: 'the database does not answer' }]
  assert.deepEqual(await asks('/health'), well)

  way.fallsSilent()
  let isAnswered = false
  const answers = Promise.all([asks('/health'), asks('/health')]).finally(() => {
    isAnswered = true
  })
  await eventually(() => {
    clock.advance(2_000)
    return isAnswered
  }, 'it is not waited for any longer')
  assert.deepEqual(await answers, [unwell, unwell])
  assert.deepEqual(await asks('/alive'), well)

  way.isCut()
  assert.deepEqual(await asks('/health'), unwell)
  way.isBack()
  await eventually(async () => (await asks('/health'))[0] === 200, 'it is well again')
})

/** A way to a database that somebody can cut, or on which nothing arrives. */
async function aWayTo(databaseUrl: string) {
  const url = new URL(databaseUrl)
  const target = { host: url.hostname, port: Number(url.port) }
  const sockets = new Set<Socket>()
  let isOpen = true
  const way = createServer((near) => {
    if (!isOpen) return near.destroy()
    const far = connect(target)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => {})
      one.once('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  await new Promise<void>((listening) => way.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void way.close())
  url.hostname = '127.0.0.1'
  url.port = String((way.address() as AddressInfo).port)
  return {
    url: url.href,
    fallsSilent() {
      for (const socket of sockets) socket.unpipe().pause()
    },
    isCut() {
      isOpen = false
      for (const socket of sockets) socket.destroy()
    },
    isBack() {
      isOpen = true
    },
  }
}
