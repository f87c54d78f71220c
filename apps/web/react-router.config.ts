import type { Config } from '@react-router/dev/config'

// All routes come at once: asked for one by one, every conversation would wait for an answer before it is opened.
export default { ssr: true, routeDiscovery: { mode: 'initial' } } satisfies Config
