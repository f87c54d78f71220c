/** What the machine knows of processes: which core they run on, how long they ran, what they hold. Linux only. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, setPriority } from 'node:os'

/** What `nice` calls this: weighs about thirty times as much as other work. */
const AHEAD = -15

/** Ticks of /proc per second: `getconf CLK_TCK`, 100 on every Linux that Node runs on. */
const TICK_MICROS = 10_000

/** Binds all threads of a running process to one core, or to all; what it starts from then on stays there too. */
export function pin(pid: number, core: number | 'all') {
  const list = core === 'all' ? `0-${cpus().length - 1}` : String(core)
  const { status, stderr, error } = spawnSync('taskset', ['-acp', list, String(pid)], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`Process ${pid} cannot be bound to ${list}: ${error?.message ?? stderr}`)
}

/** Lets a process run before others that want the same core. Needs root. */
export function putAhead(pid: number) {
  setPriority(pid, AHEAD)
  // Many kernels weigh sessions against each other before they look at the processes inside one.
  const session = `/proc/${pid}/autogroup`
  if (existsSync(session)) writeFileSync(session, `${AHEAD}`)
}

/** What a stretch of work cost. */
export interface Effort {
  seconds: number
  /** Processor time of the server with its database. */
  serverMicros: number
  serverCpuPercent: number
  /** What is left of the server's core: nothing to do, and what processes beside the bench took. */
  idlePercent: number
  othersPercent: number
  driverCpuPercent: number
}

/** Begins to watch what a server on a core does, and we ourselves; the function it gives tells what it was. */
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

/** Memory these processes and their children hold, shared pages divided among those who share them (PSS). */
export function memoryBytes(roots: readonly number[]): number {
  let kilobytes = 0
  for (const pid of tree(roots)) {
    const [, pss] = /^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`) ?? '') ?? []
    kilobytes += Number(pss ?? 0)
  }
  return kilobytes * 1024
}

/** Processor time of these processes and all they started, in microseconds. */
function cpuMicros(roots: readonly number[]): number {
  let ticks = 0
  for (const pid of tree(roots)) {
    // Their own in user and kernel, then that of children that have ended: PostgreSQL's come and go.
    for (const field of statOf(pid)?.slice(11, 15) ?? []) ticks += Number(field)
  }
  return ticks * TICK_MICROS
}

/** How long a core had nothing to do since the machine started, waiting for disks included; in microseconds. */
function idleMicros(core: number): number {
  const [, times = ''] = new RegExp(`^cpu${core} (.*)$`, 'm').exec(read('/proc/stat') ?? '') ?? []
  const [, , , idle = 0, waiting = 0] = times.split(' ').map(Number)
  return (idle + waiting) * TICK_MICROS
}

/** The processes that one has started itself and that still run. */
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
