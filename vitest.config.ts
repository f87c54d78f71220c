import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'

type TestOptions = NonNullable<TestProjectInlineConfiguration['test']>

const folders = [
  'packages/protocol',
  'packages/client',
  'packages/widgets',
  'apps/process',
  'apps/server',
  'apps/web',
  'scripts',
  'bench',
]

/** Shared by all projects: parallel projects must agree on their workers. */
const common: TestOptions = {
  exclude: ['**/node_modules/**', '**/build/**'],
  maxWorkers: Math.min(availableParallelism(), 8),
  // Longer than a busy machine takes; each wait in a test has a limit of its own.
  testTimeout: 60_000,
  hookTimeout: 120_000,
  // How long a busy machine may take to deliver something.
  expect: { poll: { timeout: 30_000 } },
  // Real sockets, databases and browsers: a test that fails on a busy machine is retried once, and reported as flaky.
  retry: 1,
}

const projects = [
  ...folders.map((folder) => project(folder)),
  // End-to-end tests run a whole stack and a browser: they come last and have the machine to themselves, two at a time.
  project('e2e', {
    maxWorkers: Math.min(common.maxWorkers!, 2),
    sequence: { groupOrder: 1 },
    // Two products start one after the other, and fill their demos.
    hookTimeout: 300_000,
  }),
]

// Words that are paths, as in `npm test -- apps/server`, load only their own projects; others may be broken.
const words = process.env.TEST_WORDS?.split(' ') ?? []
const named = projects.filter(({ root }) => words.some((word) => isInside(join(import.meta.dirname, word), root!)))
const isPaths = words.every((word) => named.some(({ root }) => isInside(join(import.meta.dirname, word), root!)))

export default defineConfig({
  test: {
    projects: isPaths && words.length > 0 ? named : projects,
    // A missing snapshot is a failure, here as well as on a CI machine; `npm test -- -u` writes it.
    update: process.argv.some((word) => word === '-u' || word.startsWith('--update')) ? 'all' : 'none',
  },
})

function isInside(path: string, folder: string) {
  return path === folder || path.startsWith(`${folder}/`)
}

/** A folder's own vitest.config.ts has its special settings, such as plugins; everything else is here. */
function project(folder: string, options: TestOptions = {}): TestProjectInlineConfiguration {
  const own = join(import.meta.dirname, folder, 'vitest.config.ts')
  return {
    ...(existsSync(own) && { extends: own }),
    root: join(import.meta.dirname, folder),
    test: { name: folder, ...(!existsSync(own) && { include: ['**/*.test.{ts,tsx}'] }), ...common, ...options },
  }
}
