import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    globalSetup: 'src/kit/demo-folder.ts',
    // A worker keeps the demo it has filled from file to file.
    isolate: false,
  },
})
