import { CONNECTIONS_IN_DEVELOPMENT, CONNECTIONS_PER_USER } from '@parley/protocol/limits'
import type { RateLimitSettings } from './http/rate-limits.ts'
import { blockListOf } from './http/trusted-proxies.ts'

/**
 * The settings of the server, read from the environment and checked once, at start.
 * @see docs/settings.md
 */
export interface Settings {
  port: number
  host: string
  /** `sqlite:<path>`, `sqlite::memory:` or `postgres://…` */
  databaseUrl: string
  /** `nats://…`, several divided by commas; undefined for a single node. */
  busUrl: string | undefined
  /** The app that is created at start if it is missing. */
  app: { key: string; secret: string } | undefined
  dataDir: string
  logLevel: LogLevel
  /** Where clients reach the server from outside; undefined for the address it listens on. */
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
  /** Whether pages that people link to are looked at. */
  linkPreviews: boolean
  /** A server that speaks the API of LibreTranslate; undefined for none [MSG-37]. */
  translation: { url: string; key: string | undefined } | undefined
  push: PushAddresses
  /** A program's path, or `off`; undefined to look for it. */
  ffmpeg: string | undefined
  /** Addresses and networks whose `X-Forwarded-For` is believed. */
  trustedProxies: string[]
  /** The region the server is in; apps that are placed in another one are refused. */
  region: string | undefined
}

/** Where the services are that bring messages to phones. */
export interface PushAddresses {
  firebase: string
  /** Undefined for the two of Apple, one of which is for apps that are not finished. */
  apn: string | undefined
  huawei: string
  /** Where Huawei gives out the tokens it wants to see. */
  huaweiTokens: string
  xiaomi: string
}

const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const
type LogLevel = (typeof logLevels)[number]

/** @throws Error with one line that names the wrong setting */
export function readSettings(env: Record<string, string | undefined>): Settings {
  const port = wholeNumber(env, 'PORT', 3100, 0, 65_535)
  const host = env.HOST || '127.0.0.1'
  const databaseUrl = env.DATABASE_URL || 'sqlite:./data/chat.sqlite'
  if (!/^(sqlite:.+|postgres(ql)?:\/\/.+)$/.test(databaseUrl))
    throw new Error('DATABASE_URL must begin with sqlite: or postgres://')

  const busUrl = env.BUS_URL || undefined
  if (busUrl && !busUrl.split(',').every((url) => /^nats:\/\/[^/]+$/.test(url)))
    throw new Error('BUS_URL must be nats://host:port, several divided by commas')
  if (busUrl && databaseUrl.startsWith('sqlite:'))
    throw new Error('BUS_URL needs a database that several nodes can share; set DATABASE_URL to postgres://…')

  if (Boolean(env.API_KEY) !== Boolean(env.API_SECRET)) throw new Error('API_KEY and API_SECRET go together')
  if (env.API_SECRET && env.API_SECRET.length < 16) throw new Error('API_SECRET must have at least 16 characters')

  const logLevel = (env.LOG_LEVEL || 'info') as LogLevel
  if (!logLevels.includes(logLevel)) throw new Error(`LOG_LEVEL must be one of ${logLevels.join(', ')}`)

  const publicUrl = env.PUBLIC_URL || undefined
  if (publicUrl !== undefined && !URL.canParse(publicUrl)) throw new Error('PUBLIC_URL must be a URL')

  const allowedPrivateHosts = listIn(env.ALLOWED_PRIVATE_HOSTS)
  if (!allowedPrivateHosts.every(isHost))
    throw new Error('ALLOWED_PRIVATE_HOSTS must be host or host:port, several divided by commas')

  const trustedProxies = listIn(env.TRUSTED_PROXIES)
  try {
    blockListOf(trustedProxies)
  } catch (cause) {
    throw new Error('TRUSTED_PROXIES must be addresses or networks (10.0.0.0/8), several divided by commas', { cause })
  }

  const dataDir = env.DATA_DIR || './data'
  const filesUrl = env.FILES_URL || `file:${dataDir}/files`
  if (!/^(file:.+|s3(\+http)?:\/\/[^:@/]+:[^:@/]+@[^/]+\/[^?]+(\?.*)?)$/.test(filesUrl))
    throw new Error('FILES_URL must be file:<folder> or s3://key:secret@host/bucket')

  if (env.LINK_PREVIEWS && env.LINK_PREVIEWS !== 'on' && env.LINK_PREVIEWS !== 'off')
    throw new Error('LINK_PREVIEWS must be on or off')

  const translationUrl = env.TRANSLATION_URL || undefined
  if (translationUrl !== undefined && !/^https?:/.test(URL.parse(translationUrl)?.protocol ?? ''))
    throw new Error('TRANSLATION_URL must be a URL')

  return {
    port,
    host,
    databaseUrl,
    busUrl,
    app: env.API_KEY && env.API_SECRET ? { key: env.API_KEY, secret: env.API_SECRET } : undefined,
    dataDir,
    logLevel,
    publicUrl: publicUrl?.replace(/\/+$/, ''),
    gifs: gifsIn(env),
    rateLimits: rateLimitsIn(env),
    connectionsPerUser: wholeNumber(env, 'CONNECTIONS_PER_USER', usualConnections(env), 1, 10_000),
    allowedPrivateHosts,
    filesUrl,
    linkPreviews: env.LINK_PREVIEWS !== 'off',
    translation:
      translationUrl === undefined
        ? undefined
        : { url: translationUrl.replace(/\/+$/, ''), key: env.TRANSLATION_KEY || undefined },
    push: {
      firebase: addressIn(env, 'FIREBASE_URL', 'https://fcm.googleapis.com'),
      apn: env.APN_URL ? addressIn(env, 'APN_URL', '') : undefined,
      huawei: addressIn(env, 'HUAWEI_URL', 'https://push-api.cloud.huawei.com'),
      huaweiTokens: addressIn(env, 'HUAWEI_TOKEN_URL', 'https://oauth-login.cloud.huawei.com/oauth2/v3/token'),
      xiaomi: addressIn(env, 'XIAOMI_URL', 'https://api.xmpush.xiaomi.com'),
    },
    ffmpeg: env.FFMPEG || undefined,
    trustedProxies,
    region: env.REGION || undefined,
  }
}

function addressIn(env: Record<string, string | undefined>, name: string, otherwise: string): string {
  const url = env[name] || otherwise
  if (!/^https?:/.test(URL.parse(url)?.protocol ?? '')) throw new Error(`${name} must be a URL`)
  return url.replace(/\/+$/, '')
}

function listIn(text = ''): string[] {
  return text.split(/[\s,]+/).filter(Boolean)
}

function isHost(text: string): boolean {
  return URL.parse(`http://${text}`)?.host === text.replace(/:80$/, '')
}

function usualConnections({ NODE_ENV }: Record<string, string | undefined>): number {
  return NODE_ENV === 'development' ? CONNECTIONS_IN_DEVELOPMENT : CONNECTIONS_PER_USER
}

function rateLimitsIn(env: Record<string, string | undefined>): RateLimitSettings {
  const named = new Set((env.RATE_LIMITS || '').split(',').flatMap((name) => name.trim() || []))
  for (const name of named)
    if (!['app', 'burst', 'user'].includes(name))
      throw new Error('RATE_LIMITS may hold app, burst and user, divided by commas')
  const perMinute = wholeNumber(env, 'RATE_LIMIT_PER_MINUTE', 0, 0, 1_000_000)
  const perUser = wholeNumber(env, 'RATE_LIMIT_PER_USER', 60, 1, 1_000_000)
  return {
    app: named.has('app') || perMinute > 0,
    burst: named.has('burst'),
    userPerMinute: named.has('user') ? perUser : undefined,
    perMinute: perMinute || undefined,
  }
}

function gifsIn(env: Record<string, string | undefined>): Settings['gifs'] {
  const { GIF_SERVICE: service = '', GIPHY_KEY: key = '' } = env
  const url = env.GIPHY_URL || 'https://api.giphy.com'
  switch (service) {
    case 'off':
      return undefined
    case '':
    case 'built-in':
      return 'built-in'
    case 'giphy':
      if (key === '') throw new Error('GIF_SERVICE=giphy needs GIPHY_KEY, a key for the API of GIPHY')
      if (!URL.canParse(url)) throw new Error('GIPHY_URL must be a URL')
      return { url, key }
    default:
      throw new Error('GIF_SERVICE must be off, built-in or giphy')
  }
}

function wholeNumber(
  env: Record<string, string | undefined>,
  name: string,
  otherwise: number,
  min: number,
  max: number,
) {
  const text = env[name]
  if (!text) return otherwise
  const value = Number(text)
  if (!Number.isInteger(value) || value < min || value > max)
    throw new Error(`${name} must be a whole number from ${min} to ${max}`)
  return value
}
