import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { hasEnded, spawnBound, stopProcess } from './services/service.ts'

/** One of several programs that need each other. */
export interface Program {
  /** The prefix of each line it writes. */
  name: string
  /** Arguments for Node: its own options, then the file. */
  args: string[]
  env: NodeJS.ProcessEnv
  host: string
  port: number
  /** The setting that moves it to another port. */
  portSetting: string
}

export interface RunOptions {
  /** Gets every line the programs write, with the prefix. */
  print(line: string): void
  /** Called once, when all are healthy. */
  whenReady(): void
  /** Stops them, the last started first; one that is still running after 10 s, and `drainMs` more, is killed. */
  signal: AbortSignal
  /** How long each may drain after the stop signal. */
  drainMs?: number
  /** Signals them once more to stop, all at once. */
  hurry?: AbortSignal
}

/** A first start migrates and seeds, which may take a while on a slow disk. */
const HEALTHY_WITHIN_MS = 60_000
const STOP_WAIT_MS = 10_000

/**
 * Starts programs one after the other, each when `GET /health` of the one before succeeds, and stops all when one ends.
 *
 * @returns once all have ended because of `signal`
 * @throws Error in one line, when nothing runs any more: a port was taken, a program ended or never became healthy
 */
export async function runTogether(programs: Program[], options: RunOptions): Promise<void> {
  const { print, whenReady, signal, drainMs = 0, hurry } = options
  const asked = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  const children: ChildProcess[] = []
  const endings: Promise<never>[] = []
  try {
    for (const program of programs) await demandFreePort(program)
    for (const program of programs) {
      if (signal.aborted) return
      const child = start(program, print)
      children.push(child)
      endings.push(endOf(program, child))
      await Promise.race([healthy(program, child), asked, ...endings])
    }
    if (!signal.aborted) whenReady()
    await Promise.race([asked, ...endings])
  } finally {
    const again = () => {
      for (const child of children) if (!hasEnded(child)) child.kill('SIGTERM')
    }
    hurry?.addEventListener('abort', again)
    for (const child of children.toReversed()) {
      const ended = stopProcess(child, 'SIGTERM', STOP_WAIT_MS + drainMs)
      if (hurry?.aborted) child.kill('SIGTERM')
      await ended
    }
  }
}

async function demandFreePort({ name, host, port, portSetting }: Program) {
  const probe = createServer().listen(port, host)
  try {
    await once(probe, 'listening')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
    throw new Error(`Port ${port} for the ${name} is taken. Stop what listens there, or set ${portSetting} to another.`)
  }
  probe.close()
  await once(probe, 'close')
}

function start({ name, args, env }: Program, print: (line: string) => void): ChildProcess {
  const child = spawnBound(process.execPath, args, { env })
  for (const stream of [child.stdout, child.stderr])
    if (stream) createInterface({ input: stream }).on('line', (line) => print(`${name.padEnd(6)} │ ${line}`))
  return child
}

/** @throws Error once the program has ended */
async function endOf({ name }: Program, child: ChildProcess): Promise<never> {
  const [code, signal] = await once(child, 'exit')
  throw new Error(`The ${name} ended ${signal ? `by ${signal}` : `with exit code ${code}`}.`)
}

/** @throws Error on a timeout; never settles after the program ends, which has an error of its own */
async function healthy({ name, host, port }: Program, child: ChildProcess): Promise<void> {
  const url = `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}/health`
  const deadline = performance.now() + HEALTHY_WITHIN_MS
  while (!hasEnded(child)) {
    const answer = await fetch(url).catch(() => undefined)
    await answer?.body?.cancel()
    if (answer?.ok) return
    if (performance.now() > deadline)
      throw new Error(`The ${name} did not become healthy within ${HEALTHY_WITHIN_MS / 1000} s.`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  await new Promise(() => {})
}
