import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.{ts,tsx}'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A busy machine takes longer than the usual second to draw.
    expect: { poll: { timeout: 10_000 } },
  },
})
