import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.{ts,tsx}'],
    // A busy machine takes longer than the usual second to draw.
    expect: { poll: { timeout: 20_000 } },
  },
})
