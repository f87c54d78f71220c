import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { findProgram } from './program.ts'

/** Something that runs beside the tests for a while. */
export interface Service {
  url: string
  /** Ends it and removes what it wrote. Calling it twice is fine. */
  stop(): Promise<void>
}

const STOP_WAIT_MS = 10_000

export interface Daemon {
  process: ChildProcess
  /** Everything it has written so far, for the error message when it does not come up. */
  output(): string
  stop(): Promise<void>
}

/**
 * Starts a program that runs until we stop it, or until we die ourselves.
 *
 * @param stopSignal  what asks it to end; SIGKILL follows 10 s later
 * @param owner       the user to run as, when not our own
 */
export function startDaemon(
  program: string,
  args: string[],
  { stopSignal = 'SIGTERM', owner }: { stopSignal?: NodeJS.Signals; owner?: { uid: number; gid: number } } = {},
): Daemon {
  // A killed test run cannot clean up, so on Linux the kernel passes our death on.
  const setpriv = findProgram(['setpriv'])
  const command = setpriv
    ? [setpriv, '--pdeathsig', stopSignal.replace('SIG', ''), program, ...args]
    : [program, ...args]

  // In a group of its own, so that Ctrl+C reaches us alone and we can stop things in their order.
  const child = spawn(command[0]!, command.slice(1), { detached: true, stdio: ['ignore', 'pipe', 'pipe'], ...owner })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  child.on('error', (error) => (output += error.message))

  let stopping: Promise<void> | undefined
  return { process: child, output: () => output, stop: () => (stopping ??= stopProcess(child, stopSignal)) }
}

/** Asks a process to end, waits, and makes it end when it does not listen. */
export async function stopProcess(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (hasEnded(child)) return
  const ended = once(child, 'exit')
  child.kill(signal)
  const force = setTimeout(() => child.kill('SIGKILL'), STOP_WAIT_MS)
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
  const deadline = Date.now() + 30_000
  while (!(await isUp())) {
    if (hasEnded(daemon.process)) throw new Error(`${name} ended at once:\n${daemon.output()}`)
    if (Date.now() > deadline) {
      await daemon.stop()
      throw new Error(`${name} did not come up within 30 s:\n${daemon.output()}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** A port nobody listens on at this moment. Somebody may take it before we do, so be ready to try again. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('The system gave a socket without a port.')
  return address.port
}
