import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { SettingError } from './settings.ts'

/**
 * The content of a file that is created once and kept, readable for its owner alone. Of several programs that start at
 * once one creates it, and none ever reads a part of it.
 *
 * @param make  its content when it does not exist
 * @throws SettingError — its folder cannot be written
 */
export function keptFile(file: string, make: () => string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw unwritable(file, error)
  }
  const unfinished = `${file}.${process.pid}`
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(unfinished, make(), { mode: 0o600 })
    // Unlike a rename, this never replaces a file that another program has created meanwhile.
    linkSync(unfinished, file)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw unwritable(file, error)
  } finally {
    rmSync(unfinished, { force: true })
  }
  return readFileSync(file, 'utf8')
}

function unwritable(file: string, cause: unknown): SettingError {
  return new SettingError(`DATA_DIR cannot be used: ${file} cannot be written (${codeOf(cause)}).`, { cause })
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code
}
