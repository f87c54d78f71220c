import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ChildProgram } from '../../process/testing/child-program.ts'

const opens = join(import.meta.dirname, 'testing/keep-open.ts')

/** A program that opens the product's database as a web app does, and stays. */
class Program extends ChildProgram {
  constructor(env: Record<string, string>) {
    super([opens], { SESSION_SECRET: 'x'.repeat(32), ...env })
  }
}

function aDatabase() {
  const folder = mkdtempSync(join(tmpdir(), 'parley-two-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'web.sqlite')
  return { file, env: { WEB_DATABASE_URL: `sqlite:${file}`, DATA_DIR: folder } }
}

it('[SET-7] a second web app on one file of SQLite is refused, naming WEB_DATABASE_URL; one that waits for the first starts', async () => {
  const { file, env } = aDatabase()
  const first = new Program(env)
  await first.prints('opened')
  expect(existsSync(`${file}-lock`)).toBe(true)
  await new Program({ ...env, START_WAIT_SECONDS: '0' }).isRefused(/^Another program .* WEB_DATABASE_URL\. .*\n$/)

  const second = new Program(env)
  await second.prints('Another program uses the file of WEB_DATABASE_URL. Waiting for it to end, for up to 30 s.')
  expect(second.output).not.toContain('opened')
  await first.ends('SIGTERM')
  await second.prints('opened')
}, 90_000)

it('[SET-7] a killed web app blocks no other', async () => {
  const { env } = aDatabase()
  for (let start = 0; start < 3; start++) {
    const program = new Program({ ...env, START_WAIT_SECONDS: '0' })
    await program.prints('opened')
    await program.ends('SIGKILL')
  }
}, 90_000)
