/**
 * Equivalent mutants, which no test can notice, with the reason, in `equivalents.json` beside this file. An entry
 * applies as long as its line has the same text, wherever in the file it is; the check fails for an entry without a
 * reason, or without a matching mutant.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SourceFile } from '../source-files.ts'
import { type Mutant, mutantsIn } from './mutants.ts'
import { sourcesOf } from './sample.ts'

export interface Equivalent {
  path: string
  /** The whole line, trimmed. */
  text: string
  before: string
  after: string
  /** Why the product behaves the same with the mutant. */
  reason: string
}

export function readEquivalents(root: string): Equivalent[] {
  try {
    return JSON.parse(readFileSync(join(root, 'scripts/mutants/equivalents.json'), 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

export function isEquivalent(mutant: Mutant, equivalents: Equivalent[]): boolean {
  return equivalents.some((each) => matches(each, mutant))
}

/** The errors of the list, one line each. */
export function wrongEquivalents(equivalents: Equivalent[], files: SourceFile[]): string[] {
  const mutants = new Map(
    files
      .filter(({ path }) => equivalents.some((each) => each.path === path))
      .map((file) => [file.path, mutantsIn(file)]),
  )
  return equivalents.flatMap((each) => {
    const name = `${each.path}: ${each.before} → ${each.after}`
    if (!each.reason?.trim()) return [`${name}: say why nobody could notice it`]
    if (!mutants.get(each.path)?.some((mutant) => matches(each, mutant))) return [`${name}: there is no such change`]
    return []
  })
}

function matches(each: Equivalent, { path, text, before, after }: Mutant) {
  return each.path === path && each.text === text && each.before === before && each.after === after
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '../..')
  const equivalents = readEquivalents(root)
  const wrong = wrongEquivalents(equivalents, sourcesOf(root))
  for (const each of wrong) console.log(`scripts/mutants/equivalents.json: ${each}`)
  console.log(`${equivalents.length} mutants that nobody could notice, ${wrong.length} wrong`)
  if (wrong.length > 0) process.exit(1)
}
