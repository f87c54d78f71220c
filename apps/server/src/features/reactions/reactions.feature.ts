import { feature } from '../../feature.ts'
import { deletingReactions } from './drop-reactions.ts'
import { reactionEndpoints } from './reaction-endpoints.ts'

export const reactions = feature('reactions', {
  endpoints: reactionEndpoints,
  tasks: [deletingReactions],
})
