/** The whole product as real processes: chat servers, web apps, and their databases. */
import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ChatClient } from '@parley/client/server'
import pg from 'pg'
import { inject } from 'vitest'
import { type Daemon, freePort, startDaemon } from '../../../scripts/services/service.ts'

const root = join(import.meta.dirname, '../../..')
const HEALTHY_WITHIN_MS = 120_000
/** A busy machine answers slowly; no test checks its speed. */
export const ANSWERED_WITHIN_MS = 20_000

/** A process that can be killed and restarted with the same URL and data. */
export class Program {
  readonly url: string
  #file: string
  #env: Record<string, string>
  #args: readonly string[]
  #daemon: Daemon | undefined
  constructor(file: string, url: string, env: Record<string, string>, args: readonly string[] = []) {
    this.#file = file
    this.url = url
    this.#env = env
    this.#args = args
  }

  async start() {
    this.#daemon = startDaemon(process.execPath, [join(root, this.#file), ...this.#args], {
      cwd: root,
      env: { ...process.env, NODE_ENV: 'production', LOG_LEVEL: 'warn', ...this.#env },
    })
    const deadline = performance.now() + HEALTHY_WITHIN_MS
    while (!(await isHealthy(this.url))) {
      if (performance.now() > deadline || this.#daemon.process.exitCode !== null)
        throw new Error(`${this.#file} did not come up: ${this.output()}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  /** As in a power failure. */
  async kill() {
    const { process } = this.#daemon!
    const gone = new Promise((resolve) => process.once('exit', resolve))
    process.kill('SIGKILL')
    await gone
  }

  async stop() {
    await this.#daemon?.stop()
  }

  /** The last lines of its output. */
  output(): string {
    return this.#daemon?.output() ?? ''
  }
}

export interface Stack {
  key: string
  secret: string
  /** The app's own server. */
  company: ChatClient
  /** Chat servers; two in a cluster. */
  chats: Program[]
  /** A web app beside each chat server, all on one database. */
  webs: Program[]
  stop(): Promise<void>
}

/** `sqlite`: one of each. `cluster`: two of each, on PostgreSQL and NATS. */
export type Place = 'sqlite' | 'cluster'

interface Runs {
  /** Whether the product runs as well, or the chat servers alone. */
  web: boolean
  /** Whether the product creates its demo data. */
  demo?: boolean
  /** Whether pages on this machine count as public ones, so that link previews can fetch them. */
  neighbours?: boolean
  /** Further settings of the chat servers, by name. */
  settings?: Record<string, string>
}

/** The ids and secrets that connect a stack to its data. */
interface Identity {
  id: string
  key: string
  secret: string
  sessionSecret: string
}

/** A freshly filled demo on SQLite: its files and the identity they belong to. */
let filled: Promise<{ folder: string; identity: Identity }> | undefined

export async function startStack(place: Place, runs: Runs): Promise<Stack> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-journey-'))
  if (place !== 'sqlite' || !runs.web || runs.demo === false) return startIn(folder, place, runs, anIdentity())
  // One failure on a busy machine must not fail all later files.
  filled ??= fillDemo().catch((error) => {
    filled = undefined
    throw error
  })
  const demo = await filled
  await cp(demo.folder, folder, { recursive: true })
  return startIn(folder, place, runs, demo.identity)
}

/** Filling the demo takes longer than the rest of the start, so each worker does it once for all its files. */
async function fillDemo() {
  const folder = await mkdtemp(join(inject('demoFolder'), 'filled-'))
  const identity = anIdentity()
  const { webs, chats } = await startIn(folder, 'sqlite', { web: true }, identity)
  for (const program of [...webs, ...chats]) await program.stop()
  return { folder, identity }
}

function anIdentity(): Identity {
  const id = randomBytes(6).toString('hex')
  return {
    id,
    key: `key-${id}`,
    secret: randomBytes(24).toString('hex'),
    sessionSecret: randomBytes(24).toString('hex'),
  }
}

async function startIn(
  folder: string,
  place: Place,
  { web, demo = true, neighbours = false, settings }: Runs,
  { id, key, secret, sessionSecret }: Identity,
): Promise<Stack> {
  const databases =
    place === 'sqlite'
      ? {
          chat: `sqlite:${join(folder, 'chat.sqlite')}`,
          web: `sqlite:${join(folder, 'web.sqlite')}`,
          drop: async () => {},
        }
      : await postgresDatabases(id)

  const chats: Program[] = []
  const webs: Program[] = []
  for (let node = 0; node < (place === 'cluster' ? 2 : 1); node++) {
    const chatPort = String(await freePort())
    const program = neighbours ? 'apps/server/src/testing/main-with-neighbours.ts' : 'apps/server/src/main.ts'
    const chat = new Program(program, `http://127.0.0.1:${chatPort}`, {
      PORT: chatPort,
      DATABASE_URL: databases.chat,
      API_KEY: key,
      API_SECRET: secret,
      DATA_DIR: folder,
      // Clients see one server, whichever node answers.
      PUBLIC_URL: chats[0]?.url ?? `http://127.0.0.1:${chatPort}`,
      IMAGE_PROXY: 'on',
      // The app's own server runs on this machine, too.
      ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
      ...(place === 'cluster' && { BUS_URL: needed('TEST_NATS_URL'), FILES_SHARED: 'on' }),
      ...settings,
    })
    await chat.start()
    chats.push(chat)
    if (!web) continue
    const webPort = String(await freePort())
    const app = new Program('apps/web/src/main.ts', `http://127.0.0.1:${webPort}`, {
      WEB_PORT: webPort,
      CHAT_URL: chat.url,
      CHAT_API_KEY: key,
      CHAT_API_SECRET: secret,
      WEB_DATABASE_URL: databases.web,
      SESSION_SECRET: sessionSecret,
      DEMO: demo ? 'on' : 'off',
      PUBLIC_URL: `http://127.0.0.1:${webPort}`,
      // So does the push service.
      PUSH_SERVICES: '127.0.0.1',
    })
    await app.start()
    webs.push(app)
    // The second app finds the demo users already there.
    if (demo && node === 0) await seeded(app)
  }

  return {
    key,
    secret,
    company: new ChatClient(key, secret, { baseURL: chats[0]!.url, timeout: ANSWERED_WITHIN_MS }),
    chats,
    webs,
    async stop() {
      for (const program of [...webs, ...chats]) await program.stop()
      await databases.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function seeded(app: Program) {
  const deadline = performance.now() + HEALTHY_WITHIN_MS
  while (!app.output().includes('Demo sign-ins')) {
    if (performance.now() > deadline) throw new Error(`The demo did not come: ${app.output()}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health`)).ok
  } catch {
    return false
  }
}

export async function postgresDatabases(id: string) {
  const admin = needed('TEST_POSTGRES_URL')
  const names = { chat: `journey_${id}`, web: `journey_${id}_web` }
  const run = async (text: string) => {
    const client = new pg.Client({ connectionString: admin })
    await client.connect()
    await client.query(text)
    await client.end()
  }
  const urlOf = (name: string) => {
    const url = new URL(admin)
    url.pathname = `/${name}`
    return url.href
  }
  await run(`create database ${names.chat}`)
  await run(`create database ${names.web}`)
  return {
    chat: urlOf(names.chat),
    web: urlOf(names.web),
    async drop() {
      await run(`drop database ${names.chat} with (force)`)
      await run(`drop database ${names.web} with (force)`)
    },
  }
}

export function needed(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set; run the end-to-end tests with npm test.`)
  return value
}
