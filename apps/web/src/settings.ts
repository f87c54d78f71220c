import { type BlockList, isIPv6 } from 'node:net'
import {
  anyText,
  databaseUrl,
  type Environment,
  hostList,
  listenHost,
  listOf,
  oneOf,
  originUrl,
  publicUrl,
  SettingError,
  type SettingTable,
  secretOf,
  settingsIn,
  wholeNumber,
} from '../../process/settings.ts'
import { isThisMachine } from '../../process/this-machine.ts'
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
  /** How long a start waits for another program that has the file of SQLite and may be about to end. */
  startWaitMs: number
  /** Signs cookies; at least 32 characters. Absent: made once and kept in `dataDir`. */
  sessionSecret?: string
  dataDir: string
  /**
   * `on`: an empty product fills itself with people and conversations to try it out with. `lock`: nobody of them signs
   * in any more.
   */
  demo: 'on' | 'off' | 'lock'
  /** How long `/health` says that no more calls are wanted before the web app stops. */
  drainSeconds: number
  /** Absent while a setting of chat is missing: everything but chat works then [APP-15]. */
  chat?: ChatSettings
  /** Where the chat server reaches the web app; absent for `publicUrl`. */
  eventsUrl?: string
  /** `host` or `host:port`: who may bring notifications, besides those who do so for the browsers there are. */
  pushServices: string[]
  /** Whether browsers load pictures of other hosts from there, as the chat server has no proxy for them. */
  foreignPictures: boolean
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

/** What a program takes at most to end, as a rule. */
const START_WAIT_SECONDS = 30
const LONGEST_START_WAIT_SECONDS = 3_600
/** A transaction may ask something beside itself. */
const SMALLEST_POOL = 2
const LARGEST_POOL = 1_000
/** Of a secret that signs cookies, in characters. */
export const SHORTEST_SECRET = 32

/**
 * All settings of the web app, by their names.
 * @see docs/settings.md
 */
const table = {
  WEB_PORT: wholeNumber(0, 65_535),
  HOST: listenHost,
  CHAT_URL: publicUrl,
  CHAT_API_KEY: anyText,
  CHAT_API_SECRET: anyText,
  WEB_DATABASE_URL: databaseUrl,
  WEB_DATABASE_POOL_SIZE: wholeNumber(SMALLEST_POOL, LARGEST_POOL),
  START_WAIT_SECONDS: wholeNumber(0, LONGEST_START_WAIT_SECONDS),
  SESSION_SECRET: secretOf(SHORTEST_SECRET),
  DATA_DIR: anyText,
  DEMO: oneOf('on', 'off', 'lock'),
  DRAIN_SECONDS: wholeNumber(0, 3_600),
  // Pages, cookies and calls are found from the root of a host, so there is no product below a path.
  PUBLIC_URL: originUrl,
  EVENTS_URL: publicUrl,
  TRUSTED_PROXIES: listOf(isNetwork, 'addresses or networks (10.0.0.0/8)'),
  PUSH_SERVICES: hostList,
  IMAGE_PROXY: oneOf('on', 'off'),
} satisfies SettingTable

export const settingNames = Object.keys(table)

/**
 * Reads the settings from the environment.
 *
 * @throws SettingError naming the first setting that cannot be used
 */
export function readSettings(env: Environment): Settings {
  const set = settingsIn(env, table)
  const { WEB_PORT: port = 3000, HOST: host = '127.0.0.1' } = set
  const publicUrl = set.PUBLIC_URL ?? `http://${hostOf(host)}:${port}`
  const { CHAT_URL: url = 'http://127.0.0.1:3100', CHAT_API_KEY: key, CHAT_API_SECRET: secret } = set

  return {
    port,
    host,
    publicUrl,
    databaseUrl: set.WEB_DATABASE_URL ?? 'sqlite:./data/web.sqlite',
    databasePoolSize: set.WEB_DATABASE_POOL_SIZE ?? POOL_SIZE,
    startWaitMs: (set.START_WAIT_SECONDS ?? START_WAIT_SECONDS) * 1_000,
    sessionSecret: set.SESSION_SECRET,
    dataDir: set.DATA_DIR ?? './data',
    demo: demoOf(set.DEMO, publicUrl),
    drainSeconds: set.DRAIN_SECONDS ?? 0,
    chat: key === undefined || secret === undefined ? undefined : { url, key, secret },
    eventsUrl: set.EVENTS_URL,
    pushServices: set.PUSH_SERVICES ?? [],
    foreignPictures: set.IMAGE_PROXY === 'off',
    proxies: proxiesNamed(set.TRUSTED_PROXIES ?? []),
    missingForChat: (['CHAT_API_KEY', 'CHAT_API_SECRET'] as const).filter((name) => set[name] === undefined),
  }
}

function hostOf(host: string): string {
  if (host === '127.0.0.1') return 'localhost'
  return isIPv6(host) ? `[${host}]` : host
}

/** Everybody knows the passwords of the demo, so it is nowhere but on somebody's own machine. */
function demoOf(demo: Settings['demo'] | undefined, publicUrl: string): Settings['demo'] {
  const isHere = isThisMachine(publicUrl)
  if (demo === 'on' && !isHere)
    throw new SettingError(
      `DEMO=on is for this machine alone, which PUBLIC_URL ${publicUrl} is not: everybody knows the password of the demo. Set DEMO=off.`,
    )
  return demo ?? (isHere ? 'on' : 'off')
}

function isNetwork(text: string): boolean {
  try {
    proxiesNamed([text])
    return true
  } catch {
    return false
  }
}
