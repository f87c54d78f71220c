import { feature } from '../../feature.ts'
import { publishingToMuters } from './mute.ts'
import { muteEndpoints } from './mute-endpoints.ts'

export const mutes = feature('mutes', {
  endpoints: muteEndpoints,
  tasks: [publishingToMuters],
})
