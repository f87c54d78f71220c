import { feature } from '../../feature.ts'
import { callEndpoints } from './call-endpoints.ts'

export const calls = feature('calls', {
  endpoints: callEndpoints,
})
