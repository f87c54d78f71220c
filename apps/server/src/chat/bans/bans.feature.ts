import { feature, HOUR_MS } from '../../feature.ts'
import { forgetPlaces } from './addresses.ts'
import { lapseBans } from './ban.ts'
import { banEndpoints } from './ban-endpoints.ts'

/** How often expired bans are lifted: no ban lasts longer by more than this. */
const LAPSE_MS = 1_000

export const bans = feature('bans', {
  endpoints: banEndpoints,
  maintenance: [
    { everyMs: LAPSE_MS, run: lapseBans },
    { everyMs: HOUR_MS, run: forgetPlaces },
  ],
})
