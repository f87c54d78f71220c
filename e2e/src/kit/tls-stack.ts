/**
 * The product as deployed: several nodes of each kind on PostgreSQL and NATS, behind a proxy that terminates TLS, under
 * host names of its own.
 */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tls from 'node:tls'
import { ChatClient } from '@parley/client/server'
import { type Certificate, makeCertificate } from '../../../scripts/services/certificate.ts'
import { freePort } from '../../../scripts/services/service.ts'
import { type ProxyKind, startTlsProxy, type TlsProxy } from '../../../scripts/services/tls-proxy.ts'
import { ANSWERED_WITHIN_MS, needed, Program, postgresDatabases } from './stack.ts'
import { TEST_DOMAIN } from './test-hosts.ts'

const WEB_HOST = `chat.${TEST_DOMAIN}`
const CHAT_HOST = `api.${TEST_DOMAIN}`
/** An absolute path, since the programs that load it have other working directories. */
const testHosts = join(import.meta.dirname, 'test-hosts.ts')

export interface TlsStackOptions {
  /** Two by default. */
  chatNodes?: number
  webNodes?: number
  /** HAProxy by default; only it reports the state of its health checks. */
  proxy?: ProxyKind
  /** Whether the proxy sends `X-Forwarded-Proto`; not by default. */
  forwardedProto?: boolean
  /** Whether the web apps serve their sources, as in development. */
  dev?: boolean
  /** Further settings of the chat servers, by name; `null` removes one of the defaults. */
  settings?: Record<string, string | null>
  /** Further settings of one node, counted from 0. */
  settingsOf?: (node: number) => Record<string, string>
  /** The same for the web apps. */
  webSettings?: Record<string, string | null>
}

export interface TlsStack {
  /** The product's public URL, `https://chat.parley.test:…`. */
  webUrl: string
  /** The chat server's public URL, `https://api.parley.test:…`. */
  chatUrl: string
  certificate: Certificate
  /** Arguments with which Chromium resolves these hosts and trusts this one certificate. */
  chromiumArgs: string[]
  key: string
  secret: string
  /** The app's own server, which calls through the proxy. */
  company: ChatClient
  /** The nodes, each to be stopped, killed and started again; HAProxy knows them as `chat1`, `chat2` … */
  chats: Program[]
  /** `web1`, `web2` … */
  webs: Program[]
  proxy: TlsProxy
  /** The databases' addresses, for tests that disturb them. */
  databases: { chat: string; web: string }
  stop(): Promise<void>
}

/** An empty product: the first visitor founds the first organization. */
export async function startTlsStack({
  chatNodes = 2,
  webNodes = 2,
  proxy: kind = 'haproxy',
  forwardedProto = false,
  dev = false,
  settings,
  settingsOf,
  webSettings,
}: TlsStackOptions = {}): Promise<TlsStack> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-tls-'))
  const id = randomBytes(6).toString('hex')
  const [key, secret] = [`key-${id}`, randomBytes(24).toString('hex')]
  const certificate = makeCertificate(folder, [WEB_HOST, CHAT_HOST])
  trust(certificate)
  const databases = await postgresDatabases(id)
  const [chatPorts, webPorts] = [await freePorts(chatNodes), await freePorts(webNodes)]
  const programs: Program[] = []
  let proxy: TlsProxy | undefined

  async function stop() {
    await Promise.all(programs.map((program) => program.stop()))
    await proxy?.close()
    await databases.drop()
    await rm(folder, { recursive: true, force: true })
  }

  try {
    proxy = await startTlsProxy(kind, {
      certificate,
      web: { host: WEB_HOST, ports: webPorts },
      chat: { host: CHAT_HOST, ports: chatPorts },
      forwardedProto,
    })
    const [webUrl, chatUrl] = [WEB_HOST, CHAT_HOST].map((host) => `https://${host}:${proxy!.port}`) as [string, string]
    const shared = {
      DATA_DIR: folder,
      TRUSTED_PROXIES: '127.0.0.1',
      NODE_EXTRA_CA_CERTS: certificate.ca,
      NODE_OPTIONS: `--import ${testHosts}`,
    }
    const chats = chatPorts.map(
      (port, i) =>
        new Program(
          'apps/server/src/main.ts',
          `http://127.0.0.1:${port}`,
          told(
            {
              ...shared,
              PORT: String(port),
              DATABASE_URL: databases.chat,
              ...(chatNodes > 1 && { BUS_URL: needed('TEST_NATS_URL'), FILES_SHARED: 'on' }),
              API_KEY: key,
              API_SECRET: secret,
              PUBLIC_URL: chatUrl,
              // The web app, which runs on this machine.
              ALLOWED_PRIVATE_HOSTS: `${new URL(webUrl).host},127.0.0.1`,
            },
            { ...settings, ...settingsOf?.(i) },
          ),
        ),
    )
    const webs = webPorts.map(
      (port) =>
        new Program(
          'apps/web/src/main.ts',
          `http://127.0.0.1:${port}`,
          told(
            {
              ...shared,
              WEB_PORT: String(port),
              CHAT_URL: chatUrl,
              CHAT_API_KEY: key,
              CHAT_API_SECRET: secret,
              WEB_DATABASE_URL: databases.web,
              SESSION_SECRET: `sessions-${secret}`,
              DEMO: 'off',
              ...(dev && { NODE_ENV: 'development' }),
              PUBLIC_URL: webUrl,
              PUSH_SERVICES: '127.0.0.1',
            },
            webSettings,
          ),
          dev ? ['--dev'] : [],
        ),
    )
    // One by one: the first node migrates the database.
    for (const program of [...chats, ...webs]) {
      await program.start()
      programs.push(program)
    }
    if (kind === 'haproxy') {
      for (const [i] of chats.entries()) await proxy.sees(`chat${i + 1}`, 'UP')
      for (const [i] of webs.entries()) await proxy.sees(`web${i + 1}`, 'UP')
    }
    return {
      webUrl,
      chatUrl,
      certificate,
      chromiumArgs: [
        `--host-resolver-rules=MAP *.${TEST_DOMAIN} 127.0.0.1`,
        `--ignore-certificate-errors-spki-list=${certificate.spki}`,
      ],
      key,
      secret,
      company: new ChatClient(key, secret, { baseURL: chatUrl, timeout: ANSWERED_WITHIN_MS }),
      chats,
      webs,
      proxy,
      databases,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Has this process trust the run's certificate authority, besides those it knows. */
function trust({ ca }: Certificate) {
  tls.setDefaultCACertificates([...tls.getCACertificates(), readFileSync(ca, 'utf8')])
}

async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = []
  while (ports.length < count) ports.push(await freePort())
  return ports
}

function told(ours: Record<string, string>, theirs: Record<string, string | null> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries({ ...ours, ...theirs }).filter((entry): entry is [string, string] => entry[1] !== null),
  )
}
