import { feature } from '../../feature.ts'
import { checkSharing, deleteLiveIn, keepLive, locationEnd, locationsInChannels } from './live-locations.ts'
import { locationEndpoints } from './location-endpoints.ts'

export const locations = feature('locations', {
  channels: { state: locationsInChannels, erase: deleteLiveIn },
  messages: { check: checkSharing, posted: keepLive },
  endpoints: locationEndpoints,
  scheduledJobs: [locationEnd],
})
