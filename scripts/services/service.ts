import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { findProgram } from './program.ts'

/** A process that runs beside the tests. */
export interface Service {
  url: string
  /** Stops it and removes its files. Calling it twice is fine. */
  stop(): Promise<void>
}

/** A process that has not ended by then after its stop signal is killed. */
const STOP_WAIT_MS = 10_000

/** Characters of a daemon's output that are kept for the error message when it does not start. */
const OUTPUT_KEPT = 10_000

export interface Daemon {
  process: ChildProcess
  /** The last part of its output. */
  output(): string
  stop(): Promise<void>
}

interface BoundOptions extends SpawnOptions {
  /** The signal that stops the program. */
  stopSignal?: NodeJS.Signals
}

/**
 * Starts a program that ends with this process, however that ends, and that gets Ctrl+C only through it.
 *
 * Its output comes through pipes; `uid` and `gid` make it run as another user.
 */
export function spawnBound(program: string, args: string[], { stopSignal = 'SIGTERM', ...options }: BoundOptions = {}) {
  // A killed process cannot clean up after itself, so on Linux the kernel signals the child.
  const setpriv = findProgram(['setpriv'])
  const bound = setpriv ? [setpriv, '--pdeathsig', stopSignal.replace('SIG', ''), program, ...args] : [program, ...args]
  // A process group of its own keeps the terminal's Ctrl+C away: processes are stopped in order.
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

/** Signals a process to stop, waits, and kills it after that. */
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
 * Polls until the condition holds.
 *
 * @throws Error with the program's own output when it ends, or is not up within 30 s
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

/** A port that is free at this moment. Another process may take it first, so be ready to retry. */
export async function freePort(): Promise<number> {
  for (;;) {
    // The next port of this worker's own block: the system could give the same port to another worker before this one
    // listens. The blocks are below the system's ports for outgoing connections.
    const worker = Number(process.env.VITEST_POOL_ID ?? 0)
    const port = FIRST_PORT + (worker % BLOCKS) * PORTS_EACH + (nextPort++ % PORTS_EACH)
    if (await isFree(port)) return port
  }
}

const FIRST_PORT = 12_000
const BLOCKS = 20
const PORTS_EACH = 1_000
/** Two concurrent runs start at different ports. */
let nextPort = process.pid % PORTS_EACH

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
