import { feature } from '../../feature.ts'
import { flagEndpoints } from './flag-endpoints.ts'

export const moderation = feature('moderation', {
  endpoints: flagEndpoints,
})
