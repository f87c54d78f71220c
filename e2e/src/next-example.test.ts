/** The example for Next.js, built and used on the oldest Node that Next.js runs on. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packClient } from '@parley/client/pack'
import { packWidgets } from '@parley/widgets/pack'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Daemon, freePort, startDaemon } from '../../scripts/services/service.ts'
import { Room } from './kit/browser.ts'
import { until } from './kit/chatter.ts'
import { nodeOf, nodePackages } from './kit/node-versions.ts'
import { type Stack, startStack } from './kit/stack.ts'

let folder: string
let stack: Stack
let next: Daemon
let room: Room
let url: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-next-'))
  const project = join(folder, 'project')
  cpSync(join(import.meta.dirname, '../../examples/next-chat'), project, { recursive: true })
  const tarballs = [await packClient(folder), await packWidgets(folder)]
  const quietly = ['--prefer-offline', '--no-audit', '--no-fund', '--silent']
  execFileSync('npm', ['install', ...quietly, ...tarballs, ...nodePackages.slice(0, 1)], { cwd: project })
  const node = nodeOf(project, 20)
  const program = join(project, 'node_modules/next/dist/bin/next')
  // The test run has set NODE_ENV, and Next.js builds for nothing but production.
  const env = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' }
  execFileSync(node, [program, 'build'], { cwd: project, env, stdio: 'pipe' })

  stack = await startStack('sqlite', { web: false })
  const { key, secret, company } = stack
  await company.upsertUsers([{ id: 'ada', name: 'Ada' }])
  await company.channel('messaging', 'tea', { name: 'Tea time', created_by_id: 'ada', members: ['ada'] }).create()
  const port = String(await freePort())
  url = `http://127.0.0.1:${port}`
  const chat = { CHAT_URL: stack.chats[0]!.url, CHAT_KEY: key, CHAT_SECRET: secret }
  next = startDaemon(node, [program, 'start', '-p', port], { cwd: project, env: { ...env, ...chat } })
  await until('Next.js', () => next.output().includes('Ready'))
  room = await Room.open()
}, 600_000)
afterAll(async () => {
  await room?.close()
  await next?.stop()
  await stack?.stop()
  rmSync(folder, { recursive: true, force: true })
})

it('comes from the server as a skeleton', async () => {
  const page = await fetch(url)
  expect(await page.text()).toMatch(/<div class="chat chat-theme-light" lang="en">.*Loading conversations/)
})

it('connects in the browser, opens a channel and sends', { timeout: 120_000 }, async () => {
  const ada = await room.visitor(url)
  await ada.page.goto('/')
  await ada.page.getByRole('button', { name: /Tea time/ }).click()
  const composer = ada.page.getByRole('textbox')
  await composer.fill('Is there any left?')
  await composer.press('Enter')
  await ada.message('Is there any left?').waitFor()
  ada.isWell()
})
