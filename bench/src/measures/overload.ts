/** Three times the server's maximum rate: how many messages are refused, and the latency of the others. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Crowd, gather, openConnections } from '../crowd.ts'
import { requestText } from '../http-connection.ts'
import { Load } from '../load.ts'
import { memoryBytes, startEffort } from '../machine.ts'
import { percentile } from '../percentiles.ts'
import { atMost, type Figure } from '../report.ts'
import type { DatabaseKind, Parley, Targets } from '../target.ts'

const TIMES_CAPACITY = 3
/** Concurrent calls; more than the server admits. */
const CONNECTIONS = 4_000
const CAPACITY_TIMES = { warmSeconds: 2, seconds: 5 }
/** By then everything is back to normal. */
const NORMAL_AFTER_S = 5
const CALM_RATE = 100
const MEMORY_MB = 300
const SECOND_MS = 1_000
const ALIVE = ['GET /alive HTTP/1.1', 'Host: 127.0.0.1', '', ''].join('\r\n')
const GOAL_AFTER_MS = 50

export interface Overload {
  targets: Targets
  database: DatabaseKind
  seconds: number
  /** Called with the driver's CPU load. */
  onDriver(cpuPercent: number): void
}

export async function overload({ targets, database, seconds, onDriver }: Overload): Promise<Figure[]> {
  const parley = await targets.parley(database)
  const crowd = await gather(parley, { name: '500 pairs', channels: 500, members: 2, senders: 2, window: 200 })
  const load = await Load.on(parley, crowd)
  const { messagesPerSecond: capacity } = await load.asManyAsPossible(CAPACITY_TIMES)
  load.close()
  const before = memoryBytes(parley.pids)
  const effort = startEffort(parley)
  const flood = await flooded(parley, crowd, TIMES_CAPACITY * capacity, seconds)
  onDriver(effort().driverCpuPercent)
  await sleep(NORMAL_AFTER_S * SECOND_MS)
  const after = await flooded(parley, crowd, CALM_RATE, NORMAL_AFTER_S)
  crowd.leave()
  await parley.stop()
  const name = `${TIMES_CAPACITY} times what ${database} takes, for ${seconds} s`
  return [
    { name: `${name}: asked`, unit: 'messages/s', parley: flood.asked / seconds },
    {
      name: `${name}: taken`,
      unit: 'messages/s',
      parley: flood.taken.length / seconds,
      floor: { what: 'without overload', value: capacity },
    },
    { name: `${name}: taken, p99`, unit: 'ms', parley: percentile(flood.taken, 0.99), goal: atMost(1_000) },
    { name: `${name}: refused, p99`, unit: 'ms', parley: percentile(flood.refused, 0.99) },
    {
      name: `${name}: memory, beyond before`,
      unit: 'MB',
      parley: (flood.memory - before) / 1_048_576,
      goal: atMost(MEMORY_MB),
    },
    {
      name: `${name}: ${NORMAL_AFTER_S} s later, p99`,
      unit: 'ms',
      parley: percentile(after.taken, 0.99),
      goal: atMost(GOAL_AFTER_MS),
    },
    {
      name: `${name}: ${NORMAL_AFTER_S} s later, refused`,
      unit: 'messages',
      parley: after.refused.length,
      goal: atMost(0),
    },
  ]
}

/**
 * Sends at a rate regardless of responses, as many independent users do. Latency counts from the scheduled send time,
 * including the wait for a connection.
 */
async function flooded(parley: Parley, { senders }: Crowd, rate: number, seconds: number) {
  const idle = await openConnections(parley, CONNECTIONS)
  const all = [...idle]
  // Node accepts one new connection per turn of its loop: without this, the measure would show only late connections.
  await Promise.all(all.map((call) => call.call(ALIVE)))
  const [taken, refused]: [number[], number[]] = [[], []]
  const queue: number[] = []
  const start = performance.now()
  let asked = 0
  let memory = 0
  let open = 0
  let turn = 0
  const next = () => {
    while (queue.length > 0 && idle.length > 0) {
      const call = idle.pop()!
      const at = queue.shift()!
      const request = requestText(senders[turn++ % senders.length]!.head, `{"message":{"text":"One of very many"}}`)
      open += 1
      call.send(request, (status) => {
        open -= 1
        ;(status === 201 ? taken : refused).push(performance.now() - at)
        idle.push(call)
      })
    }
  }
  const look = setInterval(() => {
    memory = Math.max(memory, memoryBytes(parley.pids))
  }, SECOND_MS)
  while (performance.now() - start < seconds * SECOND_MS) {
    const now = performance.now()
    for (const due = ((now - start) / SECOND_MS) * rate; asked < due; asked++) queue.push(now)
    next()
    await sleep(1)
  }
  while (open > 0 || queue.length > 0) {
    next()
    await sleep(1)
  }
  clearInterval(look)
  for (const call of all) call.close()
  return { asked, taken, refused, memory }
}
