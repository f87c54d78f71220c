import { isMade, type SourceFile, sourceFiles } from '../source-files.ts'
import { type Mutant, mutantsIn } from './mutants.ts'

/** The product itself, without code for tests, the component gallery and the docs alone. */
export const parts = [
  'apps/server',
  'packages/client',
  'packages/protocol',
  'packages/widgets',
  'apps/web',
  'apps/process',
]

/**
 * Never mutated: tests and test-only code, the component gallery and its examples, pictures for the docs, generated
 * code, build scripts, catalogues, and the names and texts of the demo, which are arbitrary.
 */
const leftOut = [
  /\.test\.tsx?$/,
  /\.d\.ts$/,
  /\.stories\.tsx$/,
  /\/(testing|fixtures|component-gallery|catalogues|emoji\/names)\//,
  /\/demo\/(conversations|names|pictures)\.ts$/,
  /\/connection-picture\.ts$/,
  /\/(vite|vitest|react-router)\.config\.ts$/,
  /\/pack\.ts$/,
  // A migration that ran once never runs on that database again.
  /\/migrations\.ts$/,
]

export function sourcesOf(root: string, folders: string[] = parts): SourceFile[] {
  return sourceFiles(root, folders).filter(({ path }) => isSource(path))
}

export function isSource(path: string) {
  return /\.tsx?$/.test(path) && !leftOut.some((pattern) => pattern.test(path)) && !isMade(path)
}

/**
 * A number of lines, each with one of its mutants; the same ones for the same seed and sources.
 *
 * @param seed  any text
 */
export function sample(files: SourceFile[], count: number, seed: string): Mutant[] {
  const random = numbersFrom(seed)
  const lines = files.flatMap((file) => [...Map.groupBy(mutantsIn(file), ({ line }) => line).values()])
  const chosen: Mutant[] = []
  while (chosen.length < count && lines.length > 0) {
    const at = Math.floor(random() * lines.length)
    const [line] = lines.splice(at, 1)
    chosen.push(line![Math.floor(random() * line!.length)]!)
  }
  return chosen
}

/** Numbers from 0 to below 1 (mulberry32, seeded by FNV-1a of the text). */
function numbersFrom(seed: string): () => number {
  let state = 0x811c9dc5
  for (const letter of seed) state = Math.imul(state ^ letter.codePointAt(0)!, 0x01000193)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
