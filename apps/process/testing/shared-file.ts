import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'

const run = promisify(execFile)

/** How often the other program writes. */
export const LOCKS = 60

/** The path for a SQLite file of this name, until the test ends. */
export function aFile(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-shared-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, name)
}

/**
 * Repeats an action while other programs have the file open: some run maintenance statements, one holds the lock for up
 * to 15 ms after each of its writes.
 *
 * @param upkeep  statements, each run `turns` times
 * @param insert  the other program's write, with `$turn` for its number
 */
export async function besideOthers(
  file: string,
  { upkeep, turns, insert }: { upkeep: readonly string[]; turns: number; insert: string },
  act: () => Promise<void>,
) {
  let isOver = false
  const others = upkeep.map(async (statement) => {
    for (let turn = 0; turn < turns; turn++) await run('sqlite3', ['-cmd', '.timeout 10000', file, statement])
  })
  const meanwhile = Promise.all([...others, run(process.execPath, ['-e', locking, file, insert])]).finally(() => {
    isOver = true
  })
  while (!isOver) await act()
  await meanwhile
}

const locking = `
  const { DatabaseSync } = require('node:sqlite')
  const [, file, insert] = process.argv
  const database = new DatabaseSync(file, { timeout: 10000 })
  const still = new Int32Array(new SharedArrayBuffer(4))
  for (let turn = 0; turn < ${LOCKS}; turn++) {
    database.exec('begin immediate; ' + insert.replace('$turn', turn))
    Atomics.wait(still, 0, 0, 1 + turn % 15)
    database.exec('commit')
  }`
