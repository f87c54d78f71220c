import { execFile } from 'node:child_process'
import { readFileSync, realpathSync } from 'node:fs'
import { chown, mkdtemp, readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { findProgram } from './program.ts'
import { comesUp, freePort, type Service, startDaemon } from './service.ts'

const run = promisify(execFile)

/** Nothing here has to survive a power failure, so nothing waits for the disk. */
const throwaway = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' }

/** Unicode's own order and letters, so that no test depends on the machine's language. macOS has no such locale. */
const locale = process.platform === 'linux' ? 'C.UTF-8' : 'en_US.UTF-8'

/** Where distributions keep the server's own programs; PATH seldom has them. */
export function findPostgres(): { initdb: string; postgres: string } | undefined {
  const folders = ['/usr/lib/postgresql/*/bin', '/usr/pgsql-*/bin', '/opt/homebrew/opt/postgresql*/bin']
  const initdb = findProgram(['initdb'], folders)
  const postgres = findProgram(['postgres'], folders)
  return initdb && postgres ? { initdb, postgres } : undefined
}

export interface PostgresOptions {
  /** The parent of its own folder. */
  place?: string
  /** Its environment, besides ours. */
  env?: Record<string, string>
}

/**
 * Starts an empty PostgreSQL on a free port, with its files in a fresh temporary folder.
 *
 * @param settings  server settings over ours, such as `{ fsync: 'on' }` for a measurement
 * @returns a URL of the maintenance database for a superuser: `postgres://postgres@127.0.0.1:41234/postgres`
 */
export function startPostgres(settings: Record<string, string> = {}, options: PostgresOptions = {}): Promise<Service> {
  // initdb reads its working directory, and the daemon's user may not enter ours.
  return startOn(options, settings, ({ initdb }, files, options) =>
    run(
      initdb,
      ['--no-sync', '--auth=trust', '--username=postgres', '--encoding=UTF8', `--locale=${locale}`, '-D', files],
      options,
    ),
  )
}

/**
 * Starts a standby that follows a PostgreSQL by streaming, until it is promoted (`select pg_promote()`).
 *
 * @param port of the server it follows, on this machine
 * @returns as {@link startPostgres}
 */
export function startStandby(port: number, settings: Record<string, string> = {}): Promise<Service> {
  return startOn({}, settings, ({ postgres }, files, options) =>
    run(
      // Of the same version: beside the server's real path.
      join(dirname(realpathSync(postgres)), 'pg_basebackup'),
      [
        ...['--host=127.0.0.1', `--port=${port}`, '--username=postgres'],
        ...['--no-sync', '--checkpoint=fast', '--write-recovery-conf', '-D', files],
      ],
      options,
    ),
  )
}

/** @param fill creates the server's files when there are none yet */
async function startOn(
  { place = tmpdir(), env }: PostgresOptions,
  settings: Record<string, string>,
  fill: (
    programs: { initdb: string; postgres: string },
    files: string,
    options: { cwd: string; uid?: number; gid?: number },
  ) => Promise<unknown>,
): Promise<Service> {
  const programs = findPostgres()
  if (!programs) throw new Error('PostgreSQL is not on this machine.')

  const owner = await daemonUser()
  const folder = await mkdtemp(join(place, 'parley-postgres-'))
  const files = join(folder, 'data')
  try {
    if (owner) await chown(folder, owner.uid, owner.gid)
    await fill(programs, files, { cwd: folder, ...owner })
    const { port, stop } = await listen(
      programs.postgres,
      files,
      folder,
      { ...throwaway, ...settings },
      {
        ...owner,
        env: { ...process.env, ...env },
      },
    )
    return {
      url: `postgres://postgres@127.0.0.1:${port}/postgres`,
      async stop() {
        await stop()
        await rm(folder, { recursive: true, force: true })
      },
    }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

/** PostgreSQL cannot choose a port by itself; when another process takes it first, tries another. */
async function listen(
  postgres: string,
  files: string,
  folder: string,
  settings: Record<string, string>,
  options: { uid?: number; gid?: number; env: NodeJS.ProcessEnv },
) {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort()
    const all = { ...settings, port: `${port}`, listen_addresses: '127.0.0.1', unix_socket_directories: folder }
    const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    // SIGINT is the fast shutdown: open connections are cut, the files stay intact.
    const daemon = startDaemon(postgres, ['-D', files, ...args], { stopSignal: 'SIGINT', ...options })
    try {
      await comesUp('PostgreSQL', daemon, () => isReady(files, port))
      return { port, stop: daemon.stop }
    } catch (error) {
      if (attempt === 3 || !daemon.output().includes('could not bind')) throw error
    }
  }
}

/** All processes of a server on this machine, the parent first. */
export async function postgresProcesses(url: string): Promise<number[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query("select current_setting('data_directory') as folder")
  await client.end()
  const main = Number(readFileSync(`${rows[0].folder}/postmaster.pid`, 'utf8').split('\n')[0])
  const children = readFileSync(`/proc/${main}/task/${main}/children`, 'utf8').trim().split(' ').map(Number)
  return [main, ...children]
}

/** Sends a signal to all processes of a server; skips those that have ended. */
export function signalPostgres(pids: readonly number[], signal: NodeJS.Signals) {
  for (const pid of pids)
    try {
      process.kill(pid, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
}

/** The eighth line of postmaster.pid is "ready" once connections are accepted. */
async function isReady(files: string, port: number) {
  const lines = await readFile(join(files, 'postmaster.pid'), 'utf8').then(
    (text) => text.split('\n'),
    () => [],
  )
  return lines[7]?.trim() === 'ready' && (await accepts(port))
}

export function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}

/** PostgreSQL refuses to run as root; its package creates a user for it. */
export async function daemonUser(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, 'postgres'])).stdout)),
  )
  return { uid: uid!, gid: gid! }
}
