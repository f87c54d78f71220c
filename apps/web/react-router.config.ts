import { join } from 'node:path'
import type { Config } from '@react-router/dev/config'
import { compressFiles } from './app/encodings.server.ts'

export default {
  ssr: true,
  // All routes load at once: with lazy discovery, every conversation would wait for a request before it opens.
  routeDiscovery: { mode: 'initial' },
  // The product checks the origin of forms itself, with a helpful error; the router would respond with a bare 400.
  allowedActionOrigins: ['**'],
  // The best compression, which is too slow to run at start.
  buildEnd: ({ reactRouterConfig: { buildDirectory } }) => compressFiles(join(buildDirectory, 'client')),
} satisfies Config
