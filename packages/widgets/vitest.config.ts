import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.{ts,tsx}'],
    // A worker keeps its browser and what it has built from file to file.
    isolate: false,
    // The day of the tests.
    setupFiles: ['src/testing/set-day.ts'],
  },
})
