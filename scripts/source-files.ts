import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ParseResult, parseSync } from 'vite'

/** A TypeScript file of the repository; the path is relative to the root, with `/`. */
export interface SourceFile {
  path: string
  text: string
}

const made = new Set(['node_modules', 'build', 'dist', 'data', 'artifacts', '.react-router'])

/** Every hand-written .ts and .tsx file of the repository. */
export function allSources(root: string): SourceFile[] {
  return sourceFiles(root, ['packages', 'apps', 'e2e', 'bench', 'examples', 'scripts'])
}

/** Every hand-written .ts and .tsx file in these folders, ordered by path. */
export function sourceFiles(root: string, folders: string[]): SourceFile[] {
  return folders
    .flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root, exclude: isMade }))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

export function isMade(path: string) {
  return path.split('/').some((name) => made.has(name))
}

const known = new WeakMap<SourceFile, ParseResult>()

/**
 * The syntax tree of a file, parsed once for all callers.
 *
 * @throws Error when it cannot be parsed
 */
export function parsed(file: SourceFile): ParseResult {
  const before = known.get(file)
  if (before) return before
  const result = parseSync(file.path, file.text)
  if (result.errors.length > 0) throw new Error(`${file.path} cannot be read: ${result.errors[0]!.message}`)
  known.set(file, result)
  return result
}

/** The result of a check of the sources. */
export interface Report {
  lines: readonly string[]
  passes: boolean
}

/** The 1-based line of an offset in the text. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

/** Every hand-written HTML page in these folders. */
export function pagesIn(root: string, folders: string[]): SourceFile[] {
  return folders
    .flatMap((folder) => globSync(`${folder}/**/*.html`, { cwd: root, exclude: isMade }))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}
