import { join } from 'node:path'
import type { Config } from '@react-router/dev/config'
import { compressFiles } from './app/encodings.server.ts'

export default {
  ssr: true,
  // All routes come at once: asked for one by one, every conversation would wait for an answer before it is opened.
  routeDiscovery: { mode: 'initial' },
  // The product looks itself where a form comes from, and says what is wrong; the router would answer a bare 400.
  allowedActionOrigins: ['**'],
  // As small as it gets, which takes too long to be done at start.
  buildEnd: ({ reactRouterConfig: { buildDirectory } }) => compressFiles(join(buildDirectory, 'client')),
} satisfies Config
