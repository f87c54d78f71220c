import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { findProgram } from './program.ts'

/** Something that runs beside the tests for a while. */
export interface Service {
  url: string
  /** Ends it and removes what it wrote. Calling it twice is fine. */
  stop(): Promise<void>
}

/** A process that does not end by itself within this time after being asked is killed. */
const STOP_WAIT_MS = 10_000

/** Characters of a daemon's last words, for the error message when it does not come up. */
const OUTPUT_KEPT = 10_000

export interface Daemon {
  process: ChildProcess
  /** The end of what it has written so far. */
  output(): string
  stop(): Promise<void>
}

interface BoundOptions extends SpawnOptions {
  /** What asks the program to end. */
  stopSignal?: NodeJS.Signals
}

/**
 * Starts a program that ends when we do, whatever ends us, and that Ctrl+C reaches only through us.
 *
 * Its output comes through pipes; `uid` and `gid` make it run as somebody else.
 */
export function spawnBound(program: string, args: string[], { stopSignal = 'SIGTERM', ...options }: BoundOptions = {}) {
  // A killed process cannot clean up after itself, so on Linux the kernel passes our death on.
  const setpriv = findProgram(['setpriv'])
  const bound = setpriv ? [setpriv, '--pdeathsig', stopSignal.replace('SIG', ''), program, ...args] : [program, ...args]
  // A process group of its own keeps the terminal's Ctrl+C away: we end things in their order.
  return spawn(bound[0]!, bound.slice(1), { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
}

export function startDaemon(program: string, args: string[], options: BoundOptions = {}): Daemon {
  const child = spawnBound(program, args, options)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      output = (output + chunk).slice(-OUTPUT_KEPT)
    })
  child.on('error', (error) => {
    output += error.message
  })
  return { process: child, output: () => output, stop: () => stopProcess(child, options.stopSignal) }
}

/** Asks a process to end, waits, and makes it end when it does not listen. */
export async function stopProcess(
  child: ChildProcess,
  signal: NodeJS.Signals = 'SIGTERM',
  waitMs = STOP_WAIT_MS,
): Promise<void> {
  if (hasEnded(child)) return
  const ended = once(child, 'exit')
  child.kill(signal)
  const force = setTimeout(() => child.kill('SIGKILL'), waitMs)
  await ended
  clearTimeout(force)
}

export function hasEnded(child: ChildProcess) {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null
}

/**
 * Asks again and again until the answer is yes.
 *
 * @throws Error with the program's own words when it ends, or says nothing for 30 s
 */
export async function comesUp(name: string, daemon: Daemon, isUp: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 30_000
  while (!(await isUp())) {
    if (hasEnded(daemon.process)) throw new Error(`${name} ended at once:\n${daemon.output()}`)
    if (performance.now() > deadline) {
      await daemon.stop()
      throw new Error(`${name} did not come up within 30 s:\n${daemon.output()}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** A port nobody listens on at this moment. Somebody may take it before we do, so be ready to try again. */
export async function freePort(): Promise<number> {
  for (;;) {
    // The next of a block that this worker has to itself: of a port that the system chooses, another worker may be told
    // as well before anybody listens there. Below those that the system chooses for outgoing calls.
    const worker = Number(process.env.VITEST_POOL_ID ?? 0)
    const port = FIRST_PORT + (worker % BLOCKS) * PORTS_EACH + (nextPort++ % PORTS_EACH)
    if (await isFree(port)) return port
  }
}

const FIRST_PORT = 12_000
const BLOCKS = 20
const PORTS_EACH = 1_000
/** Two runs at the same time begin at different places. */
let nextPort = process.pid % PORTS_EACH

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
