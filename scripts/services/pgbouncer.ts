import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accepts, daemonUser } from './postgres.ts'
import { findProgram } from './program.ts'
import { comesUp, type Daemon, freePort, type Service, startDaemon } from './service.ts'

export function findPgBouncer(): string | undefined {
  return findProgram(['pgbouncer'], ['/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin'])
}

/** So few that clients share sessions. */
const SESSIONS_PER_DATABASE = 3

/**
 * Starts PgBouncer in front of a PostgreSQL, for every database there, on a free port. Each transaction gets any free
 * session.
 *
 * @param postgres URL of any database there
 * @returns a URL of the same database through it
 */
export async function startPgBouncer(postgres: string): Promise<Service> {
  const program = findPgBouncer()
  if (!program) throw new Error('PgBouncer is not on this machine.')

  const owner = await daemonUser()
  const folder = await mkdtemp(join(tmpdir(), 'parley-pgbouncer-'))
  const { hostname, port, username, pathname } = new URL(postgres)
  const users = join(folder, 'users.txt')
  await writeFile(users, `"${username}" ""\n`)
  let daemon: Daemon | undefined
  const stop = async () => {
    await daemon?.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    // Another process may take the port first.
    for (let attempt = 1; ; attempt++) {
      const own = await freePort()
      const file = join(folder, 'pgbouncer.ini')
      const settings = {
        listen_addr: '127.0.0.1',
        listen_port: own,
        unix_socket_dir: '',
        auth_type: 'trust',
        auth_file: users,
        pool_mode: 'transaction',
        default_pool_size: SESSIONS_PER_DATABASE,
        max_client_conn: 1_000,
        // An unused database can be dropped.
        server_idle_timeout: 1,
      }
      const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
      await writeFile(
        file,
        ['[databases]', `* = host=${hostname} port=${port}`, '[pgbouncer]', ...lines, ''].join('\n'),
      )
      if (owner) for (const path of [folder, users, file]) await chown(path, owner.uid, owner.gid)
      // SIGTERM stops it immediately.
      daemon = startDaemon(program, [file], { ...owner })
      try {
        await comesUp('PgBouncer', daemon, () => accepts(own))
        return { url: `postgres://${username}@127.0.0.1:${own}${pathname}`, stop }
      } catch (error) {
        if (attempt === 3 || !/address already in use/i.test(daemon.output())) throw error
      }
    }
  } catch (error) {
    await stop()
    throw error
  }
}
