import { existsSync, realpathSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'

const SQLITE_BUSY = 5
const LOOK_MS = 100

export interface FileLock {
  release(): void
}

/**
 * Keeps a file of SQLite for one program, as long as that runs: the lock is the operating system's, on an empty file
 * beside it (`<file>-lock`), and ends with the program however that ends. Others may still read and write the file
 * itself. It is there wherever SQLite's own locks are, without which nothing could use the file.
 *
 * @param waitMs how long a program that has it is waited for, since it may be about to end
 * @param waiting is told once when there is one
 * @returns undefined when it is there still
 */
export async function lockFile(file: string, waitMs: number, waiting: () => void): Promise<FileLock | undefined> {
  // Two names of one file have one lock.
  const path = `${existsSync(file) ? realpathSync(file) : file}-lock`
  // It is never opened but by SQLite: to close it would let go of the locks this program has.
  if (!existsSync(path)) writeFileSync(path, '', { mode: 0o600, flag: 'a' })
  for (let waitedMs = 0; ; waitedMs += LOOK_MS) {
    const database = new DatabaseSync(path, { timeout: 0 })
    try {
      database.exec('pragma locking_mode = exclusive; begin exclusive')
      // Whoever is told to end twice lets go once.
      return { release: () => void (database.isOpen && database.close()) }
    } catch (error) {
      database.close()
      if (((error as { errcode?: number }).errcode ?? 0) % 256 !== SQLITE_BUSY) throw error
    }
    if (waitedMs >= waitMs) return undefined
    if (waitedMs === 0) waiting()
    await pause(LOOK_MS)
  }
}
