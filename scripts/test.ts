/**
 * Runs the check and every test, or with words after `--` just the test files whose path has one of them:
 *
 *     npm test
 *     npm test -- polls
 *     npm test -- polls -t POL-7
 *
 * Databases, brokers and the browser that the chosen tests need are found or installed, started fresh, and stopped.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { createVitest, parseCLI, type TestCase, type TestModule, type Vitest } from 'vitest/node'
import { buildIfStale } from './build-if-stale.ts'
import { TestServices } from './services/for-tests.ts'
import { installIfPossible } from './services/install.ts'
import { type ProjectTally, table, tally } from './test-table.ts'

/** Lines of each error of a test that failed first: a property names its seed and its example there. */
const ERROR_LINES = 12

const root = join(import.meta.dirname, '..')
const { filter, options } = parseCLI(['vitest', 'run', ...process.argv.slice(2)])
const services = new TestServices()
let vitest: Vitest | undefined

try {
  process.exitCode = (await passes()) ? 0 : 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await vitest?.close()
  await services.stop()
}
// Handles that a test left open must not delay the exit.
process.exit()

async function passes(): Promise<boolean> {
  // A run of named tests reports at once, with the titles of the failures.
  const checked = filter.length > 0 || check()

  if (filter.length > 0) process.env.TEST_WORDS = filter.join(' ')
  vitest = await createVitest({ ...options, root, watch: false, passWithNoTests: true })
  stopServicesOnSignal()
  const chosen = await vitest.globTestSpecifications(filter)
  if (chosen.length === 0) throw new Error(`No test file matches ${filter.join(' ') || 'anything'}.`)

  const projects = new Set(chosen.map(({ project }) => project.name))
  if (projects.has('e2e')) await buildIfStale()
  if (chosen.some(({ moduleId }) => moduleId.endsWith('/firefox.test.ts'))) installIfPossible('firefox')
  if (chosen.some(({ moduleId }) => moduleId.endsWith('/cluster-faults-machine.test.ts'))) installIfPossible('faketime')
  await services.start(projects)

  await vitest.start(filter)
  return report(vitest.state.getTestModules()) && !process.exitCode && checked
}

function check(): boolean {
  return spawnSync(process.execPath, [join(import.meta.dirname, 'check.ts')], { stdio: 'inherit' }).status === 0
}

/** Replaces Vitest's own signal listeners, which exit within a millisecond and so would leave the services running. */
function stopServicesOnSignal() {
  let isStopping = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.removeAllListeners(signal).on(signal, async () => {
      if (isStopping) return
      isStopping = true
      await services.stop()
      process.exit(130)
    })
}

/** Prints the table and the skipped tests; a run without any test proves nothing. */
function report(modules: TestModule[]): boolean {
  const rows = tally(modules)
  console.log(`\n${table(rows)}`)
  // With `-t` the others are expected to be skipped.
  const skipped = options.testNamePattern ? [] : modules.flatMap((module) => [...module.children.allTests('skipped')])
  for (const test of skipped) console.log(`skipped: ${nameOf(test)}`)
  const passing = modules.flatMap((module) => [...module.children.allTests('passed')])
  for (const test of passing.filter((test) => test.diagnostic()?.flaky)) {
    console.log(`passed only when told again: ${nameOf(test)}`)
    for (const error of test.result().errors ?? [])
      for (const line of error.message.split('\n').slice(0, ERROR_LINES)) console.log(`  ${line}`)
  }

  const [passed, failed] = [sumOf(rows, 'passed'), sumOf(rows, 'failed')]
  if (passed + failed === 0) console.error('Not a single test ran.')
  console.log(`\n${passed} passed, ${failed} failed, ${sumOf(rows, 'skipped')} skipped`)
  return passed + failed > 0 && modules.every((module) => module.ok())
}

function nameOf(test: TestCase): string {
  return `${test.module.relativeModuleId}: ${test.fullName}`
}

function sumOf(rows: ProjectTally[], what: 'passed' | 'failed' | 'skipped') {
  return rows.reduce((sum, row) => sum + row[what], 0)
}
