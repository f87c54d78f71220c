import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it, onTestFinished } from 'vitest'
import { startServer } from '../../app.ts'
import { foundApp } from '../../chat/apps/found-app.ts'
import { eventually } from '../../testing/eventually.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { AppServer } from '../../testing/test-user.ts'
import { readSettings } from '../settings.ts'

it('what fell due while no server ran happens when one starts, and once', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'due-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  const clock = new FakeClock()
  const settings = readSettings({ PORT: '0', LOG_LEVEL: 'error', DATABASE_URL: `sqlite:${join(dir, 'chat.sqlite')}` })
  const before = await startServer(settings, clock)
  const app = await foundApp(before.server.database, { key: 'key', secret: 'a secret of the story' }, 0)
  const appServer = new AppServer(before.url, app, clock)
  await appServer.createUsers('ada')
  const ada = appServer.user('ada')
  const room = await appServer.opens([ada])
  const left = new Date(clock.now()).toISOString()
  // More than one look takes, all of the same moment.
  const pin_expires = new Date(clock.now() + 60_000).toISOString()
  await Promise.all(Array.from({ length: 120 }, (_, i) => ada.sends(room, `${i}`, { pinned: true, pin_expires })))
  await before.stop()
  clock.advance(3_600_000)

  const after = await startServer(settings, clock)
  onTestFinished(() => after.stop())
  const later = appServer.user('ada', after.url)
  const ended = async () => {
    const { events } = await later.does('POST', '/sync', { body: { channel_cids: [room], last_sync_at: left } })
    return events.filter(({ type }: { type: string }) => type === 'message.updated')
  }
  await eventually(async () => (await ended()).length >= 120, 'every pin has ended')
  clock.advance(5_000)
  const { length } = await ended()
  assert.equal(length, 120)
  assert.deepEqual(await after.server.database.read.selectFrom('due').selectAll().execute(), [])
})
