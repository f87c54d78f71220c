import Type, { type Static } from 'typebox'
import { Channel } from './channels.ts'
import { FilterObject, Sort } from './filters.ts'
import { DRAFTS_PAGE_MAX } from './limits.ts'
import { Message, MessageRequest, OwnDraft } from './messages.ts'
import { actor, answer, type Custom, cursors } from './wire.ts'

/** A draft with its channel, and its parent and quoted message [messaging.md 5.10]. */
export const Draft = Type.Object({
  ...OwnDraft.properties,
  channel: Type.Optional(Channel),
  parent_message: Type.Optional(Message),
  quoted_message: Type.Optional(Message),
})
export type Draft = Static<typeof Draft> & Custom

/** Nothing here is sent: the checks of sending come when it is. */
export const CreateDraftRequest = Type.Object({ message: MessageRequest, ...actor })
export const DraftQuery = Type.Object({ parent_id: Type.Optional(Type.String()) })
export const DraftAnswer = answer({ draft: Draft })

export const QueryDraftsRequest = Type.Object({
  filter: Type.Optional(FilterObject),
  sort: Type.Optional(Sort),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: DRAFTS_PAGE_MAX })),
  ...cursors,
  ...actor,
})
export const DraftsAnswer = answer({
  drafts: Type.Array(Draft),
  ...cursors,
})
