import { feature } from '../../feature.ts'
import { deletingReactions } from './drop-reactions.ts'
import { reactionEndpoints } from './reaction-endpoints.ts'
import { reactionsOfMessages } from './reactions-of-messages.ts'

export const reactions = feature('reactions', {
  endpoints: reactionEndpoints,
  messages: { fields: reactionsOfMessages },
  tasks: [deletingReactions],
})
