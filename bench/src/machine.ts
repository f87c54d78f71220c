/** CPU affinity, CPU time and memory of processes. Linux only. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, setPriority } from 'node:os'

/** A `nice` value with about thirty times the weight of other processes. */
const AHEAD = -15

/** Ticks of /proc per second: `getconf CLK_TCK`, 100 on every Linux that Node runs on. */
const TICK_MICROS = 10_000

/** Binds all threads of a running process to one core, or to all; later children inherit it. */
export function pin(pid: number, core: number | 'all') {
  const list = core === 'all' ? `0-${cpus().length - 1}` : String(core)
  const { status, stderr, error } = spawnSync('taskset', ['-acp', list, String(pid)], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`Process ${pid} cannot be bound to ${list}: ${error?.message ?? stderr}`)
}

/** Gives a process priority over others on the same core. Needs root. */
export function putAhead(pid: number) {
  setPriority(pid, AHEAD)
  // Many kernels weigh sessions against each other before the processes inside one.
  const session = `/proc/${pid}/autogroup`
  if (existsSync(session)) writeFileSync(session, `${AHEAD}`)
}

/** The cost of a phase. */
export interface Effort {
  seconds: number
  /** CPU time of the server with its database. */
  serverMicros: number
  serverCpuPercent: number
  /** The rest of the server's core: idle, or used by processes beside the bench. */
  idlePercent: number
  othersPercent: number
  driverCpuPercent: number
}

/** Starts measuring a server on a core, and the driver itself; the returned function gives the result. */
export function startEffort({ pids, core }: { pids: readonly number[]; core: number }): () => Effort {
  const start = performance.now()
  const cpu = cpuMicros(pids)
  const idle = idleMicros(core)
  const driver = process.cpuUsage()
  return () => {
    const tookMicros = (performance.now() - start) * 1000
    const percent = (micros: number) => (micros / tookMicros) * 100
    const serverMicros = cpuMicros(pids) - cpu
    const idlePercent = percent(idleMicros(core) - idle)
    const { user, system } = process.cpuUsage(driver)
    return {
      seconds: tookMicros / 1_000_000,
      serverMicros,
      serverCpuPercent: percent(serverMicros),
      idlePercent,
      othersPercent: Math.max(0, 100 - percent(serverMicros) - idlePercent),
      driverCpuPercent: percent(user + system),
    }
  }
}

/** Memory of these processes and their children, with shared pages divided among their users (PSS). */
export function memoryBytes(roots: readonly number[]): number {
  let kilobytes = 0
  for (const pid of tree(roots)) {
    const [, pss] = /^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`) ?? '') ?? []
    kilobytes += Number(pss ?? 0)
  }
  return kilobytes * 1024
}

/** CPU time of these processes and their descendants, in microseconds. */
function cpuMicros(roots: readonly number[]): number {
  let ticks = 0
  for (const pid of tree(roots)) {
    // Their own in user and kernel mode, then that of ended children: PostgreSQL's come and go.
    for (const field of statOf(pid)?.slice(11, 15) ?? []) ticks += Number(field)
  }
  return ticks * TICK_MICROS
}

/** Idle time of a core since the machine started, disk waits included; in microseconds. */
function idleMicros(core: number): number {
  const [, times = ''] = new RegExp(`^cpu${core} (.*)$`, 'm').exec(read('/proc/stat') ?? '') ?? []
  const [, , , idle = 0, waiting = 0] = times.split(' ').map(Number)
  return (idle + waiting) * TICK_MICROS
}

/** The running child processes of a process. */
export function childrenOf(parent: number): number[] {
  return allProcesses().filter((pid) => Number(statOf(pid)?.[1]) === parent)
}

function tree(roots: readonly number[]): number[] {
  const byParent = Map.groupBy(allProcesses(), (pid) => Number(statOf(pid)?.[1]))
  const found = [...roots]
  for (const pid of found) found.push(...(byParent.get(pid) ?? []))
  return found
}

function allProcesses() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
}

/** /proc/<pid>/stat from the state on: [1] parent, [11] user and [12] system ticks, [13] and [14] of ended children. */
function statOf(pid: number): string[] | undefined {
  const stat = read(`/proc/${pid}/stat`)
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** A process may end between being listed and being read. */
function read(path: string) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
