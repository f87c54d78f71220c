import { existsSync, realpathSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'

const SQLITE_BUSY = 5
const LOOK_MS = 100

export interface FileLock {
  release(): void
}

/**
 * Locks a SQLite file for one program, while it runs: an operating system lock on an empty file beside it
 * (`<file>-lock`), which ends with the process, however that ends. Other programs can still read and write the file
 * itself. The lock works wherever SQLite's own locks do, and without those the file is unusable anyway.
 *
 * @param waitMs how long to wait for a program that holds the lock, since it may be about to end
 * @param waiting is called once if there is one
 * @returns undefined if it still holds the lock
 */
export async function lockFile(file: string, waitMs: number, waiting: () => void): Promise<FileLock | undefined> {
  // Two names of one file share a lock.
  const path = `${existsSync(file) ? realpathSync(file) : file}-lock`
  // Only SQLite opens this file: closing another descriptor of it would release this process's locks.
  if (!existsSync(path)) writeFileSync(path, '', { mode: 0o600, flag: 'a' })
  for (let waitedMs = 0; ; waitedMs += LOOK_MS) {
    const database = new DatabaseSync(path, { timeout: 0 })
    try {
      database.exec('pragma locking_mode = exclusive; begin exclusive')
      // Releasing twice is harmless.
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
