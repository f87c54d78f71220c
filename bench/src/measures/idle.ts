/** The memory of an idle connection, and the memory and CPU of an idle server. */
import { setTimeout as sleep } from 'node:timers/promises'
import { connectAll, makeUsers, openConnections } from '../crowd.ts'
import { memoryBytes } from '../machine.ts'
import { newTally } from '../member.ts'
import { atMost, type Figure } from '../report.ts'
import type { DatabaseKind, Target, Targets } from '../target.ts'

/** The first connections allocate memory that is needed only once. */
const FIRST = 100
/** Memory is read when it has not fallen for this long: the garbage collector prefers idle moments. */
const STILL_MS = 4_000
/** What Parley may need beyond a bare socket, in bytes. */
const ALLOWANCE = 4_096

export interface Idle {
  targets: Targets
  connections: number
  database: DatabaseKind
  /** Longest wait for the memory to settle. */
  settleMs: number
}

export async function idle(asked: Idle): Promise<Figure[]> {
  const { targets, database } = asked
  const bare = await targets.broadcast('each', 0)
  const floor = await bytesPerConnection(bare, asked)
  await bare.stop()

  const parley = await targets.parley(database)
  // PostgreSQL has processes of its own; they do not grow with the connections.
  const server = { ...parley, pids: parley.pids.slice(0, 1) }
  await settled(server, asked.settleMs)
  const empty = memoryBytes(server.pids)
  const bytes = await bytesPerConnection(server, asked)
  await parley.stop()
  return [
    {
      name: `idle connection, ${asked.connections} of them`,
      unit: 'kB',
      parley: bytes / 1024,
      floor: { what: 'bare `ws`', value: floor / 1024 },
      goal: atMost((floor + ALLOWANCE) / 1024),
    },
    { name: 'empty server', unit: 'MB', parley: empty / 1024 / 1024, goal: atMost(120) },
    { name: 'healthy after start', unit: 's', parley: parley.startMs / 1000, goal: atMost(1) },
  ]
}

async function bytesPerConnection(target: Target, { connections, settleMs }: Idle): Promise<number> {
  const userIds = Array.from({ length: FIRST + connections }, (_, i) => `u${i}`)
  const calls = await openConnections(target, 4)
  await makeUsers(calls, userIds)
  for (const call of calls) call.close()

  const tally = newTally()
  const first = await connectAll(target, userIds.slice(0, FIRST), tally)
  await settled(target, settleMs)
  const before = memoryBytes(target.pids)
  const others = await connectAll(target, userIds.slice(FIRST), tally)
  await settled(target, settleMs)
  const after = memoryBytes(target.pids)
  for (const member of [...first, ...others]) member.close()
  if (tally.dropped.length > 0) throw new Error(`A connection was dropped: ${tally.dropped[0]}`)
  return (after - before) / connections
}

async function settled({ pids }: Target, settleMs: number) {
  const start = performance.now()
  let lowest = Number.POSITIVE_INFINITY
  let since = start
  while (performance.now() - since < STILL_MS && performance.now() - start < settleMs) {
    const bytes = memoryBytes(pids)
    if (bytes < lowest * 0.99) {
      lowest = bytes
      since = performance.now()
    }
    await sleep(250)
  }
}
