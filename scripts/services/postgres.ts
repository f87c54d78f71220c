import { execFile } from 'node:child_process'
import { chown, mkdtemp, readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findProgram } from './program.ts'
import { comesUp, freePort, type Service, startDaemon } from './service.ts'

const run = promisify(execFile)

/** Nothing here has to survive a power cut, so nothing waits for the disk. */
const throwaway = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' }

/** Unicode's own order and letters, so that no machine's language decides how a test ends. macOS has no such locale. */
const locale = process.platform === 'linux' ? 'C.UTF-8' : 'en_US.UTF-8'

/** Where distributions keep the server's own programs; PATH seldom has them. */
export function findPostgres(): { initdb: string; postgres: string } | undefined {
  const folders = ['/usr/lib/postgresql/*/bin', '/usr/pgsql-*/bin', '/opt/homebrew/opt/postgresql*/bin']
  const initdb = findProgram(['initdb'], folders)
  const postgres = findProgram(['postgres'], folders)
  return initdb && postgres ? { initdb, postgres } : undefined
}

/**
 * Starts an empty PostgreSQL on a free port, with its files in a fresh temporary folder.
 *
 * @param settings  server settings over ours, such as `{ fsync: 'on' }` for a measurement
 * @returns a URL of the maintenance database for a superuser: `postgres://postgres@127.0.0.1:41234/postgres`
 */
export async function startPostgres(settings: Record<string, string> = {}): Promise<Service> {
  const programs = findPostgres()
  if (!programs) throw new Error('PostgreSQL is not on this machine.')

  const owner = await daemonUser()
  const folder = await mkdtemp(join(tmpdir(), 'parley-postgres-'))
  const files = join(folder, 'data')
  try {
    if (owner) await chown(folder, owner.uid, owner.gid)
    // initdb looks at the folder it is called from, and the daemon's user may not enter ours.
    await run(
      programs.initdb,
      ['--no-sync', '--auth=trust', '--username=postgres', '--encoding=UTF8', `--locale=${locale}`, '-D', files],
      { cwd: folder, ...owner },
    )
    const { port, stop } = await listen(programs.postgres, files, folder, { ...throwaway, ...settings }, owner)
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

/** PostgreSQL cannot choose a port by itself, so losing the race for one is answered with another. */
async function listen(
  postgres: string,
  files: string,
  folder: string,
  settings: Record<string, string>,
  owner: { uid: number; gid: number } | undefined,
) {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort()
    const all = { ...settings, port: `${port}`, listen_addresses: '127.0.0.1', unix_socket_directories: folder }
    const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    // SIGINT is the fast shutdown: open connections are cut, the files stay whole.
    const daemon = startDaemon(postgres, ['-D', files, ...args], { stopSignal: 'SIGINT', ...owner })
    try {
      await comesUp('PostgreSQL', daemon, () => isReady(files, port))
      return { port, stop: daemon.stop }
    } catch (error) {
      if (attempt === 3 || !daemon.output().includes('could not bind')) throw error
    }
  }
}

/** The eighth line of postmaster.pid says "ready" once connections are let in. */
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

/** PostgreSQL refuses to run as root; its package brings a user for it. */
export async function daemonUser(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, 'postgres'])).stdout)),
  )
  return { uid: uid!, gid: gid! }
}
