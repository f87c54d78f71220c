import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { freePort } from '../../scripts/services/service.ts'
import { Room } from './kit/browser.ts'
import { Program } from './kit/stack.ts'

it('[APP-15] without the key chat is off, the log names the setting to fill in, and everything else works', {
  timeout: 120_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-without-chat-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const web = new Program('apps/web/src/main.ts', url, {
    WEB_PORT: port,
    WEB_DATABASE_URL: `sqlite:${join(folder, 'web.sqlite')}`,
    SESSION_SECRET: 'nobody guesses this in a hundred years',
    PUBLIC_URL: url,
    CHAT_API_KEY: '',
    CHAT_API_SECRET: 'a secret without its key',
  })
  onTestFinished(() => web.stop())
  await web.start()
  expect(web.output()).toContain('Chat is off. Fill in CHAT_API_KEY to turn it on.')
  await expect.poll(() => web.output(), { timeout: 60_000 }).toContain('Demo sign-ins')

  const room = await Room.open()
  onTestFinished(() => room.close())
  const ada = await room.member(url, 'ada@northwind.example')
  const sockets: string[] = []
  ada.page.on('websocket', (socket) => sockets.push(socket.url()))
  for (const path of ['/', '/organizations', '/organizations/kiku/members', '/settings']) {
    await ada.page.goto(path)
    await ada.page.getByRole('heading', { level: 1 }).waitFor()
    await ada.canPress()
    expect(await ada.page.getByRole('button', { name: /chat|^Message/i }).count(), path).toBe(0)
    expect(await ada.page.getByRole('navigation').getByRole('link', { name: /^Chat/ }).count(), path).toBe(0)
  }
  await ada.page.goto('/chat')
  await ada.page.getByRole('heading', { name: 'Chat is not available right now' }).waitFor()
  await ada.isAccessible('chat that is not set up')
  await ada.page.getByRole('link', { name: 'Back to start' }).click()
  await ada.page.getByRole('heading', { name: 'Good to see you, Ada' }).waitFor()
  expect(sockets).toEqual([])
  ada.isWell()
})
