import { isIPv6 } from 'node:net'
import { CONNECTIONS_IN_DEVELOPMENT, CONNECTIONS_PER_USER } from '@parley/protocol/limits'
import {
  anyText,
  databaseUrl,
  type Environment,
  hostList,
  httpUrl,
  listenHost,
  listOf,
  oneOf,
  onOrOff,
  publicUrl,
  SettingError,
  type SettingsOf,
  type SettingTable,
  secretOf,
  settingsIn,
  wholeNumber,
} from '../../../process/settings.ts'
import { isThisMachine } from '../../../process/this-machine.ts'
import { POOL_SIZE } from './database/database.ts'
import { QUERY_TIMEOUT_MS } from './database/query-timeout.ts'
import { CALLS_IN_FLIGHT } from './http/load-shedding.ts'
import type { RateLimitSettings } from './http/rate-limits.ts'
import { blockListOf } from './http/trusted-proxies.ts'
import { type BusSettings, busSettingsIn } from './realtime/bus-settings.ts'

/**
 * The settings of the server, read from the environment and checked once, at start.
 * @see docs/settings.md
 */
export interface Settings {
  port: number
  host: string
  /** `sqlite:<path>`, `sqlite::memory:` or `postgres://…` */
  databaseUrl: string
  /** Undefined for a single node. */
  bus: BusSettings | undefined
  /** Connections to PostgreSQL at most. */
  databasePoolSize: number
  /** How long a start waits for another server that uses the database and may be about to end. */
  startWaitMs: number
  /** The app that is created at start if it is missing. */
  app: { key: string; secret: string } | undefined
  dataDir: string
  logLevel: 'silent' | 'error' | 'warn' | 'info' | 'debug'
  /** The server's public URL; undefined for the address it listens on. */
  publicUrl: string | undefined
  /** Where `/giphy` looks; undefined for nowhere [CMD-11]. */
  gifs: 'built-in' | { url: string; key: string } | undefined
  rateLimits: RateLimitSettings
  /** Sockets one user may have open, on all nodes together [messaging.md 2.5]. */
  connectionsPerUser: number
  /** `host` or `host:port`: what hooks, commands and pushes may reach though it is not public; never what users write. */
  allowedPrivateHosts: string[]
  /** `file:<folder>`, `s3://key:secret@host/bucket` or `s3+http://…` */
  filesUrl: string
  /** After so many days without anything that names them files are erased; 0 for never. */
  fileRetentionDays: number
  /** Whether pages that people link to are looked at. */
  linkPreviews: boolean
  /** Through which people see pictures of other hosts; undefined where they fetch them there. `cacheBytes` on disk. */
  imageProxy: { folder: string; cacheBytes: number } | undefined
  /** A server that speaks the API of LibreTranslate; undefined for none [MSG-37]. */
  translation: { url: string; key: string | undefined } | undefined
  push: PushAddresses
  /** A program's path, or `off`; undefined to look for it. */
  ffmpeg: string | undefined
  /** Addresses and networks whose `X-Forwarded-For` is believed. */
  trustedProxies: string[]
  /** Beginnings of `X-Stream-Client` of programs that read times of v2 as integers of nanoseconds [HTTP-36]. */
  nanosecondClients: string[]
  /** Guests one network may make in a minute; undefined for any number, 0 for none [SET-6]. */
  guestsPerMinute: number | undefined
  /** Whether guests may upload files [SET-6]. */
  guestUploads: boolean
  /** Frames one socket may send in a minute; undefined for any number [SET-6]. */
  framesPerMinute: number
  /** Calls that are answered at the same time [LIM-8]. */
  callsInFlight: number
  /** How long a query that its caller wrote may run, in milliseconds [LIM-7]. */
  queryTimeoutMs: number
  /** The region the server is in; apps that are placed in another one are refused. */
  region: string | undefined
  /** How long, once it is asked to end, the server has nothing more sent to it, and as long again lets clients go. */
  drainSeconds: number
}

/** The addresses of the push services. */
export interface PushAddresses {
  firebase: string
  /** Undefined for the two of Apple, one of which is for apps that are not finished. */
  apn: string | undefined
  huawei: string
  /** Where Huawei gives out the tokens it wants to see. */
  huaweiTokens: string
  xiaomi: string
}

/** What a server takes at most to end, as a rule. */
const START_WAIT_SECONDS = 30
const LONGEST_START_WAIT_SECONDS = 3_600
/** Of the clients for Python no other way is known. */
const NANOSECOND_CLIENTS = ['getstream-python', 'stream-python']
/** Two write, one reads, and one answers queries. */
const SMALLEST_POOL = 4
const LARGEST_POOL = 1_000

/**
 * All settings of the chat server, by their names.
 * @see docs/settings.md
 */
const table = {
  PORT: wholeNumber(0, 65_535),
  HOST: listenHost,
  DATABASE_URL: databaseUrl,
  BUS_URL: anyText,
  BUS_CREDENTIALS: anyText,
  BUS_CA: anyText,
  BUS_CERT: anyText,
  BUS_KEY: anyText,
  DATABASE_POOL_SIZE: wholeNumber(SMALLEST_POOL, LARGEST_POOL),
  START_WAIT_SECONDS: wholeNumber(0, LONGEST_START_WAIT_SECONDS),
  API_KEY: anyText,
  API_SECRET: secretOf(16),
  DATA_DIR: anyText,
  FILES_URL: filesUrl,
  FILES_SHARED: onOrOff,
  FILE_RETENTION_DAYS: wholeNumber(0, 36_500),
  TRANSLATION_URL: httpUrl,
  TRANSLATION_KEY: anyText,
  FIREBASE_URL: httpUrl,
  APN_URL: httpUrl,
  HUAWEI_URL: httpUrl,
  HUAWEI_TOKEN_URL: httpUrl,
  XIAOMI_URL: httpUrl,
  FFMPEG: anyText,
  LINK_PREVIEWS: onOrOff,
  IMAGE_PROXY: onOrOff,
  IMAGE_PROXY_CACHE_MB: wholeNumber(1, 1_000_000),
  REGION: anyText,
  DRAIN_SECONDS: wholeNumber(0, 3_600),
  LOG_LEVEL: oneOf('silent', 'error', 'warn', 'info', 'debug'),
  PUBLIC_URL: publicUrl,
  GIF_SERVICE: oneOf('off', 'built-in', 'giphy'),
  GIPHY_KEY: anyText,
  GIPHY_URL: httpUrl,
  RATE_LIMITS: listOf((text) => ['app', 'burst', 'user', 'off'].includes(text), 'app, burst and user, or off'),
  RATE_LIMIT_PER_MINUTE: wholeNumber(0, 1_000_000),
  RATE_LIMIT_PER_USER: wholeNumber(1, 1_000_000),
  GUESTS_PER_MINUTE: wholeNumber(0, 1_000_000),
  GUEST_UPLOADS: onOrOff,
  FRAMES_PER_MINUTE: wholeNumber(10, 1_000_000),
  CALLS_IN_FLIGHT: wholeNumber(1, 1_000_000),
  QUERY_TIMEOUT_MS: wholeNumber(100, 60_000),
  CONNECTIONS_PER_USER: wholeNumber(1, 10_000),
  TRUSTED_PROXIES: listOf(isNetwork, 'addresses or networks (10.0.0.0/8)'),
  NANOSECOND_CLIENTS: listOf((text) => text !== '', 'the beginning of a name'),
  ALLOWED_PRIVATE_HOSTS: hostList,
} satisfies SettingTable

export const settingNames = Object.keys(table)

const FILE_RETENTION_DAYS = 30
/** What the image proxy keeps on disk. */
const IMAGE_CACHE_MB = 512

/** @throws SettingError with one line that names the wrong setting */
export function readSettings(env: Environment): Settings {
  const set = settingsIn(env, table)
  const databaseUrl = set.DATABASE_URL ?? 'sqlite:./data/chat.sqlite'
  const bus = busSettingsIn(set)
  if (bus && databaseUrl.startsWith('sqlite:'))
    throw new SettingError('BUS_URL needs a database that several nodes can share; set DATABASE_URL to postgres://…')

  if (Boolean(set.API_KEY) !== Boolean(set.API_SECRET)) throw new SettingError('API_KEY and API_SECRET go together')

  const isOpen = isReachableFromOutside(set)
  const dataDir = set.DATA_DIR ?? './data'
  const filesUrl = set.FILES_URL ?? `file:${dataDir}/files`
  if (bus && filesUrl.startsWith('file:') && !set.FILES_SHARED)
    throw new SettingError(
      'FILES_URL must be a storage that all nodes share, as there is a BUS_URL: s3://key:secret@host/bucket, or a shared folder with FILES_SHARED=on',
    )
  if (set.GIF_SERVICE === 'giphy' && !set.GIPHY_KEY)
    throw new SettingError('GIF_SERVICE=giphy needs GIPHY_KEY, a key for the API of GIPHY')

  return {
    port: set.PORT ?? 3100,
    host: set.HOST ?? '127.0.0.1',
    databaseUrl,
    bus,
    databasePoolSize: set.DATABASE_POOL_SIZE ?? POOL_SIZE,
    startWaitMs: (set.START_WAIT_SECONDS ?? START_WAIT_SECONDS) * 1_000,
    app: set.API_KEY && set.API_SECRET ? { key: set.API_KEY, secret: set.API_SECRET } : undefined,
    dataDir,
    logLevel: set.LOG_LEVEL ?? 'info',
    publicUrl: set.PUBLIC_URL,
    gifs: gifsIn(set),
    rateLimits: rateLimitsIn(set, isOpen),
    connectionsPerUser: set.CONNECTIONS_PER_USER ?? usualConnections(env),
    allowedPrivateHosts: set.ALLOWED_PRIVATE_HOSTS ?? [],
    filesUrl,
    fileRetentionDays: set.FILE_RETENTION_DAYS ?? FILE_RETENTION_DAYS,
    linkPreviews: set.LINK_PREVIEWS ?? true,
    imageProxy: set.IMAGE_PROXY
      ? { folder: `${dataDir}/images`, cacheBytes: (set.IMAGE_PROXY_CACHE_MB ?? IMAGE_CACHE_MB) * 1_048_576 }
      : undefined,
    translation: set.TRANSLATION_URL ? { url: set.TRANSLATION_URL, key: set.TRANSLATION_KEY } : undefined,
    push: {
      firebase: set.FIREBASE_URL ?? 'https://fcm.googleapis.com',
      apn: set.APN_URL,
      huawei: set.HUAWEI_URL ?? 'https://push-api.cloud.huawei.com',
      huaweiTokens: set.HUAWEI_TOKEN_URL ?? 'https://oauth-login.cloud.huawei.com/oauth2/v3/token',
      xiaomi: set.XIAOMI_URL ?? 'https://api.xmpush.xiaomi.com',
    },
    ffmpeg: set.FFMPEG,
    trustedProxies: set.TRUSTED_PROXIES ?? [],
    nanosecondClients: set.NANOSECOND_CLIENTS ?? NANOSECOND_CLIENTS,
    guestsPerMinute: set.GUESTS_PER_MINUTE ?? (isOpen ? GUESTS_PER_MINUTE : undefined),
    guestUploads: set.GUEST_UPLOADS ?? !isOpen,
    framesPerMinute: set.FRAMES_PER_MINUTE ?? FRAMES_PER_MINUTE,
    callsInFlight: set.CALLS_IN_FLIGHT ?? CALLS_IN_FLIGHT,
    queryTimeoutMs: set.QUERY_TIMEOUT_MS ?? QUERY_TIMEOUT_MS,
    region: set.REGION,
    drainSeconds: set.DRAIN_SECONDS ?? 0,
  }
}

/** Calls per user, endpoint and minute, where `RATE_LIMITS` sets that, and as the default. */
const PER_USER = 60
const OPEN_PER_USER = 300
const GUESTS_PER_MINUTE = 20
/** A client sends one every half a minute. */
const FRAMES_PER_MINUTE = 120

/** Whether the server is reachable from other machines. */
function isReachableFromOutside({ HOST = '127.0.0.1', PUBLIC_URL }: Values): boolean {
  return !isThisMachine(PUBLIC_URL ?? `http://${isIPv6(HOST) ? `[${HOST}]` : HOST}`)
}

function filesUrl(text: string, name: string): string {
  if (!/^(file:.+|s3(\+http)?:\/\/[^:@/]+:[^:@/]+@[^/]+\/[^?]+(\?.*)?)$/.test(text))
    throw new SettingError(`${name} must be file:<folder> or s3://key:secret@host/bucket`)
  if (!text.startsWith('file:') && !URL.canParse(text))
    throw new SettingError(`${name} must be an address; what is special in key and secret is written as %xx`)
  return text
}

function isNetwork(text: string): boolean {
  try {
    blockListOf([text])
    return true
  } catch {
    return false
  }
}

function usualConnections({ NODE_ENV }: Environment): number {
  return NODE_ENV === 'development' ? CONNECTIONS_IN_DEVELOPMENT : CONNECTIONS_PER_USER
}

type Values = SettingsOf<typeof table>

function rateLimitsIn(
  { RATE_LIMITS: named, RATE_LIMIT_PER_MINUTE, RATE_LIMIT_PER_USER }: Values,
  isOpen: boolean,
): RateLimitSettings {
  const RATE_LIMITS = named ?? (isOpen ? ['user'] : [])
  if (RATE_LIMITS.includes('off') && (RATE_LIMITS.length > 1 || RATE_LIMIT_PER_MINUTE))
    throw new SettingError('RATE_LIMITS is off, and another limit is set; leave one of the two out.')
  const perUser = RATE_LIMIT_PER_USER ?? (named === undefined ? OPEN_PER_USER : PER_USER)
  return {
    app: RATE_LIMITS.includes('app') || Boolean(RATE_LIMIT_PER_MINUTE),
    burst: RATE_LIMITS.includes('burst'),
    userPerMinute: RATE_LIMITS.includes('user') ? perUser : undefined,
    perMinute: RATE_LIMIT_PER_MINUTE || undefined,
  }
}

function gifsIn({ GIF_SERVICE, GIPHY_KEY = '', GIPHY_URL = 'https://api.giphy.com' }: Values): Settings['gifs'] {
  if (GIF_SERVICE === 'off') return undefined
  return GIF_SERVICE === 'giphy' ? { url: GIPHY_URL, key: GIPHY_KEY } : 'built-in'
}
