import { feature, HOUR_MS } from '../../feature.ts'
import { commandEndpoints } from './command-endpoints.ts'
import { forgetEphemerals } from './ephemeral.ts'

export const commands = feature('commands', {
  endpoints: commandEndpoints,
  maintenance: [{ everyMs: HOUR_MS, run: forgetEphemerals }],
})
