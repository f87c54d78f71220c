import { catalogues } from '@parley/widgets/vite-catalogues'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [catalogues()],
  test: { include: ['app/**/*.test.{ts,tsx}', 'src/**/*.test.ts'], environment: 'node' },
})
