import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ParseResult, parseSync } from 'vite'

/** A TypeScript file of the repository; the path is relative to the root, with `/`. */
export interface SourceFile {
  path: string
  text: string
}

const made = new Set(['node_modules', 'build', 'dist', 'data', 'artifacts', '.react-router'])

/** Every .ts and .tsx file of the repository that somebody wrote. */
export function allSources(root: string): SourceFile[] {
  return sourceFiles(root, ['packages', 'apps', 'e2e', 'bench', 'examples', 'scripts'])
}

/** Every .ts and .tsx file in these folders that somebody wrote, in the order of their paths. */
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
 * A file as the parser sees it, once for all who ask.
 *
 * @throws Error when it cannot be read
 */
export function parsed(file: SourceFile): ParseResult {
  const before = known.get(file)
  if (before) return before
  const result = parseSync(file.path, file.text)
  if (result.errors.length > 0) throw new Error(`${file.path} cannot be read: ${result.errors[0]!.message}`)
  known.set(file, result)
  return result
}

/** What a check of the sources has to say. */
export interface Report {
  lines: readonly string[]
  passes: boolean
}

/** 1-based line of a place in the text. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

/** Every HTML page in these folders that somebody wrote. */
export function pagesIn(root: string, folders: string[]): SourceFile[] {
  return folders
    .flatMap((folder) => globSync(`${folder}/**/*.html`, { cwd: root, exclude: isMade }))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}
