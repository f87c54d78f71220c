import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from './program.ts'
import { comesUp, type Daemon, type Service, startDaemon } from './service.ts'

export function findNats(): string | undefined {
  return findProgram(['nats-server'], ['/usr/sbin', '/usr/local/sbin'])
}

/** Servers, whose processes may be stopped and killed. */
export interface Nats extends Service {
  pids: number[]
}

/** Where one server listens, from its ports file. */
interface Ports {
  nats: string[]
  cluster: string[]
  monitoring: string[]
}

/**
 * Starts a cluster of NATS servers on free ports.
 *
 * @param nodes   how many; two make a cluster
 * @param config  the servers' configuration file, such as for authorization
 * @param anyPort  whether they listen on free ports; else on the configured one
 * @returns `url` holds the address of every node, comma-separated: `nats://127.0.0.1:41234,nats://127.0.0.1:41235`
 */
export async function startNats({ nodes = 2, config = '', anyPort = true } = {}): Promise<Nats> {
  const program = findNats()
  if (!program) throw new Error('nats-server is not on this machine.')

  const folder = await mkdtemp(join(tmpdir(), 'parley-nats-'))
  const daemons: Daemon[] = []
  const stop = async () => {
    await Promise.all(daemons.map((daemon) => daemon.stop()))
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const file = join(folder, 'nats.conf')
    await writeFile(file, config)
    const running: Ports[] = []
    for (let node = 0; node < nodes; node++) {
      const routes = running.flatMap(({ cluster }) => cluster)
      const daemon = startDaemon(program, [
        ...['--config', file],
        ...[
          '--addr',
          '127.0.0.1',
          ...(anyPort ? ['--port', '-1'] : []),
          '--http_port',
          '-1',
          '--ports_file_dir',
          folder,
        ],
        ...['--name', `node-${node}`, '--cluster_name', 'parley', '--cluster', 'nats://127.0.0.1:-1'],
        ...(routes.length > 0 ? ['--routes', routes.join()] : []),
      ])
      daemons.push(daemon)
      running.push(await portsOf(daemon, folder))
    }
    await Promise.all(running.map((ports, node) => comesUp('NATS', daemons[node]!, () => knows(ports, nodes - 1))))
    const pids = daemons.map((daemon) => daemon.process.pid!)
    return { url: running.map(({ nats }) => nats[0]).join(), pids, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function portsOf(daemon: Daemon, folder: string): Promise<Ports> {
  const file = join(folder, `nats-server_${daemon.process.pid}.ports`)
  let ports: Ports | undefined
  await comesUp('NATS', daemon, async () => {
    // It may exist and be incomplete.
    ports = await readFile(file, 'utf8')
      .then(JSON.parse)
      .catch(() => undefined)
    return ports !== undefined
  })
  return ports!
}

/** Whether this node has a route to that many others. */
async function knows({ monitoring }: Ports, others: number): Promise<boolean> {
  const answer = await fetch(`${monitoring[0]}/routez`)
  const { routes } = (await answer.json()) as { routes?: { remote_id: string }[] }
  return new Set(routes?.map(({ remote_id }) => remote_id)).size >= others
}
