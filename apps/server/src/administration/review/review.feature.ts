import { feature, HOUR_MS } from '../../feature.ts'
import { verdictOn } from '../block-lists/verdict.ts'
import { flagByList, raiseFlag } from '../moderation/flag-by-list.ts'
import { forgetBounces } from './forget-items.ts'
import { holdMessage, judge, noteRefusedEdit } from './hold-message.ts'
import { noteEdit } from './raise-item.ts'
import { reviewEndpoints } from './review-endpoints.ts'

export const review = feature('review', {
  endpoints: reviewEndpoints,
  maintenance: [{ everyMs: HOUR_MS, run: forgetBounces }],
  textModeration: { verdictOn, judge, holdMessage, noteRefusedEdit, noteEdit, flagByList, raiseFlag },
})
