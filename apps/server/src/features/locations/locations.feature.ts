import { feature } from '../../feature.ts'
import { locationEnd } from './live-locations.ts'
import { locationEndpoints } from './location-endpoints.ts'

export const locations = feature('locations', {
  endpoints: locationEndpoints,
  scheduledJobs: [locationEnd],
})
