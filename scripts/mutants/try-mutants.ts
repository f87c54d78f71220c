import { spawnSync } from 'node:child_process'
import type { Copy } from './copy.ts'
import type { Mutant } from './mutants.ts'
import { type Failure, nameOf, patternOf, type Run, type RunOptions, runTests } from './run-tests.ts'

/** The first run takes so many of the nearest files; most mutants end there. */
const NEAREST_FIRST = 2
const NEAREST_MAX = 8
/** What the server tells on several databases is told on one of them while it is about the nearest tests. */
const ON_ONE_DATABASE = '^(?!.*\\bon (PostgreSQL|two nodes))'
/** A change that breaks everything need not break it to the end. */
const FAILURES_TOGETHER = 20
/** So many of the tests that failed with all of them are asked which one it was. */
const WITNESSES = 6

export type Outcome =
  | { mutant: Mutant; state: 'killed'; by: Stage; failure: Failure }
  | { mutant: Mutant; state: 'survived' }
  | { mutant: Mutant; state: 'equivalent' }

export type Stage = 'nearest tests' | 'suite' | 'end to end'

/** Whose tests are the suite of a part; its own where it is not named. */
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

/** Tries mutants in one copy. A test speaks against a mutant only if it passes without it. */
export class Trials {
  readonly #copy: Copy
  /** Tests that were seen to pass, and those that fail as it is; for all copies. */
  readonly #sound: Map<string, boolean>

  constructor(copy: Copy, sound: Map<string, boolean>) {
    this.#copy = copy
    this.#sound = sound
  }

  /**
   * One mutant against the tests near it, the nearest first.
   *
   * @param tests     test files by nearness
   * @param withinMs  for all of them; what was not told by then has noticed nothing
   * @returns what noticed it
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
   * Many mutants at once against all these tests; what fails is then asked about each of them alone. Runs again without
   * those that were found, until nothing fails.
   *
   * @returns what noticed which
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

  /** Whether it is right without any change. Errors without a file say themselves what they are. */
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

  /** Journeys look at the web app as it is built. */
  #build(): string | undefined {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/build-if-stale.ts'], {
      cwd: this.#copy.root,
      encoding: 'utf8',
    })
    return status === 0 ? undefined : `cannot be built: ${stderr.trim().split('\n').at(-1)}`
  }
}

/** The one test that failed, or what it came with. */
function alone({ file, title }: Failure, files: string[]): [string[], RunOptions] {
  return [file ? [file] : files, { bail: 1, ...(title && { names: patternOf(title) }) }]
}
