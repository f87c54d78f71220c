/** The SDK's examples, run as a reader would run them. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ChatClient } from '@parley/client/server'
import { afterEach, beforeEach, it } from 'vitest'
import { type Daemon, freePort, startDaemon } from '../../scripts/services/service.ts'
import { Room } from './kit/browser.ts'
import { until } from './kit/chatter.ts'
import { type Stack, startStack } from './kit/stack.ts'

const examples = join(import.meta.dirname, '../../examples')

let stack: Stack
let company: ChatClient
let env: Record<string, string>
// Each has the chat server to itself, also when retried.
beforeEach(async () => {
  stack = await startStack('sqlite', { web: false })
  const [chat] = stack.chats
  company = stack.company
  env = { CHAT_URL: chat!.url, CHAT_KEY: stack.key, CHAT_SECRET: stack.secret }
})
afterEach(() => stack?.stop())

/** The texts of a channel's messages, oldest first. */
async function said(type: string, id: string): Promise<string[]> {
  const { messages } = await company.channel(type, id).query({ messages: { limit: 30 }, user_id: 'ada' })
  return messages.map(({ user, text }) => `${user.id}: ${text}`)
}

it('the echo bot answers its users', async () => {
  const bot = startDaemon(process.execPath, [join(examples, 'echo-bot/bot.ts')], { env: { ...process.env, ...env } })
  try {
    await until('the bot', () => bot.output().includes('ready'))
    await company.upsertUsers([{ id: 'ada' }])
    const room = company.channel('messaging', 'with-echo', { created_by_id: 'ada', members: ['ada', 'echo'] })
    await room.create()
    await room.sendMessage({ text: 'Hello', user_id: 'ada' })
    await until('an answer', async () => (await said('messaging', 'with-echo')).includes('echo: Hello?'))
    await room.sendMessage({ text: 'Again', user_id: 'ada' })
    await until('another', async () => (await said('messaging', 'with-echo')).includes('echo: Again?'))
    assert.deepEqual(await said('messaging', 'with-echo'), ['ada: Hello', 'echo: Hello?', 'ada: Again', 'echo: Again?'])
  } finally {
    await bot.stop()
  }
})

it.skipIf(!hasTmux())('two users chat in two terminals', async () => {
  const names = { ada: `ada-${randomUUID()}`, bo: `bo-${randomUUID()}` }
  const tmux = (...args: string[]) => execFileSync('tmux', args, { encoding: 'utf8' })
  const screen = (who: 'ada' | 'bo') => tmux('capture-pane', '-p', '-t', names[who])
  const types = (who: 'ada' | 'bo', ...keys: string[]) => tmux('send-keys', '-t', names[who], ...keys)
  const sits = (who: 'ada' | 'bo', other: string) => {
    const settings = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`])
    const command = `${process.execPath} ${join(examples, 'terminal-chat/chat.ts')} ${who} ${other}`
    tmux('new-session', '-d', '-s', names[who], '-x', '80', '-y', '20', ...settings, command)
  }
  sits('ada', 'bo')
  sits('bo', 'ada')
  try {
    await until('both prompts', () => screen('ada').includes('ada>') && screen('bo').includes('bo>'))
    types('ada', 'Are you there')
    await until('the typing line', () => screen('bo').includes('… ada is typing'))
    types('ada', 'Enter')
    await until('the message', () => screen('bo').includes('ada: Are you there'))
    types('bo', 'Always', 'Enter')
    await until('the answer', () => /ada: Are you there[\s\S]*bo: Always[\s\S]*ada>/.test(screen('ada')))
  } finally {
    for (const name of Object.values(names)) tmux('kill-session', '-t', name)
  }
})

it('two users chat in React, on a page of less than a hundred lines', async () => {
  assert.ok(readFileSync(join(examples, 'react-chat/chat.tsx'), 'utf8').split('\n').length < 100)
  const port = String(await freePort())
  const page: Daemon = startDaemon(process.execPath, [join(examples, 'react-chat/serve.ts')], {
    env: { ...process.env, ...env, PORT: port },
  })
  const room = await Room.open()
  try {
    await until('the page', () => page.output().includes(port))
    const open = async (me: string) => {
      const { page: window } = await room.visitor(`http://localhost:${port}`)
      await window.goto(`/?me=${me}`)
      await window.getByRole('button', { name: 'Tea' }).click()
      return window
    }
    const [ada, bo] = [await open('ada'), await open('bo')]
    await ada.getByLabel('Message').pressSequentially('Hello Bo')
    await bo.getByText('Ada is typing').waitFor()
    await ada.getByRole('button', { name: 'Send' }).click()
    await bo.getByText('Hello Bo').waitFor()
    await bo.getByLabel('Message').fill('Hello Ada')
    await bo.getByLabel('Message').press('Enter')
    await ada.getByText('Hello Ada').waitFor()
    assert.deepEqual(await ada.getByRole('listitem').allInnerTexts(), ['Ada Hello Bo', 'Bo Hello Ada'])
  } finally {
    await room.close()
    await page.stop()
  }
}, 60_000)

function hasTmux(): boolean {
  try {
    execFileSync('tmux', ['-V'])
    return true
  } catch {
    return false
  }
}
