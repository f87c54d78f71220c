import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { startPostgres } from '../../scripts/services/postgres.ts'
import { comesUp, type Daemon, freePort, type Service, startDaemon } from '../../scripts/services/service.ts'
import { API_KEY, API_SECRET } from './app.ts'
import { childrenOf, pin, putAhead } from './machine.ts'
import { hottest, monotonicMicros, readProfile } from './profile.ts'

const root = join(import.meta.dirname, '../..')

/** Where results and temporary databases go; git ignores it. */
export const dataFolder = join(root, 'data/bench')

export type DatabaseKind = 'sqlite' | 'postgres'

/** A server under load: Parley, or a floor with the same calls. */
export interface Target {
  name: string
  port: number
  /** The core all of it runs on. */
  core: number
  /** The roots of its processes, the database's included. */
  pids: number[]
  /** Called when the load is steady: a profile starts here. */
  steady?(): void
  stop(): Promise<void>
}

/** A Parley server with a database of its own. */
export interface Parley extends Target {
  database: DatabaseKind
  /** From the start of the process to the first successful response. */
  startMs: number
  databaseUrl: string
  /** Runs one statement in the server's database. */
  inDatabase(statement: string): Promise<Record<string, unknown>[]>
  /** Stops the server and starts it again on the same database. */
  restarted(): Promise<Parley>
}

export interface TargetOptions {
  /** Whether they have priority over other processes. */
  ahead: boolean
  /** Whether to print where Parley's own time went when it stops. */
  profile: boolean
}

/** A database for one server alone. */
interface OwnDatabase {
  url: string
  pids: number[]
  run(statement: string): Promise<Record<string, unknown>[]>
  stop(): Promise<void>
}

/** Functions a profile lists. */
const HOTTEST = 30

/** Starts servers on their core and always stops them again. */
export class Targets {
  #core: number
  #options: TargetOptions
  #postgres: { service: Service; pids: number[] } | undefined
  #databases = 0
  #running = new Set<() => Promise<void>>()
  /** @param core  where servers and databases run */
  constructor(core: number, options: TargetOptions) {
    this.#core = core
    this.#options = options
  }

  async parley(kind: DatabaseKind): Promise<Parley> {
    return this.#parleyOn(kind, kind === 'sqlite' ? this.#sqlite() : await this.#postgresDatabase())
  }

  async #parleyOn(kind: DatabaseKind, database: OwnDatabase): Promise<Parley> {
    const start = performance.now()
    const profiles = this.#options.profile ? mkdtempSync(join(dataFolder, 'profile-')) : undefined
    const server = await this.#serve('Parley', [...profiling(profiles), join(root, 'apps/server/src/main.ts')], {
      API_KEY,
      API_SECRET,
      DATABASE_URL: database.url,
      DATA_DIR: dataFolder,
      LOG_LEVEL: 'warn',
    }).catch(async (error: unknown) => {
      await database.stop()
      throw error
    })
    const startMs = performance.now() - start
    let steadySince: number | undefined
    return {
      ...server,
      name: `Parley with ${kind}`,
      pids: [...server.pids, ...database.pids],
      database: kind,
      startMs,
      databaseUrl: database.url,
      inDatabase: database.run,
      restarted: async () => {
        await server.stop()
        return this.#parleyOn(kind, database)
      },
      steady() {
        steadySince ??= monotonicMicros()
      },
      stop: async () => {
        await server.stop()
        await database.stop()
        if (profiles) printProfile(profiles, steadySince ?? 0)
      },
    }
  }

  /** @param frameBytes  the length of its events, equal to Parley's */
  async broadcast(mode: 'each' | 'turn' | 'synced', frameBytes: number): Promise<Target> {
    const program = join(import.meta.dirname, 'floors/broadcast.ts')
    const args = [program, mode, `${frameBytes}`]
    if (mode !== 'synced') return this.#serve(`bare ws, ${mode}`, args, {})
    const { path, remove } = this.#folder('synced-')
    const server = await this.#serve(`bare ws, ${mode}`, [...args, join(path, 'messages')], {})
    return {
      ...server,
      stop: async () => {
        await server.stop()
        await remove()
      },
    }
  }

  /** How fast the database alone appends, in batches of 50, and how long one synced commit takes. */
  async appends(kind: DatabaseKind, seconds: number): Promise<{ perSecond: number; commitMs: number }> {
    const database = kind === 'sqlite' ? this.#sqlite() : await this.#postgresDatabase()
    const args = [join(import.meta.dirname, 'floors/appends.ts'), database.url, `${seconds}`]
    const program = startDaemon('taskset', ['-c', `${this.#core}`, process.execPath, ...args])
    const forget = this.#remember(program.stop)
    if (this.#options.ahead) putAhead(pidOf(program))
    await new Promise((resolve) => program.process.once('exit', resolve))
    await forget()
    await database.stop()
    const [, perSecond, commitMs] = /^appends (.+)\ncommit (.+)$/m.exec(program.output()) ?? []
    if (!perSecond) throw new Error(`The database could not be measured:\n${program.output()}`)
    return { perSecond: Number(perSecond), commitMs: Number(commitMs) }
  }

  async stop() {
    // The last first: a server stops before its database.
    for (const stop of [...this.#running].reverse()) await stop()
    await this.#postgres?.service.stop()
    this.#postgres = undefined
  }

  async #serve(name: string, args: string[], settings: Record<string, string>): Promise<Target> {
    const port = await freePort()
    // Nothing else of our own environment, which may hold settings of another server.
    const { PATH, NODE_COMPILE_CACHE } = process.env
    const env = { PATH, NODE_COMPILE_CACHE, NODE_ENV: 'production', HOST: '127.0.0.1', PORT: `${port}`, ...settings }
    const daemon = startDaemon('taskset', ['-c', `${this.#core}`, process.execPath, ...args], { env })
    const stop = this.#remember(daemon.stop)
    if (this.#options.ahead) putAhead(pidOf(daemon))
    await comesUp(name, daemon, () => isHealthy(port))
    return { name, port, core: this.#core, pids: [pidOf(daemon)], stop }
  }

  #remember(stop: () => Promise<void>) {
    const stopOnce = async () => {
      this.#running.delete(stopOnce)
      await stop()
    }
    this.#running.add(stopOnce)
    return stopOnce
  }

  #sqlite(): OwnDatabase {
    const { path, remove } = this.#folder('sqlite-')
    const file = join(path, 'chat.sqlite')
    return {
      url: `sqlite:${file}`,
      pids: [],
      async run(statement: string) {
        const db = new DatabaseSync(file)
        try {
          db.exec('pragma busy_timeout = 60000; pragma synchronous = off')
          // The server's triggers need it; seeded names are plain words.
          db.function('name_pieces', { deterministic: true }, (name) => JSON.stringify(wordsOf(String(name))))
          return db.prepare(statement).all()
        } finally {
          db.close()
        }
      },
      stop: remove,
    }
  }

  #folder(prefix: string) {
    mkdirSync(dataFolder, { recursive: true })
    const path = mkdtempSync(join(dataFolder, prefix))
    return { path, remove: this.#remember(async () => rmSync(path, { recursive: true, force: true })) }
  }

  async #postgresDatabase(): Promise<OwnDatabase> {
    this.#postgres ??= await this.#startPostgres()
    const { service, pids } = this.#postgres
    const name = `bench_${++this.#databases}`
    await query(service.url, `create database ${name}`)
    const url = service.url.replace(/[^/]+$/, name)
    return {
      url,
      pids,
      run: (statement: string) => query(url, statement),
      stop: this.#remember(async () => void (await query(service.url, `drop database ${name} with (force)`))),
    }
  }

  /** With every setting that keeps an acknowledged write through a power failure, as in production. */
  async #startPostgres() {
    const before = new Set(childrenOf(process.pid))
    const service = await startPostgres({ fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' })
    const pids = childrenOf(process.pid).filter((pid) => !before.has(pid))
    for (const pid of pids) {
      pin(pid, this.#core)
      if (this.#options.ahead) putAhead(pid)
      for (const child of childrenOf(pid)) pin(child, this.#core)
    }
    return { service, pids }
  }
}

function wordsOf(name: string) {
  return [...new Set(name.toLowerCase().split(' '))].map((word) => [word, 0])
}

async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

function isHealthy(port: number) {
  return fetch(`http://127.0.0.1:${port}/health`).then(
    (answer) => answer.ok,
    () => false,
  )
}

function profiling(folder: string | undefined) {
  return folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}`]
}

function printProfile(folder: string, since: number) {
  for (const file of readdirSync(folder)) {
    console.log(`\n${join(folder, file)}`)
    for (const { where, share } of hottest(readProfile(join(folder, file)), HOTTEST, since))
      console.log(`${(share * 100).toFixed(1).padStart(6)} %  ${where}`)
  }
}

function pidOf({ process: child }: Daemon) {
  if (child.pid === undefined) throw new Error('The program could not be started; is taskset installed?')
  return child.pid
}
