import { randomBytes } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { join, resolve } from 'node:path'
import { keptFile } from '../apps/process/kept-file.ts'
import { SettingError } from '../apps/process/settings.ts'

/** Secrets made on the first start and kept, so that tokens and sessions survive a restart. */
export interface KeptSecrets {
  apiKey: string
  apiSecret: string
  sessionSecret: string
}

/** Reads the secrets of a data folder, or creates them. Only the owner may read the file. */
function keptSecrets(dataDir: string): KeptSecrets {
  const file = join(dataDir, 'settings.json')
  const fresh: KeptSecrets = { apiKey: random(9), apiSecret: random(32), sessionSecret: random(32) }
  const text = keptFile(file, () => `${JSON.stringify(fresh, null, 2)}\n`)
  try {
    const kept: Partial<KeptSecrets> = JSON.parse(text)
    if (Object.keys(fresh).every((name) => kept[name as keyof KeptSecrets])) return kept as KeptSecrets
  } catch {
    // A partially written file lacks a value.
  }
  throw new SettingError(`DATA_DIR has a ${file} without ${Object.keys(fresh).join(', ')}. Restore it from the backup.`)
}

function random(bytes: number) {
  return randomBytes(bytes).toString('hex')
}

export interface LocalSettings {
  /** The environment of the chat server. */
  server: Record<string, string>
  /** The environment of the web app. */
  web: Record<string, string>
  /** The web app's own database, when its name is the default and it may not exist yet. */
  databaseToCreate?: string
}

/**
 * The settings with which the chat server and the web app find each other. Existing settings are kept.
 *
 * Both have a `PUBLIC_URL`; here it is the web app's, and `CHAT_URL` is the chat server's.
 *
 * @param env   the user's settings
 * @param root  base of relative paths
 */
export function localSettings(env: NodeJS.ProcessEnv, root: string): LocalSettings {
  const dataDir = resolve(root, env.DATA_DIR || 'data')
  const secrets = keptSecrets(dataDir)
  const host = env.HOST || '127.0.0.1'
  const port = env.PORT || '3100'
  const app = env.API_KEY && env.API_SECRET ? [env.API_KEY, env.API_SECRET] : [secrets.apiKey, secrets.apiSecret]
  const [key, secret] = app as [string, string]
  const chatUrl = env.CHAT_URL || `http://127.0.0.1:${port}`
  const databaseUrl = env.DATABASE_URL || `sqlite:${join(dataDir, 'chat.sqlite')}`
  const webPort = env.WEB_PORT || '3000'
  // The programs may listen on every address; they reach each other through this machine's.
  const near = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : isIPv6(host) ? `[${host}]` : host
  const eventsUrl = `http://${near}:${webPort}`
  const ownDatabase = env.WEB_DATABASE_URL ? undefined : besides(databaseUrl)

  if (env.WEB_DATABASE_URL === databaseUrl)
    throw new SettingError(
      'WEB_DATABASE_URL is DATABASE_URL, the database of the chat server; give the web app one of its own.',
    )
  const shared = { HOST: host, DATA_DIR: dataDir }
  return {
    server: {
      ...shared,
      PORT: port,
      PUBLIC_URL: chatUrl,
      DATABASE_URL: databaseUrl,
      API_KEY: key,
      API_SECRET: secret,
      IMAGE_PROXY: env.IMAGE_PROXY || 'on',
      ALLOWED_PRIVATE_HOSTS: [env.ALLOWED_PRIVATE_HOSTS, new URL(eventsUrl).host].filter(Boolean).join(),
    },
    web: {
      ...shared,
      WEB_PORT: webPort,
      EVENTS_URL: env.EVENTS_URL || eventsUrl,
      WEB_DATABASE_URL: env.WEB_DATABASE_URL || ownDatabase || `sqlite:${join(dataDir, 'web.sqlite')}`,
      CHAT_URL: chatUrl,
      CHAT_API_KEY: env.CHAT_API_KEY || key,
      CHAT_API_SECRET: env.CHAT_API_SECRET || secret,
      SESSION_SECRET: env.SESSION_SECRET || secrets.sessionSecret,
    },
    databaseToCreate: ownDatabase,
  }
}

/** `postgres://host/chat` → `postgres://host/chat_web`; undefined for other databases. */
function besides(databaseUrl: string): string | undefined {
  if (!/^postgres(ql)?:/.test(databaseUrl)) return undefined
  const url = new URL(databaseUrl)
  url.pathname += '_web'
  return url.href
}
