import { describe, expect, it } from 'vitest'
import {
  anyText,
  databaseUrl,
  hostList,
  httpUrl,
  listenHost,
  oneOf,
  onOrOff,
  originUrl,
  publicUrl,
  SettingError,
  type SettingTable,
  secretOf,
  settingsIn,
  wholeNumber,
} from './settings.ts'

/** A setting of each kind, and a valid value. */
const kinds = {
  PORT: [wholeNumber(0, 65_535), '3100'],
  HOST: [listenHost, '0.0.0.0'],
  DATABASE_URL: [databaseUrl, 'postgres://ada:hunter2@db/chat'],
  PUBLIC_URL: [publicUrl, 'https://api.example.com/chat'],
  ORIGIN: [originUrl, 'https://chat.example.com'],
  SERVICE_URL: [httpUrl, 'http://translate:5000'],
  API_SECRET: [secretOf(16), 'sixteen-characters-of-hunter2'],
  API_KEY: [anyText, 'tea'],
  LINK_PREVIEWS: [onOrOff, 'on'],
  LOG_LEVEL: [oneOf('info', 'warn'), 'info'],
  HOSTS: [hostList, 'one,two:8080'],
} as const satisfies Record<string, [SettingTable[string], string]>

type Kind = keyof typeof kinds
const names = Object.keys(kinds) as Kind[]
const table = Object.fromEntries(names.map((name) => [name, kinds[name][0]]))

/** The one-line error of a refused setting; undefined when it is accepted. */
function refusal(env: Record<string, string>): string | undefined {
  try {
    settingsIn(env, table)
    return undefined
  } catch (error) {
    expect(error).toBeInstanceOf(SettingError)
    const { message } = error as Error
    expect(message).not.toContain('\n')
    expect(message).not.toContain('hunter2')
    return message
  }
}

/** What a settings file, a console or copying does to a value. */
const slips: Record<string, (value: string) => string> = {
  'a space after it': (value) => `${value} `,
  'a space before it': (value) => ` ${value}`,
  'a line break of Windows after it': (value) => `${value}\r`,
  'a line break in it': (value) => `${value.slice(0, 3)}\n${value.slice(3)}`,
  'a space after it that does not break': (value) => `${value}\u00a0`,
  'quotation marks': (value) => `"${value}"`,
  apostrophes: (value) => `'${value}'`,
  'quotation marks of a text program': (value) => `“${value}”`,
  'one quotation mark': (value) => `${value}"`,
}

describe.each(names)('%s', (name) => {
  const good = kinds[name][1]

  it('is accepted unchanged, and empty means unset', () => {
    expect(refusal({ [name]: good })).toBeUndefined()
    expect(settingsIn({ [name]: '' }, table)).toEqual(settingsIn({}, table))
    expect(settingsIn({ [name]: ' ' }, table)).toEqual(settingsIn({}, table))
  })

  it.each(Object.keys(slips))('is named when there is %s', (slip) => {
    expect(refusal({ [name]: slips[slip]!(good) })).toMatch(new RegExp(`^${name} `))
  })
})

it.each<[Kind, ...string[]]>([
  ['PORT', 'http', '-1', '80.5', '65536', '1e3', '0x50', '3100/tcp'],
  ['HOST', 'http://0.0.0.0', '0.0.0.0:3100', '*', '[::1]', 'a b'],
  ['DATABASE_URL', 'chat.sqlite', 'sqlite:', 'mysql://ada:hunter2@db', 'Postgres://db', 'postgres://', 'postgres:db'],
  ['DATABASE_URL', 'postgres://ada:hunter2#@db/chat', 'postgres://ada:hunter2@db:port/chat'],
  ['PUBLIC_URL', 'api.example.com', 'localhost:3100', 'ws://api', 'http:/api', 'https://', 'HTTP//api', '//api'],
  ['PUBLIC_URL', 'https://ada:hunter2@api.example.com', 'https://api.example.com?x=1', 'https://api.example.com#x'],
  ['ORIGIN', 'https://example.com/parley', 'chat.example.com', 'localhost:3000', 'https://example.com?'],
  ['SERVICE_URL', 'translate:5000', 'ftp://translate', 'ftp://ada:hunter2@translate', 'on'],
  ['API_SECRET', 'hunter2'],
  ['LINK_PREVIEWS', 'On', 'OFF', 'true', 'yes', '1'],
  ['LOG_LEVEL', 'INFO', 'trace'],
  ['HOSTS', 'http://one', 'one/two', 'one:port', 'one|two'],
])('names %s when its value is wrong', (name, ...values) => {
  for (const value of values) expect(refusal({ [name]: value }), value).toMatch(new RegExp(`^${name} `))
})

it.each<[Kind, ...string[]]>([
  ['HOST', '127.0.0.1', '::1', '::', 'localhost', 'node-1.internal'],
  [
    'DATABASE_URL',
    'sqlite::memory:',
    'sqlite:./data/chat.sqlite',
    'postgresql://db/chat',
    'postgres:///chat?host=/run',
  ],
  ['DATABASE_URL', 'postgres://ada@/chat?host=/run', 'postgres://ada:p%40ss@db:5432/chat?sslmode=require'],
  ['PUBLIC_URL', 'http://localhost:3100', 'https://api.example.com/', 'http://[::1]:3100'],
  ['ORIGIN', 'https://chat.example.com/', 'http://localhost:3000'],
])('%s accepts every valid form', (name, ...values) => {
  for (const value of values) expect(refusal({ [name]: value }), value).toBeUndefined()
})
