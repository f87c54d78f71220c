import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type Program, runTogether } from './run-together.ts'
import { freePort } from './services/service.ts'

async function aProgram(name: string, person: string): Promise<Program> {
  const port = await freePort()
  return {
    name,
    args: [join(import.meta.dirname, 'fixtures/program.ts')],
    env: { ...process.env, PORT: `${port}`, PERSON: person },
    host: '127.0.0.1',
    port,
    portSetting: 'PORT',
  }
}

/** Starts programs and records when they are ready, what they write, and how it ends. */
function run(programs: Program[], drainMs = 0) {
  const lines: string[] = []
  const hurry = new AbortController()
  const stop = new AbortController()
  const ready = Promise.withResolvers<void>()
  const ended = runTogether(programs, {
    print: (line) => lines.push(line),
    whenReady: ready.resolve,
    signal: stop.signal,
    hurry: hurry.signal,
    drainMs,
  })
  return {
    lines,
    ready: () => Promise.race([ready.promise, ended]),
    ended,
    stop: () => stop.abort(),
    hurry: () => hurry.abort(),
  }
}

it('starts each program when the one before is healthy, and stops them in reverse', async () => {
  const programs = [await aProgram('server', 'Ada'), await aProgram('web', 'Bo')]
  const { lines, ready, ended, stop } = run(programs)
  await ready()
  for (const { port } of programs) expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200)

  stop()
  await ended
  expect(lines).toEqual([
    'server │ listening on behalf of Ada',
    'web    │ listening on behalf of Bo',
    'web    │ goodbye',
    'server │ goodbye',
  ])
})

it('names the program that ended by itself and stops the other', async () => {
  const programs = [await aProgram('server', 'Ada'), await aProgram('web', 'Bo')]
  const { lines, ready, ended } = run(programs)
  await ready()
  await fetch(`http://127.0.0.1:${programs[1]!.port}/fail`).catch(() => {})
  await expect(ended).rejects.toThrow('The web ended with exit code 7.')
  expect(lines).toContain('server │ goodbye')
})

it('names an occupied port in one line, before anything starts', async () => {
  const programs = [await aProgram('server', 'Ada'), await aProgram('web', 'Bo')]
  const somebody = createServer().listen(programs[1]!.port, '127.0.0.1')
  await once(somebody, 'listening')
  const { lines, ended } = run(programs)
  await expect(ended).rejects.toThrow(
    `Port ${programs[1]!.port} for the web is taken. Stop what listens there, or set PORT to another.`,
  )
  expect(lines).toEqual([])
  somebody.close()
})

it('lets each program drain, and passes a second stop signal on', async () => {
  const programs = [await aProgram('server', 'Ada'), await aProgram('web', 'Bo')]
  for (const { env } of programs) env.DRAINS = 'yes'
  const { lines, ready, ended, stop, hurry } = run(programs, 60_000)
  await ready()
  stop()
  await expect.poll(() => lines).toContain('web    │ draining')
  // The server keeps serving while the web app drains.
  expect(lines).not.toContain('server │ draining')
  hurry()
  await ended
  expect(lines).toContain('web    │ goodbye')
  expect(lines).toContain('server │ goodbye')
})

it('can be stopped before any program is healthy', async () => {
  const { ended, stop } = run([await aProgram('server', 'Ada')])
  stop()
  await ended
})
