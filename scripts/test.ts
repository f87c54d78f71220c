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
import { findChromium, findShell } from './services/chromium.ts'
import { ensureInstalled, installIfPossible, type Need } from './services/install.ts'
import { startNats } from './services/nats.ts'
import { startPgBouncer } from './services/pgbouncer.ts'
import { startPostgres } from './services/postgres.ts'
import type { Service } from './services/service.ts'
import { type ProjectTally, table, tally } from './test-table.ts'

/** What the tests of a project need from the machine; nothing when it is not named here. */
const needsOf: Record<string, Need[]> = {
  'packages/client': ['chromium'],
  'packages/widgets': ['chromium'],
  'apps/server': ['postgres', 'pgbouncer', 'nats', 'sqlite'],
  'apps/web': ['postgres', 'pgbouncer', 'nats', 'sqlite', 'chromium'],
  scripts: ['postgres', 'pgbouncer', 'sqlite', 'nats', 'chromium'],
  bench: ['postgres', 'nats'],
  journeys: ['postgres', 'nats', 'chromium', 'haproxy', 'caddy'],
}

const root = join(import.meta.dirname, '..')
const { filter, options } = parseCLI(['vitest', 'run', ...process.argv.slice(2)])
const services: Promise<Service>[] = []
let vitest: Vitest | undefined

try {
  process.exitCode = (await passes()) ? 0 : 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await vitest?.close()
  await stopServices()
}
// Whatever a test left open must not keep us here.
process.exit()

async function passes(): Promise<boolean> {
  // Someone who names tests wants their answer now, and the title of what they broke.
  const checked = filter.length > 0 || check()

  if (filter.length > 0) process.env.TEST_WORDS = filter.join(' ')
  vitest = await createVitest({ ...options, root, watch: false, passWithNoTests: true })
  stopServicesOnSignal()
  const chosen = await vitest.globTestSpecifications(filter)
  if (chosen.length === 0) throw new Error(`No test file matches ${filter.join(' ') || 'anything'}.`)

  const projects = new Set(chosen.map(({ project }) => project.name))
  if (projects.has('journeys')) await buildIfStale()
  if (chosen.some(({ moduleId }) => moduleId.endsWith('/firefox.test.ts'))) installIfPossible('firefox')
  if (chosen.some(({ moduleId }) => moduleId.endsWith('/cluster-faults-machine.test.ts'))) installIfPossible('faketime')
  await startServices(new Set([...projects].flatMap((project) => needsOf[project] ?? [])))

  await vitest.start(filter)
  return report(vitest.state.getTestModules()) && !process.exitCode && checked
}

function check(): boolean {
  return spawnSync(process.execPath, [join(import.meta.dirname, 'check.ts')], { stdio: 'inherit' }).status === 0
}

/**
 * Takes the place of Vitest's own listeners, which leave within a millisecond and so would leave the services behind.
 */
function stopServicesOnSignal() {
  let isStopping = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.removeAllListeners(signal).on(signal, async () => {
      if (isStopping) return
      isStopping = true
      await stopServices()
      process.exit(130)
    })
}

async function startServices(needs: Set<Need>) {
  ensureInstalled([...needs])
  if (needs.has('postgres')) process.env.TEST_POSTGRES_URL = await started(startPostgres())
  if (needs.has('pgbouncer'))
    process.env.TEST_PGBOUNCER_URL = await started(startPgBouncer(process.env.TEST_POSTGRES_URL!))
  if (needs.has('nats')) process.env.TEST_NATS_URL = await started(startNats())
  if (!needs.has('chromium')) return
  installIfPossible('shell')
  process.env.CHROMIUM_PATH = findChromium()
  process.env.CHROMIUM_SHELL_PATH = findShell() ?? process.env.CHROMIUM_PATH
}

async function started(starting: Promise<Service>) {
  services.push(starting)
  return (await starting).url
}

async function stopServices() {
  // One that could not start has cleaned up by itself, and has been reported.
  const running = await Promise.allSettled(services)
  await Promise.all(running.map(async (each) => each.status === 'fulfilled' && each.value.stop()))
}

/** Prints the table and what was skipped; a run in which nothing was tried proves nothing. */
function report(modules: TestModule[]): boolean {
  const rows = tally(modules)
  console.log(`\n${table(rows)}`)
  // Whoever names tests with `-t` knows that the others are left out.
  const skipped = options.testNamePattern ? [] : modules.flatMap((module) => [...module.children.allTests('skipped')])
  for (const test of skipped) console.log(`skipped: ${nameOf(test)}`)
  const passing = modules.flatMap((module) => [...module.children.allTests('passed')])
  for (const test of passing.filter((test) => test.diagnostic()?.flaky)) {
    console.log(`passed only when told again: ${nameOf(test)}`)
    for (const error of test.result().errors ?? []) console.log(`  ${error.message.split('\n')[0]}`)
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
