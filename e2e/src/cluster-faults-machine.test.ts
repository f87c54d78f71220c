/**
 * What becomes of messages when a disk is full and when clocks jump. Each test prints its row of the table in
 * docs/subsystems/delivery.md.
 */

import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ChatClient } from '@parley/client/server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { now } from '../../scripts/machine-time.ts'
import { findFaketime, makeFakeClock } from '../../scripts/services/faketime.ts'
import { type PostgresOptions, startPostgres } from '../../scripts/services/postgres.ts'
import { whole } from './kit/busy-room.ts'
import { until } from './kit/chatter.ts'
import { aRoomBehindTls, onABusOfItsOwn, onPostgresAt } from './kit/room-behind-tls.ts'
import { ANSWERED_WITHIN_MS } from './kit/stack.ts'
import type { TlsStack } from './kit/tls-stack.ts'

const JUMP_SECONDS = 600

const mayMount = process.platform === 'linux' && process.getuid?.() === 0
const notRoot = 'only root may mount a small disk'
const noFaketime = 'libfaketime is not on this machine'

describe('behind TLS', () => {
  onABusOfItsOwn()

  it('a full disk of PostgreSQL loses no acknowledged message', { timeout: 240_000 }, async ({ skip }) => {
    skip(!mayMount, notRoot)
    const disk = mountDisk('256m')
    await databaseOfItsOwn({ place: disk.folder, settings: { min_wal_size: '32MB', max_wal_size: '64MB' } })
    const { room } = await aRoomBehindTls()
    disk.fill()
    await room.failsOn()
    disk.makeRoom()
    await room.goesOn()
    expect(await room.accountOf('disk of PostgreSQL full')).toMatchObject(whole)
  })

  it('a full disk of SQLite loses no acknowledged message', { timeout: 240_000 }, async ({ skip }) => {
    skip(!mayMount, notRoot)
    const disk = mountDisk('64m')
    const { room } = await aRoomBehindTls({
      chatNodes: 1,
      settings: { DATABASE_URL: `sqlite:${join(disk.folder, 'chat.sqlite')}` },
    })
    disk.fill()
    await room.failsOn()
    disk.makeRoom()
    await room.goesOn()
    expect(await room.accountOf('disk of SQLite full, one node')).toMatchObject(whole)
  })

  it('[SET-8] nodes whose clocks jump lose, duplicate and reorder nothing', { timeout: 240_000 }, async ({ skip }) => {
    skip(!findFaketime(), noFaketime)
    const clocks = [await aClock(), await aClock()]
    const { stack, room } = await aRoomBehindTls({ settingsOf: (node) => clocks[node]!.env })
    // One is ahead and the other as far behind, then the reverse, then both are right again.
    for (const jumps of [
      [1, -1],
      [-1, 1],
      [0, 0],
    ]) {
      for (const [i, clock] of clocks.entries()) {
        const seconds = jumps[i]! * JUMP_SECONDS
        await clock.set(seconds)
        await until('the jump of the clock', async () => isNear(await ownTime(stack.chats[i]!.url), seconds))
      }
      await room.goesOn()
      await everybodyComesBack(stack)
      await room.goesOn()
      for (const { url } of stack.chats) expect(isNear(await toldTime(stack, url), 0)).toBe(true)
    }
    expect(await room.accountOf("nodes' clocks jump")).toMatchObject(whole)
  })

  it('[SET-8] a database whose clock jumps loses, duplicates and reorders nothing', { timeout: 240_000 }, async ({
    skip,
  }) => {
    skip(!findFaketime(), noFaketime)
    const clock = await aClock()
    await databaseOfItsOwn({ env: clock.env })
    const { stack, room } = await aRoomBehindTls()
    for (const jump of [1, -1, 0]) {
      const seconds = jump * JUMP_SECONDS
      await clock.set(seconds)
      for (const { url } of stack.chats)
        await until('the jump of the clock', async () => isNear(await toldTime(stack, url), seconds))
      await room.goesOn()
      await everybodyComesBack(stack)
      await room.goesOn()
    }
    expect(await room.accountOf("the database's clock jumps")).toMatchObject(whole)
  })

  async function databaseOfItsOwn({ settings, ...options }: PostgresOptions & { settings?: Record<string, string> }) {
    const postgres = await startPostgres({ synchronous_commit: 'on', ...settings }, options)
    onTestFinished(() => postgres.stop())
    onPostgresAt(postgres.url)
  }
})

async function aClock() {
  const clock = await makeFakeClock()
  onTestFinished(() => clock.remove())
  return clock
}

/** A small disk that can be filled. */
function mountDisk(size: string) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder])
  onTestFinished(() => {
    execFileSync('umount', ['--lazy', folder])
    rmSync(folder, { recursive: true })
  })
  const movie = join(folder, 'movie')
  return {
    folder,
    fill() {
      const file = openSync(movie, 'w')
      const piece = Buffer.alloc(1_000_000)
      const goesOn = () => {
        for (;;) writeSync(file, piece)
      }
      expect(goesOn).toThrow('ENOSPC')
      closeSync(file)
    },
    makeRoom: () => rmSync(movie),
  }
}

/** Every client loses its connection and resyncs the messages it missed, by its own timestamps. */
async function everybodyComesBack({ proxy, chats }: TlsStack) {
  await proxy.stop()
  await proxy.start()
  for (const [i] of chats.entries()) await proxy.sees(`chat${i + 1}`, 'UP')
}

/** The time of a node's machine. */
async function ownTime(url: string): Promise<number> {
  const { headers } = await fetch(`${url}/health`)
  return Date.parse(headers.get('date')!)
}

/** The time that a node uses. */
async function toldTime({ key, secret }: TlsStack, url: string): Promise<number> {
  const company = new ChatClient(key, secret, { baseURL: url, timeout: ANSWERED_WITHIN_MS })
  const { users } = await company.upsertUsers([{ id: 'clock', name: Math.random().toString(36) }])
  return Date.parse(String(users.clock!.updated_at))
}

/** Whether a time is that many seconds from now, as precisely as a busy machine allows. */
function isNear(time: number, seconds: number) {
  return Math.abs(time - now().getTime() - seconds * 1000) < (JUMP_SECONDS * 1000) / 2
}
