import { RateLimitsAnswer, RateLimitsQuery } from '@parley/protocol/rate-limits'
import { isTrue } from '../../platform/http/query-flag.ts'
import { platforms } from '../../platform/http/rate-limits.ts'
import { type Endpoint, endpoint } from './endpoint.ts'

/** Names one call may ask about. */
const NAMES_MAX = 200

const get = endpoint(
  { name: 'GetRateLimits', method: 'GET', path: '/rate_limits', query: RateLimitsQuery, answer: RateLimitsAnswer },
  async ({ caller, query }, { limits }) => {
    const named = query.endpoints?.split(',').flatMap((name) => name.trim() || [])
    const operations = named?.length ? named.slice(0, NAMES_MAX) : limits.operations
    const asked = platforms.map(
      (platform) => ({ platform, key: platform === 'server' ? 'server_side' : platform }) as const,
    )
    const chosen = asked.filter(({ key }) => isTrue(key, query[key]))
    return Object.fromEntries(
      (chosen.length > 0 ? chosen : asked).map(({ platform, key }) => [
        key,
        Object.fromEntries(operations.map((name) => [name, limits.look(caller.app.id, name, platform)])),
      ]),
    )
  },
)

export const rateLimitEndpoints: Endpoint[] = [get]
