import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    globalSetup: 'src/kit/demo-folder.ts',
    // As long as a whole stack may take to bring something from one screen to another on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    // A worker keeps the demo it has filled from file to file.
    isolate: false,
  },
})
