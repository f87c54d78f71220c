import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'

const page = readFileSync(join(import.meta.dirname, '../docs/operating.md'), 'utf8')

it('a backup made as the page for operators describes is readable by its owner alone', () => {
  const [, commands] = /\n## Backup\n.*?```sh\n(.*?)```/s.exec(page)!
  const folder = mkdtempSync(join(tmpdir(), 'parley-backup-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'data/files/tea'), { recursive: true })
  for (const name of ['settings.json', 'session-secret', 'files/tea/one.png'])
    writeFileSync(join(folder, 'data', name), 'secret', { mode: 0o644 })
  for (const name of ['chat', 'web']) {
    const database = new DatabaseSync(join(folder, `data/${name}.sqlite`))
    database.exec(`pragma journal_mode = wal; create table words (word text); insert into words values ('${name}')`)
    // The database stays in use meanwhile.
    onTestFinished(() => database.close())
  }

  const { status, stderr } = spawnSync('sh', ['-e', '-c', `umask 022\n${commands}`], { cwd: folder, encoding: 'utf8' })
  expect(stderr).toBe('')
  expect(status).toBe(0)

  const made = globSync('backup/**', { cwd: folder })
  expect(made).toContain('backup/files/tea/one.png')
  for (const path of made) {
    const found = statSync(join(folder, path))
    expect([path, (found.mode & 0o777).toString(8)]).toEqual([path, found.isDirectory() ? '700' : '600'])
  }
  for (const name of ['chat', 'web']) {
    const database = new DatabaseSync(join(folder, `backup/${name}.sqlite`))
    expect({ ...database.prepare('select word from words').get() }).toEqual({ word: name })
    database.close()
  }
})
