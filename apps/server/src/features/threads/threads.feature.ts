import { feature } from '../../feature.ts'
import { threadEndpoints } from './thread-endpoints.ts'

export const threads = feature('threads', {
  endpoints: threadEndpoints,
})
