import { type BlockList, isIPv6 } from 'node:net'
import { POOL_SIZE } from '../app/database.server.ts'
import { proxiesNamed } from './client-address.ts'

/** Everything the web app is told from outside. Read once, at start. */
export interface Settings {
  /** Port of the product's pages; 0 takes a free one. */
  port: number
  host: string
  /** The address people type. Cookies are marked secure when it starts with https. */
  publicUrl: string
  /** `sqlite:<file>`, `sqlite::memory:` or `postgres://…` */
  databaseUrl: string
  /** Connections to PostgreSQL at most. */
  databasePoolSize: number
  /** Signs cookies; at least 32 characters. Absent: made once and kept in `dataDir`. */
  sessionSecret?: string
  dataDir: string
  /** Whether an empty product fills itself with people and conversations to try it out with. */
  demo: boolean
  /** Absent while a setting of chat is missing: everything but chat works then [APP-15]. */
  chat?: ChatSettings
  /** Where the chat server reaches the web app; absent for `publicUrl`. */
  eventsUrl?: string
  /** `host` or `host:port`: who may bring notifications, besides those who do so for the browsers there are. */
  pushServices: string[]
  /** Whose `X-Forwarded-For` is believed. */
  proxies: BlockList
  /** The names of the settings that would turn chat on. */
  missingForChat: string[]
}

export interface ChatSettings {
  url: string
  key: string
  secret: string
}

/** A setting that cannot be used. The message is one line that names it. */
export class SettingError extends Error {
  override readonly name = 'SettingError'
}

const HIGHEST_PORT = 65_535
/** A transaction may ask something beside itself. */
const SMALLEST_POOL = 2
const LARGEST_POOL = 1_000
/** Of a secret that signs cookies, in characters. */
export const SHORTEST_SECRET = 32

/**
 * Reads the settings from the environment.
 *
 * @throws SettingError naming the first setting that cannot be used
 */
export function readSettings(env: Record<string, string | undefined>): Settings {
  const port = readPort(env)
  const host = text(env, 'HOST') ?? '127.0.0.1'
  const publicUrl = readPublicUrl(env, host, port)
  const missingForChat = ['CHAT_API_KEY', 'CHAT_API_SECRET'].filter((name) => text(env, name) === undefined)

  return {
    port,
    host,
    publicUrl,
    databaseUrl: readDatabaseUrl(env),
    databasePoolSize: readPoolSize(env),
    sessionSecret: readSessionSecret(env),
    dataDir: text(env, 'DATA_DIR') ?? './data',
    demo: readDemo(env, publicUrl),
    chat:
      missingForChat.length > 0
        ? undefined
        : {
            url: readUrl(env, 'CHAT_URL', 'http://127.0.0.1:3100'),
            key: text(env, 'CHAT_API_KEY')!,
            secret: text(env, 'CHAT_API_SECRET')!,
          },
    eventsUrl: text(env, 'EVENTS_URL') && readUrl(env, 'EVENTS_URL', ''),
    pushServices: listOf(env, 'PUSH_SERVICES'),
    proxies: readProxies(env),
    missingForChat,
  }
}

function readPort(env: Record<string, string | undefined>): number {
  const value = text(env, 'WEB_PORT') ?? '3000'
  const port = Number(value)
  if (!/^\d+$/.test(value) || port > HIGHEST_PORT)
    throw new SettingError(`WEB_PORT must be a port between 0 and ${HIGHEST_PORT}, not "${value}".`)
  return port
}

/** Pages, cookies and calls are found from the root of a host, so there is no product below a path. */
function readPublicUrl(env: Record<string, string | undefined>, host: string, port: number): string {
  const name = host === '127.0.0.1' ? 'localhost' : isIPv6(host) ? `[${host}]` : host
  const value = readUrl(env, 'PUBLIC_URL', `http://${name}:${port}`)
  if (URL.parse(value)!.href !== `${URL.parse(value)!.origin}/`)
    throw new SettingError(`PUBLIC_URL must be an address without a path, not "${value}".`)
  return value
}

function readUrl(env: Record<string, string | undefined>, name: string, otherwise: string): string {
  const value = text(env, name) ?? otherwise
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol))
    throw new SettingError(`${name} must be an http or https address, not "${value}".`)
  return value.replace(/\/+$/, '')
}

function readDatabaseUrl(env: Record<string, string | undefined>): string {
  const value = text(env, 'WEB_DATABASE_URL') ?? 'sqlite:./data/web.sqlite'
  // The value may hold a password, so the error does not repeat it.
  if (!/^(sqlite:.+|postgres(ql)?:\/\/.+)$/.test(value))
    throw new SettingError('WEB_DATABASE_URL must start with sqlite: or postgres://.')
  return value
}

function readPoolSize(env: Record<string, string | undefined>): number {
  const value = text(env, 'WEB_DATABASE_POOL_SIZE') ?? String(POOL_SIZE)
  const size = Number(value)
  if (!/^\d+$/.test(value) || size < SMALLEST_POOL || size > LARGEST_POOL)
    throw new SettingError(
      `WEB_DATABASE_POOL_SIZE must be a whole number from ${SMALLEST_POOL} to ${LARGEST_POOL}, not "${value}".`,
    )
  return size
}

function readSessionSecret(env: Record<string, string | undefined>): string | undefined {
  const value = text(env, 'SESSION_SECRET')
  if (value !== undefined && value.length < SHORTEST_SECRET)
    throw new SettingError(`SESSION_SECRET must have at least ${SHORTEST_SECRET} characters.`)
  return value
}

/** Everybody knows the passwords of the demo, so unless asked for it is nowhere but on somebody's own machine. */
function readDemo(env: Record<string, string | undefined>, publicUrl: string): boolean {
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(new URL(publicUrl).hostname)
  const value = text(env, 'DEMO') ?? (isHere ? 'on' : 'off')
  if (value !== 'on' && value !== 'off') throw new SettingError(`DEMO must be on or off, not "${value}".`)
  return value === 'on'
}

function readProxies(env: Record<string, string | undefined>): BlockList {
  try {
    return proxiesNamed(listOf(env, 'TRUSTED_PROXIES'))
  } catch {
    throw new SettingError('TRUSTED_PROXIES must be addresses or networks (10.0.0.0/8), several divided by commas.')
  }
}

function listOf(env: Record<string, string | undefined>, name: string): string[] {
  return (text(env, name) ?? '').split(/[\s,]+/).filter(Boolean)
}

function text(env: Record<string, string | undefined>, name: string): string | undefined {
  return env[name]?.trim() || undefined
}
