import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const folders = [
  'packages/protocol',
  'packages/client',
  'packages/widgets',
  'apps/server',
  'apps/web',
  'scripts',
  'bench',
]
const tests = ['**/*.test.{ts,tsx}']

export default defineConfig({
  test: {
    maxWorkers: Math.min(availableParallelism(), 8),
    testTimeout: 20_000,
    hookTimeout: 60_000,
    projects: [
      ...folders.map((folder) => project(folder)),
      // Journeys watch a whole stack in a browser: they come last and have the machine to themselves.
      project('journeys', { fileParallelism: false, sequence: { groupOrder: 1 } }),
    ],
  },
})

/** A folder that has its own vitest.config.ts speaks for itself. */
function project(folder: string, options: object = {}) {
  if (existsSync(join(import.meta.dirname, folder, 'vitest.config.ts'))) return `${folder}/vitest.config.ts`
  return {
    extends: true as const,
    root: folder,
    test: { name: folder, include: tests, exclude: ['**/node_modules/**', '**/build/**'], ...options },
  }
}
