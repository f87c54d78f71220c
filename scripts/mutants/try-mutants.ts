import { spawnSync } from 'node:child_process'
import type { Copy } from './copy.ts'
import type { Mutant } from './mutants.ts'
import { type Failure, nameOf, patternOf, type Run, type RunOptions, runTests } from './run-tests.ts'

/** The first run uses this many of the nearest files; most mutants are killed there. */
const NEAREST_FIRST = 2
const NEAREST_MAX = 8
/** Server tests that exist for several databases run on one of them in the stage of the nearest tests. */
const ON_ONE_DATABASE = '^(?!.*\\bon (PostgreSQL|two nodes))'
/** A mutant that breaks everything need not run to the end. */
const FAILURES_TOGETHER = 20
/** This many of the tests that failed with all mutants are run with each one alone. */
const WITNESSES = 6

export type Outcome =
  | { mutant: Mutant; state: 'killed'; by: Stage; failure: Failure }
  | { mutant: Mutant; state: 'survived' }
  | { mutant: Mutant; state: 'equivalent' }

export type Stage = 'nearest tests' | 'suite' | 'end to end'

/** The test suite of a part; its own where not listed. */
const suites: Record<string, string[]> = {
  'packages/protocol': ['packages/client', 'apps/server'],
  'apps/process': ['apps/process', 'apps/server', 'apps/web'],
}

export function suiteOf(part: string): string[] {
  return suites[part] ?? [part]
}

/** `apps/server`, or the first folders of any path. */
export function partOf(path: string) {
  return path.split('/').slice(0, 2).join('/')
}

/** Tries mutants in one copy. A failed test counts only if it passes without the mutant. */
export class Trials {
  readonly #copy: Copy
  /** Whether a test passes without mutants; shared by all copies. */
  readonly #sound: Map<string, boolean>

  constructor(copy: Copy, sound: Map<string, boolean>) {
    this.#copy = copy
    this.#sound = sound
  }

  /**
   * One mutant against the tests near it, the nearest first.
   *
   * @param tests     test files by nearness
   * @param withinMs  for all of them; a test that has not ended by then counts as passed
   * @returns the test that failed
   */
  async nearest(mutant: Mutant, tests: string[], withinMs: number): Promise<Failure | undefined> {
    const deadline = Date.now() + withinMs
    const near = tests.slice(0, NEAREST_MAX)
    const names = partOf(mutant.path) === 'apps/server' ? ON_ONE_DATABASE : undefined
    for (const files of [near.slice(0, NEAREST_FIRST), near.slice(NEAREST_FIRST)]) {
      const left = deadline - Date.now()
      if (files.length === 0 || left <= 0) continue
      const { failures, isCutShort } = await this.#run([mutant], files, {
        bail: 1,
        withinMs: left,
        ...(names && { names }),
      })
      for (const failure of failures) if (await this.#speaksAgainst(failure)) return failure
      if (isCutShort) break
    }
    return undefined
  }

  /**
   * Many mutants at once against all these tests; each failed test is then run with each mutant alone. Runs again
   * without the killed ones, until nothing fails.
   *
   * @returns the killed mutants, each with its test
   */
  async together(
    mutants: readonly Mutant[],
    files: string[],
    say: (line: string) => void,
  ): Promise<Map<Mutant, Failure>> {
    const found = new Map<Mutant, Failure>()
    for (;;) {
      const rest = mutants.filter((mutant) => !found.has(mutant))
      if (rest.length === 0) return found
      const { failures } = await this.#run(rest, files, { bail: rest.length === 1 ? 1 : FAILURES_TOGETHER })
      const witnesses = [...new Map(failures.map((each) => [each.file ?? each.why, each])).values()].slice(0, WITNESSES)
      const before = found.size
      for (const witness of witnesses) {
        if (!(await this.#speaksAgainst(witness))) continue
        for (const mutant of rest)
          if (!found.has(mutant) && (rest.length === 1 || (await this.#notices(witness, mutant, files))))
            found.set(mutant, witness)
      }
      if (found.size > before) continue
      for (const witness of witnesses) say(`failed, but not with any one of them: ${nameOf(witness)}: ${witness.why}`)
      return found
    }
  }

  async #notices(witness: Failure, mutant: Mutant, files: string[]): Promise<boolean> {
    const { failures } = await this.#run([mutant], ...alone(witness, files))
    return failures.length > 0
  }

  /** Whether the test passes without mutants. An error without a file always counts. */
  async #speaksAgainst(failure: Failure): Promise<boolean> {
    if (!failure.file) return true
    const name = nameOf(failure)
    const known = this.#sound.get(name)
    if (known !== undefined) return known
    const { failures, passed } = await this.#run([], ...alone(failure, []))
    const isSound = failures.length === 0 && (!failure.title || passed.length > 0)
    this.#sound.set(name, isSound)
    return isSound
  }

  async #run(mutants: readonly Mutant[], files: string[], options: RunOptions): Promise<Run> {
    const run = await this.#copy.with(mutants, async () => {
      const problem = files.some((file) => file.startsWith('e2e')) ? this.#build() : undefined
      return problem
        ? { failures: [{ why: problem }], passed: [], isCutShort: false }
        : runTests(this.#copy.root, files, options)
    })
    for (const name of run.passed) if (!this.#sound.has(name)) this.#sound.set(name, true)
    return run
  }

  /** End-to-end tests use the built web app. */
  #build(): string | undefined {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/build-if-stale.ts'], {
      cwd: this.#copy.root,
      encoding: 'utf8',
    })
    return status === 0 ? undefined : `cannot be built: ${stderr.trim().split('\n').at(-1)}`
  }
}

/** Runs only the failed test, or its files. */
function alone({ file, title }: Failure, files: string[]): [string[], RunOptions] {
  return [file ? [file] : files, { bail: 1, ...(title && { names: patternOf(title) }) }]
}
