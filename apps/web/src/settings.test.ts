import { describe, expect, it } from 'vitest'
import { SettingError } from '../../process/settings.ts'
import { readSettings } from './settings.ts'

describe('the settings of the web app', () => {
  it('all have defaults', () => {
    expect(readSettings({})).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      publicUrl: 'http://localhost:3000',
      databaseUrl: 'sqlite:./data/web.sqlite',
      demo: 'on',
    })
  })

  it.each([
    ['::1', 'http://[::1]:3000'],
    ['0.0.0.0', 'http://0.0.0.0:3000'],
  ])('on %s the default address is %s', (HOST, publicUrl) => {
    expect(readSettings({ HOST }).publicUrl).toBe(publicUrl)
  })

  it.each([
    ['https://Chat.Example.COM/', 'https://chat.example.com'],
    ['https://chat.example.com:443', 'https://chat.example.com'],
    ['http://chat.office:80/', 'http://chat.office'],
    ['https://чат.example', 'https://xn--80a0bn.example'],
    ['https://[2001:DB8::0:1]:8443', 'https://[2001:db8::1]:8443'],
  ])('[APP-33] PUBLIC_URL %s is %s, as browsers write it in Origin', (PUBLIC_URL, publicUrl) => {
    expect(readSettings({ PUBLIC_URL }).publicUrl).toBe(publicUrl)
  })

  it.each([
    [{ PUBLIC_URL: 'https://chat.example.com' }, 'off'],
    [{ PUBLIC_URL: 'http://127.0.0.1:3000' }, 'on'],
    [{ HOST: '0.0.0.0' }, 'off'],
    [{ PUBLIC_URL: 'https://demo.example.com', DEMO: 'lock' }, 'lock'],
    [{ DEMO: 'off' }, 'off'],
  ])('with %j demo passwords work: %s', (env: Record<string, string>, demo) => {
    expect(readSettings(env).demo).toBe(demo)
  })

  it.each(['https://demo.example.com', 'http://10.0.0.7:3000', 'http://parley:3000'])(
    'the demo is refused at %s, even if it is set',
    (PUBLIC_URL) => {
      expect(() => readSettings({ PUBLIC_URL, DEMO: 'on' })).toThrow(/^DEMO=on [^\n]+ PUBLIC_URL [^\n]+$/)
    },
  )

  it('[APP-14] the key of the chat application comes from the configuration', () => {
    const settings = readSettings({ CHAT_API_KEY: 'key', CHAT_API_SECRET: 'secret', CHAT_URL: 'https://chat.example/' })
    expect(settings.chat).toEqual({ key: 'key', secret: 'secret', url: 'https://chat.example' })
    expect(settings.missingForChat).toEqual([])
  })

  it('[APP-15] without it chat is off and the missing settings are named', () => {
    expect(readSettings({ CHAT_API_KEY: ' ' })).toMatchObject({
      chat: undefined,
      missingForChat: ['CHAT_API_KEY', 'CHAT_API_SECRET'],
    })
    expect(readSettings({ CHAT_API_KEY: 'key' }).missingForChat).toEqual(['CHAT_API_SECRET'])
  })

  it.each([
    ['WEB_PORT', 'abc'],
    ['WEB_PORT', '70000'],
    ['PUBLIC_URL', 'parley.example'],
    ['PUBLIC_URL', 'https://intranet.example/parley'],
    ['WEB_DATABASE_URL', 'mysql://somewhere'],
    ['WEB_DATABASE_POOL_SIZE', '1'],
    ['WEB_DATABASE_POOL_SIZE', '10.5'],
    ['SESSION_SECRET', 'short'],
    ['DEMO', 'maybe'],
    ['DEMO', 'On'],
    ['TRUSTED_PROXIES', 'the-proxy'],
    ['CHAT_URL', 'localhost:3100'],
    ['EVENTS_URL', "'http://127.0.0.1:3000'"],
    ['PUSH_SERVICES', 'https://push.example'],
    ['HOST', '0.0.0.0:3000'],
    ['WEB_DATABSE_URL', 'postgres://ada@db/web'],
    ['SESSION_SECRETS', 'x'.repeat(40)],
  ])('a wrong %s is named in one line', (name, value) => {
    expect(() => readSettings({ [name]: value })).toThrow(SettingError)
    expect(() => readSettings({ [name]: value })).toThrow(new RegExp(`^${name} [^\n]+$`))
  })

  it('a wrong CHAT_URL is named when chat is on', () => {
    expect(() => readSettings({ CHAT_API_KEY: 'k', CHAT_API_SECRET: 's', CHAT_URL: 'ws://x' })).toThrow(/^CHAT_URL /)
  })

  it('a password in a wrong database address is not repeated', () => {
    expect(() => readSettings({ WEB_DATABASE_URL: 'mysql://ada:hunter2@db' })).toThrow(/^(?!.*hunter2)/)
  })
})
