/**
 * Mutation testing: changes single lines of the product at random and checks whether a test fails:
 *
 *     npm run mutate -- --count 40 --seed tuesday apps/server
 *     npm run mutate -- packages/client/src/messages/sending.ts:42
 *
 * Each mutant is tried in a copy of the repository against the tests nearest to it; the survivors are then tried
 * together against the suite of their part, and end to end.
 */
import { availableParallelism } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readManifests } from './imports.ts'
import { Copy } from './mutants/copy.ts'
import { isEquivalent, readEquivalents } from './mutants/equivalents.ts'
import { type Mutant, mutantsIn } from './mutants/mutants.ts'
import { NearestTests } from './mutants/nearest-tests.ts'
import { reportOf, tableOf } from './mutants/report.ts'
import { endRuns, nameOf } from './mutants/run-tests.ts'
import { parts, sample, sourcesOf } from './mutants/sample.ts'
import { type Outcome, partOf, suiteOf, Trials } from './mutants/try-mutants.ts'
import { TestServices } from './services/for-tests.ts'
import { pagesIn, sourceFiles } from './source-files.ts'

const COUNT = 20
/** Time limit for the nearest tests of one mutant. */
const NEAREST_SECONDS = 60
const testFolders = [...parts, 'e2e']

const root = join(import.meta.dirname, '..')
const { values: options, positionals } = readOptions()
const seed = options.seed ?? `${Math.floor(Math.random() * 1e9)}`
const services = new TestServices()
const copies: Copy[] = []
/** With `--json` only the report goes to the standard output. */
const say = options.json ? console.error : console.log

try {
  process.exitCode = (await passes()) ? 0 : 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await cleanUp()
}
process.exit()

function readOptions() {
  return parseArgs({
    allowPositionals: true,
    options: {
      count: { type: 'string', default: `${COUNT}` },
      seed: { type: 'string' },
      jobs: { type: 'string', default: `${Math.max(1, Math.floor(availableParallelism() / 2))}` },
      'at-least': { type: 'string' },
      'nearest-only': { type: 'boolean', default: false },
      'nearest-seconds': { type: 'string', default: `${NEAREST_SECONDS}` },
      'end-to-end': { type: 'string', default: 'e2e' },
      list: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  })
}

async function passes(): Promise<boolean> {
  const begun = Date.now()
  const mutants = chosen()
  if (mutants.length === 0) throw new Error(`No line can be changed in ${positionals.join(' ') || 'the sources'}.`)
  say(`${mutants.length} mutants, seed ${seed}`)
  if (options.list) {
    for (const mutant of mutants) say(nameOfMutant(mutant))
    return true
  }

  onSignal()
  const involved = new Set(mutants.map(({ path }) => partOf(path)))
  await services.start([...[...involved].flatMap(suiteOf), ...(options['nearest-only'] ? [] : ['e2e'])])
  for (let job = 0; job < Math.min(number('jobs'), mutants.length); job++) copies.push(new Copy(root))
  const sound = new Map<string, boolean>()
  const trials = copies.map((copy) => new Trials(copy, sound))

  const outcomes = await againstNearest(mutants, trials)
  if (!options['nearest-only']) for (const part of involved) await againstAll(part, outcomes, trials[0]!)

  const report = reportOf([...outcomes.values()], seed, Math.round((Date.now() - begun) / 1000))
  say(`\n${tableOf(report)}`)
  if (options.json) console.log(JSON.stringify(report, null, 2))
  const least = options['at-least'] === undefined ? 0 : number('at-least')
  if (report.percent >= least) return true
  say(`\nFewer than ${least} % were noticed.`)
  return false
}

/** Every mutant of the named lines, or a sample from the named paths. */
function chosen(): Mutant[] {
  const places = positionals.map((place) => relative(root, resolve(place)))
  const lines = places.flatMap((place) => {
    const [, path, line] = /^(.+):(\d+)$/.exec(place) ?? []
    return path ? [{ path, line: Number(line) }] : []
  })
  const files = sourcesOf(root)
  if (lines.length > 0)
    return files
      .filter(({ path }) => lines.some((each) => each.path === path))
      .flatMap(mutantsIn)
      .filter((mutant) => lines.some(({ path, line }) => path === mutant.path && line === mutant.line))
  const inPlaces = files.filter(
    ({ path }) => places.length === 0 || places.some((place) => path === place || path.startsWith(`${place}/`)),
  )
  return sample(inPlaces, number('count'), seed)
}

async function againstNearest(mutants: Mutant[], trials: Trials[]): Promise<Map<Mutant, Outcome>> {
  const files = sourceFiles(root, testFolders)
  const nearest = new NearestTests(files, pagesIn(root, testFolders), readManifests(root))
  const equivalents = readEquivalents(root)
  const outcomes = new Map<Mutant, Outcome>()
  const waiting = [...mutants]
  await Promise.all(
    trials.map(async (trial) => {
      for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
        const outcome = await tried(mutant)
        outcomes.set(mutant, outcome)
        tell(outcome)

        async function tried(mutant: Mutant): Promise<Outcome> {
          if (isEquivalent(mutant, equivalents)) return { mutant, state: 'equivalent' }
          const tests = nearest.to(mutant.path).filter((test) => !test.startsWith('e2e/'))
          const failure = await trial.nearest(mutant, tests, number('nearest-seconds') * 1000)
          return failure ? { mutant, state: 'killed', by: 'nearest tests', failure } : { mutant, state: 'survived' }
        }
      }
    }),
  )
  return new Map(mutants.map((mutant) => [mutant, outcomes.get(mutant)!]))
}

/** Tries the survivors of one part together: its suite, then end to end. */
async function againstAll(part: string, outcomes: Map<Mutant, Outcome>, trial: Trials) {
  for (const [by, files] of [
    ['suite', suiteOf(part)],
    ['end to end', options['end-to-end'].split(/[\s,]+/).filter(Boolean)],
  ] as const) {
    const left = [...outcomes.values()].filter(
      ({ state, mutant }) => state === 'survived' && partOf(mutant.path) === part,
    )
    if (left.length === 0 || files.length === 0) continue
    say(`\n${left.length} of ${part} against ${files.join(' ')} …`)
    const mutants = left.map(({ mutant }) => mutant)
    for (const [mutant, failure] of await trial.together(mutants, files, say)) {
      const outcome: Outcome = { mutant, state: 'killed', by, failure }
      outcomes.set(mutant, outcome)
      tell(outcome)
    }
  }
}

function tell(outcome: Outcome) {
  const by = outcome.state === 'killed' ? `\n           by ${nameOf(outcome.failure)}: ${outcome.failure.why}` : ''
  say(`${outcome.state.padEnd(10)} ${nameOfMutant(outcome.mutant)}${by}`)
}

function nameOfMutant({ path, line, before, after }: Mutant) {
  return `${path}:${line}: ${before} → ${after || 'nothing'}`
}

/** @throws Error that names the option, when it is not a number */
function number(name: 'count' | 'jobs' | 'at-least' | 'nearest-seconds'): number {
  const value = Number(options[name])
  if (!(value >= 0)) throw new Error(`--${name} must be a number, not ${options[name]}.`)
  return value
}

function onSignal() {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, async () => {
      await cleanUp()
      process.exit(130)
    })
}

async function cleanUp() {
  endRuns()
  for (const copy of copies) copy.remove()
  await services.stop()
}
