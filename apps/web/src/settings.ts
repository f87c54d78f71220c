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

/** The web app's configuration. Read once, at start. */
export interface Settings {
  /** Port of the product's pages; 0 takes a free one. */
  port: number
  host: string
  /** The product's public address. Cookies are marked secure when it starts with https. */
  publicUrl: string
  /** `sqlite:<file>`, `sqlite::memory:` or `postgres://…` */
  databaseUrl: string
  /** The most connections to PostgreSQL. */
  databasePoolSize: number
  /** How long a start waits for another program that locks the SQLite file and may be about to stop. */
  startWaitMs: number
  /** Signs cookies; at least 32 characters. Absent: generated once and stored in `dataDir`. */
  sessionSecret?: string
  dataDir: string
  /**
   * `on`: an empty product fills itself with people and conversations to try out. `lock`: none of them can sign in any
   * more.
   */
  demo: 'on' | 'off' | 'lock'
  /** How long `/health` is unhealthy before the web app stops. */
  drainSeconds: number
  /** Absent while a chat setting is missing: then everything but chat works [APP-15]. */
  chat?: ChatSettings
  /** The web app's address for the chat server's webhooks; absent for `publicUrl`. */
  eventsUrl?: string
  /** `host` or `host:port` of permitted push services, besides those of known browsers. */
  pushServices: string[]
  /** Whether browsers load pictures of other hosts directly, because the chat server does not proxy them. */
  foreignPictures: boolean
  /** The proxies whose `X-Forwarded-For` is trusted. */
  proxies: BlockList
  /** The names of the missing settings that would turn chat on. */
  missingForChat: string[]
}

export interface ChatSettings {
  url: string
  key: string
  secret: string
}

/** The usual longest time of a program to stop. */
const START_WAIT_SECONDS = 30
const LONGEST_START_WAIT_SECONDS = 3_600
/** A transaction may need a second connection. */
const SMALLEST_POOL = 2
const LARGEST_POOL = 1_000
/** Of the secret that signs cookies, in characters. */
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
  // Pages, cookies and calls are absolute paths of a host, so the product cannot run below a path.
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
 * @throws SettingError naming the first unusable setting
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

/** The demo passwords are public, so the demo only runs on the user's own machine. */
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
