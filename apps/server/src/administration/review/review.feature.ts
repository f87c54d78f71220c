import { feature, HOUR_MS } from '../../feature.ts'
import { forgetBounces } from './forget-items.ts'
import { reviewEndpoints } from './review-endpoints.ts'

export const review = feature('review', {
  endpoints: reviewEndpoints,
  maintenance: [{ everyMs: HOUR_MS, run: forgetBounces }],
})
