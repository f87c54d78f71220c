import { accessSync, constants, globSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * The path of the first of these programs that is installed; undefined when none is.
 *
 * @param names    possible names of the program, best first
 * @param folders  where else to look after PATH; globs are fine, the highest version wins
 */
export function findProgram(names: string[], folders: string[] = []): string | undefined {
  const onPath = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  const elsewhere = folders.flatMap((folder) => globSync(folder).sort(byVersion))
  for (const name of names)
    for (const folder of [...onPath, ...elsewhere]) {
      const path = join(folder, name)
      if (isExecutable(path)) return path
    }
  return undefined
}

function byVersion(a: string, b: string) {
  return b.localeCompare(a, 'en', { numeric: true })
}

function isExecutable(path: string) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
