import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { localSettings } from './local-settings.ts'

async function aFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'parley-settings-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

it('needs no settings at all', async () => {
  const root = await aFolder()
  const { server, web, databaseToCreate } = localSettings({}, root)
  expect(server).toMatchObject({ PORT: '3100', HOST: '127.0.0.1', DATABASE_URL: `sqlite:${root}/data/chat.sqlite` })
  expect(web).toMatchObject({ WEB_PORT: '3000', WEB_DATABASE_URL: `sqlite:${root}/data/web.sqlite` })
  expect(web).toMatchObject({ CHAT_URL: 'http://127.0.0.1:3100', CHAT_API_KEY: server.API_KEY })
  expect(web.CHAT_API_SECRET).toBe(server.API_SECRET)
  expect(databaseToCreate).toBeUndefined()
})

it('creates the secrets once, readable for their owner alone', async () => {
  const root = await aFolder()
  const first = localSettings({}, root)
  expect(localSettings({}, root)).toEqual(first)
  expect(first.server.API_SECRET).toMatch(/^[0-9a-f]{64}$/)
  expect(first.web.SESSION_SECRET).not.toBe(first.server.API_SECRET)
  expect(localSettings({}, await aFolder()).server.API_SECRET).not.toBe(first.server.API_SECRET)
  expect((await stat(join(root, 'data/settings.json'))).mode & 0o777).toBe(0o600)
})

it('leaves every existing setting unchanged', async () => {
  const env = {
    PORT: '4100',
    API_KEY: 'key',
    API_SECRET: 'a secret long enough',
    WEB_DATABASE_URL: 'postgres://ada@db/product',
    DATABASE_URL: 'postgres://ada@db/chat',
    SESSION_SECRET: 'session',
  }
  const { server, web, databaseToCreate } = localSettings(env, await aFolder())
  expect(server).toMatchObject({ PORT: '4100', API_KEY: 'key', API_SECRET: 'a secret long enough' })
  expect(web).toMatchObject({ CHAT_URL: 'http://127.0.0.1:4100', CHAT_API_KEY: 'key', SESSION_SECRET: 'session' })
  expect(web.WEB_DATABASE_URL).toBe('postgres://ada@db/product')
  expect(databaseToCreate).toBeUndefined()
})

it('keeps the two databases apart', async () => {
  const url = 'postgres://ada@db/parley'
  const root = await aFolder()
  expect(() => localSettings({ DATABASE_URL: url, WEB_DATABASE_URL: url }, root)).toThrow(/^WEB_DATABASE_URL [^\n]+$/)
})

it('refuses secrets that were not written completely', async () => {
  const root = await aFolder()
  localSettings({}, root)
  for (const text of ['', '{"apiKey": "a"', '{"apiKey": "a"}']) {
    await writeFile(join(root, 'data/settings.json'), text)
    expect(() => localSettings({}, root)).toThrow(/^DATA_DIR [^\n]+settings\.json[^\n]+$/)
  }
})

it('reaches the web app at an IPv6 address, too', async () => {
  expect(localSettings({ HOST: '::1' }, await aFolder()).web.EVENTS_URL).toBe('http://[::1]:3000')
})

it('lets the chat server reach the web app, in addition to the allowed hosts', async () => {
  const env = { WEB_PORT: '4000', HOST: '0.0.0.0', ALLOWED_PRIVATE_HOSTS: 'intranet' }
  const { server, web } = localSettings(env, await aFolder())
  expect(web.EVENTS_URL).toBe('http://127.0.0.1:4000')
  expect(server.ALLOWED_PRIVATE_HOSTS).toBe('intranet,127.0.0.1:4000')
})

it('gives the web app a database beside the chat server’s', async () => {
  const env = { DATABASE_URL: 'postgres://ada:pass@db:5432/chat?sslmode=require' }
  const { web, databaseToCreate } = localSettings(env, await aFolder())
  expect(web.WEB_DATABASE_URL).toBe('postgres://ada:pass@db:5432/chat_web?sslmode=require')
  expect(databaseToCreate).toBe(web.WEB_DATABASE_URL)
})
