import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'

type TestOptions = NonNullable<TestProjectInlineConfiguration['test']>

const folders = [
  'packages/protocol',
  'packages/client',
  'packages/widgets',
  'apps/server',
  'apps/web',
  'scripts',
  'bench',
]

/** The same everywhere: projects that run side by side must agree on their workers. */
const common: TestOptions = {
  exclude: ['**/node_modules/**', '**/build/**'],
  maxWorkers: Math.min(availableParallelism(), 8),
  testTimeout: 20_000,
  hookTimeout: 60_000,
}

export default defineConfig({
  test: {
    projects: [
      ...folders.map((folder) => project(folder)),
      // Journeys watch a whole stack in a browser: they come last and have the machine to themselves.
      project('journeys', { maxWorkers: 1, sequence: { groupOrder: 1 } }),
    ],
  },
})

/** A folder's own vitest.config.ts says what is special about it, such as plugins; name, workers and times come from here. */
function project(folder: string, options: TestOptions = {}): TestProjectInlineConfiguration {
  const own = join(import.meta.dirname, folder, 'vitest.config.ts')
  return {
    ...(existsSync(own) && { extends: own }),
    root: join(import.meta.dirname, folder),
    test: { name: folder, ...(!existsSync(own) && { include: ['**/*.test.{ts,tsx}'] }), ...common, ...options },
  }
}
