import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Certificate } from './certificate.ts'
import { findProgram } from './program.ts'
import { comesUp, type Daemon, freePort, startDaemon } from './service.ts'

export function findHaproxy(): string | undefined {
  return findProgram(['haproxy'], ['/usr/sbin', '/usr/local/sbin'])
}

export function findCaddy(): string | undefined {
  return findProgram(['caddy'], ['/usr/bin', '/usr/local/bin'])
}

/** The servers behind a proxy. */
export interface Proxied {
  certificate: Certificate
  web: { host: string; ports: readonly number[] }
  chat: { host: string; ports: readonly number[] }
  /** Whether it sends `X-Forwarded-Proto`. */
  forwardedProto: boolean
}

export type ProxyKind = 'haproxy' | 'caddy'

/** A TLS proxy with the configuration of docs/operating.md; only names, ports and files differ. */
export interface TlsProxy {
  port: number
  /** The port that redirects requests without TLS; HAProxy alone. */
  httpPort: number
  /** Stops it, and with it every connection through it; {@link start} restarts it on the same port. */
  stop(): Promise<void>
  start(): Promise<void>
  /**
   * Waits until the health checks see this status of a node. HAProxy alone.
   *
   * @param server  `web1`, `chat2` …
   */
  sees(server: string, status: 'UP' | 'DOWN'): Promise<void>
  /** The last part of its output. */
  output(): string
  /** Stops it for good and removes its files. */
  close(): Promise<void>
}

const SEES_WITHIN_MS = 30_000

export async function startTlsProxy(kind: ProxyKind, proxied: Proxied): Promise<TlsProxy> {
  const program = kind === 'haproxy' ? findHaproxy() : findCaddy()
  if (!program) throw new Error(`${kind} is not on this machine.`)
  const folder = await mkdtemp(join(tmpdir(), 'parley-proxy-'))
  const [port, httpPort, socket, file] = [
    await freePort(),
    await freePort(),
    join(folder, 'socket'),
    join(folder, kind),
  ]
  const documented = await blockOf(kind)
  const config =
    kind === 'haproxy'
      ? haproxyConfig(documented, proxied, port, httpPort, socket)
      : caddyConfig(documented, proxied, port, httpPort)
  await writeFile(file, config)
  const args = kind === 'haproxy' ? ['-db', '-f', file] : ['run', '--config', file, '--adapter', 'caddyfile']
  let daemon: Daemon | undefined

  async function start() {
    daemon = startDaemon(program!, args, { env: { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder } })
    await comesUp(kind, daemon, () => listens(port))
  }
  async function stop() {
    await daemon?.stop()
  }
  try {
    await start()
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }

  return {
    port,
    httpPort,
    start,
    stop,
    async sees(server, status) {
      if (kind !== 'haproxy') throw new Error('Only HAProxy tells what its health checks see.')
      const deadline = performance.now() + SEES_WITHIN_MS
      while (!(await statuses(socket)).get(server)?.startsWith(status)) {
        if (performance.now() > deadline)
          throw new Error(`HAProxy did not see ${server} ${status}:\n${daemon?.output()}`)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
    output: () => daemon?.output() ?? '',
    async close() {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The configuration in docs/operating.md, by the language of the block. */
async function blockOf(kind: ProxyKind): Promise<string> {
  const page = await readFile(join(import.meta.dirname, '../../docs/operating.md'), 'utf8')
  const block = new RegExp(`\`\`\`${kind}\n(.*?)\`\`\``, 's').exec(page)?.[1]
  if (!block) throw new Error(`docs/operating.md has no block for ${kind}.`)
  return block
}

function haproxyConfig(
  block: string,
  { certificate, web, chat, forwardedProto }: Proxied,
  port: number,
  httpPort: number,
  socket: string,
) {
  const servers = (name: string, ports: readonly number[]) =>
    ports.map((each, i) => `\tserver ${name}${i + 1} 127.0.0.1:${each} check inter 200ms fall 1 rise 1`).join('\n')
  return `global
	maxconn 1000
	stats socket ${socket} mode 600

${changed(block, [
  // A busy machine answers checks slowly; by default they time out after one interval.
  ['\tmode http\n', '\tmode http\n\ttimeout check 10s\n'],
  ['api.example.com', chat.host],
  ['bind :80', `bind 127.0.0.1:${httpPort}`],
  [
    'bind :443 ssl crt /etc/haproxy/parley.pem',
    `${forwardedProto ? 'http-request set-header X-Forwarded-Proto https\n\t' : ''}bind 127.0.0.1:${port} ssl crt ${certificate.both}`,
  ],
  ['\tserver web1 127.0.0.1:3000 check', servers('web', web.ports)],
  ['\tserver chat1 127.0.0.1:3100 check', servers('chat', chat.ports)],
])}`
}

function caddyConfig(
  block: string,
  { certificate, web, chat, forwardedProto }: Proxied,
  port: number,
  httpPort: number,
) {
  const tls = `tls ${certificate.cert} ${certificate.key}`
  const nodes = (ports: readonly number[]) => {
    const options = [
      ...(ports.length > 1 ? ['health_uri /health', 'health_interval 100ms', 'lb_try_duration 2s'] : []),
      ...(forwardedProto ? [] : ['header_up -X-Forwarded-Proto']),
    ]
    const body = options.length > 0 ? ` {\n\t\t${options.join('\n\t\t')}\n\t}` : ''
    return `reverse_proxy ${ports.map((each) => `127.0.0.1:${each}`).join(' ')}${body}`
  }
  return `{
	admin off
	default_bind 127.0.0.1
	https_port ${port}
	http_port ${httpPort}
	auto_https disable_redirects
}
${changed(block, [
  ['chat.example.com {', `${web.host} {\n\t${tls}`],
  ['api.example.com {', `${chat.host} {\n\t${tls}`],
  ['reverse_proxy 127.0.0.1:3000', nodes(web.ports)],
  ['reverse_proxy 127.0.0.1:3100', nodes(chat.ports)],
])}`
}

/** @throws Error — the page no longer contains what is to be replaced */
function changed(block: string, changes: [from: string, to: string][]): string {
  return changes.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`docs/operating.md no longer says: ${from}`)
    return text.replace(from, () => to)
  }, block)
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

/** The status of each server by HAProxy's health checks. */
async function statuses(path: string): Promise<Map<string, string>> {
  const socket = connect(path)
  socket.end('show stat\n')
  const [head = '', ...lines] = (await text(socket)).trim().split('\n')
  const columns = head.replace('# ', '').split(',')
  const [name, status] = [columns.indexOf('svname'), columns.indexOf('status')]
  return new Map(lines.map((line) => line.split(',')).map((cells) => [cells[name]!, cells[status]!]))
}
