/**
 * The product over plain http under an internal host name, which is no secure context: browsers offer such pages no
 * `crypto.randomUUID`, clipboard, microphone, notifications or service worker.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { freePort } from '../../scripts/services/service.ts'
import { Room, type Visitor } from './kit/browser.ts'
import { founds, invites, joins, leaves } from './kit/founding.ts'
import { Program } from './kit/stack.ts'
import { TEST_DOMAIN } from './kit/test-hosts.ts'

const HOST = `office.${TEST_DOMAIN}`
const testHosts = join(import.meta.dirname, 'kit/test-hosts.ts')

const programs: Program[] = []
let folder: string
let room: Room
let url: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-plain-'))
  const [webPort, chatPort] = [await freePort(), await freePort()]
  const [key, secret] = ['office', randomBytes(24).toString('hex')]
  url = `http://${HOST}:${webPort}`
  const chatUrl = `http://${HOST}:${chatPort}`
  const shared = { DATA_DIR: folder, NODE_OPTIONS: `--import ${testHosts}` }
  programs.push(
    new Program('apps/server/src/main.ts', `http://127.0.0.1:${chatPort}`, {
      ...shared,
      PORT: `${chatPort}`,
      DATABASE_URL: `sqlite:${join(folder, 'chat.sqlite')}`,
      API_KEY: key,
      API_SECRET: secret,
      PUBLIC_URL: chatUrl,
      ALLOWED_PRIVATE_HOSTS: new URL(url).host,
    }),
    new Program('apps/web/src/main.ts', `http://127.0.0.1:${webPort}`, {
      ...shared,
      WEB_PORT: `${webPort}`,
      CHAT_URL: chatUrl,
      CHAT_API_KEY: key,
      CHAT_API_SECRET: secret,
      WEB_DATABASE_URL: `sqlite:${join(folder, 'web.sqlite')}`,
      SESSION_SECRET: `sessions-${secret}`,
      PUBLIC_URL: url,
    }),
  )
  for (const program of programs) await program.start()
  room = await Room.open({ windows: true, args: [`--host-resolver-rules=MAP *.${TEST_DOMAIN} 127.0.0.1`] })
})
afterEach(async ({ task }) => {
  await room?.clear(task)
  await room?.close()
  for (const program of programs.splice(0)) await program.stop()
  await rm(folder, { recursive: true, force: true })
})

/** The clipboard's content, read by pasting it into a text box. */
async function pasted({ composer }: Visitor): Promise<string> {
  await composer.fill('')
  await composer.press('ControlOrMeta+v')
  await expect.poll(() => composer.inputValue()).not.toBe('')
  const text = await composer.inputValue()
  await composer.press('ControlOrMeta+a')
  await composer.press('Delete')
  return text.trim()
}

it('[APP-41] an organization chats over plain http, and features that need https explain that', {
  timeout: 240_000,
}, async () => {
  const ada = await room.visitor(url)
  const bo = await room.visitor(url)
  const { page } = ada
  await founds(ada)
  expect(await page.evaluate(() => isSecureContext)).toBe(false)
  // Bo joins from another organization, by a copied link.
  const link = await invites(ada, { copying: true })
  expect(link).toMatch(new RegExp(`^${url}/invitations/`))
  await joins(bo, link)
  await leaves(ada)

  await page.goto('/')
  await page.getByRole('button', { name: 'New chat' }).first().click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Bo Nakamura/ })
    .click()
  await ada.composer.waitFor()
  expect(await pasted(ada)).toBe(link)
  await ada.says('Welcome to the office')
  await bo.page.goto('/chat')
  await bo.page
    .getByRole('link', { name: /Ada Lindqvist/ })
    .first()
    .click()
  await bo.sees('Welcome to the office')
  await bo.says('No TLS here, and all the same')
  await ada.sees('No TLS here, and all the same')

  // A file is uploaded and downloaded, and a message is copied.
  const chooser = bo.page.waitForEvent('filechooser')
  await bo.page.getByRole('button', { name: 'Attach files' }).click()
  await (await chooser).setFiles({ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('First the lake.') })
  await bo.page.getByText('plan.txt').first().waitFor()
  await bo.says('The plan')
  const plan = ada.message('The plan').getByRole('link', { name: /plan\.txt/ })
  const [saved] = await Promise.all([page.waitForEvent('download'), plan.click()])
  expect(saved.suggestedFilename()).toBe('plan.txt')
  await ada.message('No TLS here, and all the same').hover()
  await ada.message('No TLS here, and all the same').getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Copy text' }).click()
  expect(await pasted(ada)).toBe('No TLS here, and all the same')

  // A draft survives a reload.
  await bo.composer.fill('Half a thought')
  await bo.page.reload()
  await expect.poll(() => bo.composer.inputValue()).toBe('Half a thought')

  // No microphone, and a sentence that explains why.
  await page
    .getByRole('button', { name: /[Rr]ecord/ })
    .first()
    .click()
  await page.getByText('Voice messages need a secure connection (https).').first().waitFor()

  await page.goto('/settings')
  await expect
    .poll(() => page.getByText('Notifications need a secure connection (https).', { exact: false }).count())
    .toBe(2)
  for (const name of ['While Parley is in the background', 'While Parley is closed'])
    expect(await page.getByRole('switch', { name }).isEnabled()).toBe(false)

  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL(/\/sign-in$/)
  for (const visitor of [ada, bo]) visitor.isWell()
})
