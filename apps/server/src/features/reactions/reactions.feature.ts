import type { Stage } from '../../chat/users/deletion-stages.ts'
import { feature } from '../../feature.ts'
import { deletingReactions, dropReactionsPage, type ReactionPlace } from './drop-reactions.ts'
import { reactionEndpoints } from './reaction-endpoints.ts'
import { reactionsOfMessages } from './reactions-of-messages.ts'

const userReactions: Stage<ReactionPlace> = (server, app, { id }, place, save) =>
  dropReactionsPage(server, app, { userId: id }, place, save)

export const reactions = feature('reactions', {
  endpoints: reactionEndpoints,
  messages: { fields: reactionsOfMessages },
  tasks: [deletingReactions],
  userDeletion: { stages: { reactions: userReactions } },
})
