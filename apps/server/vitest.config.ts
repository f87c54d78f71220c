import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    // A worker keeps the server's modules from file to file: reading them anew took longer than most stories.
    isolate: false,
  },
})
