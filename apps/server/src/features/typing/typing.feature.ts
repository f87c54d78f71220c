import { feature } from '../../feature.ts'
import { typingEndpoints } from './typing-endpoints.ts'

export const typing = feature('typing', {
  endpoints: typingEndpoints,
})
