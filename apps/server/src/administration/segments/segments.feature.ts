import { feature } from '../../feature.ts'
import { countingSegment } from './count-segment.ts'
import { erasingTargets } from './delete-segment.ts'
import { forgetTarget } from './forget-target.ts'
import { segmentEndpoints } from './segment-endpoints.ts'

export const segments = feature('segments', {
  endpoints: segmentEndpoints,
  tasks: [countingSegment, erasingTargets],
  userDeletion: { deleted: forgetTarget },
})
