import { feature } from '../../feature.ts'
import { usageEndpoints } from './usage-endpoints.ts'

/** What teams use is written down this often. */
const WRITTEN_MS = 60_000

export const usage = feature('usage', {
  endpoints: usageEndpoints,
  maintenance: [{ everyMs: WRITTEN_MS, run: ({ usage }) => usage.write() }],
})
