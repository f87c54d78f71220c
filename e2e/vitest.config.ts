import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    globalSetup: 'src/kit/demo-folder.ts',
    // A worker keeps its filled demo from file to file.
    isolate: false,
  },
})
