import { feature } from '../../feature.ts'
import { deviceEndpoints } from './device-endpoints.ts'

export const devices = feature('devices', {
  endpoints: deviceEndpoints,
})
