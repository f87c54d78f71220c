import { basename, dirname, posix } from 'node:path'
import { importsOf, type Manifest, resolve } from '../imports.ts'
import type { SourceFile } from '../source-files.ts'

/** The tests near a file: by name, by folder, and by the number of imports between them. */
export class NearestTests {
  readonly #tests: string[]
  /** The importers of a file, by its path. */
  readonly #importers = new Map<string, Set<string>>()

  /**
   * @param files      every source file, including tests and test-only code
   * @param pages      every HTML page that tests open, as a path and its text; what it loads counts as imported
   * @param manifests  the package.json of each workspace, by its folder
   */
  constructor(files: SourceFile[], pages: SourceFile[], manifests: Record<string, Manifest>) {
    this.#tests = files.map(({ path }) => path).filter(isTest)
    for (const file of files) {
      for (const { specifier, isType } of importsOf(file)) {
        const target = isType ? undefined : resolve(file.path, specifier, manifests)
        if (target) this.#link(file.path, target)
      }
      for (const page of pages) if (file.text.includes(`'${basename(page.path)}'`)) this.#link(file.path, page.path)
    }
    for (const { path, text } of pages)
      for (const [, source] of text.matchAll(/src="([^"]+)"/g)) this.#link(path, posix.join(dirname(path), source!))
  }

  /** The nearest first: its own, those of its folder, then those that import it, directly or transitively. */
  to(path: string): string[] {
    const distance = this.#distances(path)
    const words = wordsOf(path)
    const rank = (test: string) => [
      stem(test) === stem(path) ? 0 : 1,
      dirname(test) === dirname(path) ? 0 : 1,
      distance.get(test) ?? Number.MAX_SAFE_INTEGER,
      -wordsOf(test).filter((word) => words.includes(word)).length,
      -sharedFolders(test, path),
    ]
    return this.#tests
      .filter((test) => distance.has(test) || dirname(test) === dirname(path))
      .map((test) => ({ test, rank: rank(test) }))
      .sort((a, b) => compare(a.rank, b.rank) || (a.test < b.test ? -1 : 1))
      .map(({ test }) => test)
  }

  #link(from: string, to: string) {
    this.#importers.set(to, (this.#importers.get(to) ?? new Set()).add(from))
  }

  /** The number of imports between each file and this one. */
  #distances(path: string): Map<string, number> {
    const distances = new Map([[path, 0]])
    for (const [at, distance] of distances)
      for (const importer of this.#importers.get(at) ?? [])
        if (!distances.has(importer)) distances.set(importer, distance + 1)
    return distances
  }
}

export function isTest(path: string) {
  return /\.test\.tsx?$/.test(path)
}

function stem(path: string) {
  return path.replace(/(\.test)?\.tsx?$/, '')
}

/** `MessageList.tsx` → message, list; and its folder. */
function wordsOf(path: string): string[] {
  const name = basename(stem(path)).replace(/([a-z])([A-Z])/g, '$1-$2')
  return [...name.split(/[-.]/), basename(dirname(path))].map((word) => word.toLowerCase().replace(/s$/, ''))
}

function sharedFolders(a: string, b: string) {
  const others = b.split('/')
  const differs = a.split('/').findIndex((folder, depth) => folder !== others[depth])
  return differs < 0 ? others.length : differs
}

function compare(a: number[], b: number[]): number {
  const at = a.findIndex((value, index) => value !== b[index])
  return at < 0 ? 0 : a[at]! - b[at]!
}
