import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const programs = { server: 'apps/server/src/main.ts', web: 'apps/web/src/main.ts', start: 'scripts/start.ts' }

describe('an unusable setting', () => {
  let folder = ''
  let taken = ''
  const somebody = createServer()
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parley-start-'))
    writeFileSync(join(folder, 'a-file'), '')
    await once(somebody.listen(0, '127.0.0.1'), 'listening')
    taken = String((somebody.address() as AddressInfo).port)
  })
  afterAll(() => {
    somebody.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** How a start ends, and which files it leaves. */
  async function start(program: keyof typeof programs, env: Record<string, string>) {
    const data = join(folder, 'data')
    const at = {
      DATA_DIR: data,
      DATABASE_URL: `sqlite:${data}/chat.sqlite`,
      WEB_DATABASE_URL: `sqlite:${data}/web.sqlite`,
    }
    const { PATH } = process.env
    const child = spawn(process.execPath, [join(root, programs[program])], {
      cwd: folder,
      env: { PATH, PORT: '0', WEB_PORT: '0', ...at, ...env },
    })
    const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
    const databases = existsSync(data) ? readdirSync(data).filter((name) => name.includes('sqlite')) : []
    return { lines: (out + err).trim().split('\n'), code, databases }
  }

  it.each<[keyof typeof programs, string, Record<string, string>]>([
    ['server', 'DATABSE_URL', { DATABSE_URL: 'postgres://ada:hunter2@db/chat' }],
    ['server', 'PORT', { PORT: '3100 ' }],
    ['server', 'PORT', { PORT: 'taken' }],
    ['server', 'HOST', { HOST: '192.0.2.1' }],
    ['server', 'FILES_URL', { FILES_URL: 's3+http://key:hunter2@127.0.0.1:1/files' }],
    ['server', 'DATABASE_URL', { DATABASE_URL: 'postgres://ada:hunter2@127.0.0.1:1/chat' }],
    ['web', 'WEB_DATABSE_URL', { WEB_DATABSE_URL: 'sqlite:x' }],
    ['web', 'WEB_PORT', { WEB_PORT: 'taken' }],
    [
      'web',
      'WEB_DATABASE_URL',
      { WEB_DATABASE_URL: 'postgres://ada:hunter2@127.0.0.1:1/web', SESSION_SECRET: 'x'.repeat(32) },
    ],
    ['web', 'DEMO=on', { DEMO: 'on', PUBLIC_URL: 'https://chat.example.com' }],
    ['start', 'CHAT_URL', { CHAT_URL: 'localhost:3100' }],
    ['start', 'DATABSE_URL', { DATABSE_URL: 'sqlite:x' }],
    ['start', 'WEB_PORT', { WEB_PORT: 'abc' }],
  ])('ends %s with one line that names %s, and creates nothing', async (program, name, env) => {
    for (const [key, value] of Object.entries(env)) if (value === 'taken') env[key] = taken
    const { lines, code, databases } = await start(program, env)
    const said = lines.filter((line) => !line.startsWith('Chat is off.'))
    expect(said).toHaveLength(1)
    expect(said[0]).toMatch(new RegExp(`^${name} `))
    expect(said[0]).not.toContain('hunter2')
    expect(code).toBe(1)
    expect(databases).toEqual([])
  })
})
