import Type, { type Static } from 'typebox'
import { FilterObject, Sort } from './filters.ts'
import { ATTACHMENTS_PER_MESSAGE, MESSAGE_HISTORY_PAGE_MAX, MESSAGES_PAGE_MAX, REACTIONS_PAGE_MAX } from './limits.ts'
import { LocationRequest, SharedLocation } from './locations.ts'
import { Poll } from './polls.ts'
import { Reaction, ReactionGroup } from './reactions.ts'
import { User } from './users.ts'
import { actor, answer, type Custom, cursors, customBeside, hasCustom, NonEmpty, PartialUpdate, Time } from './wire.ts'

/** A free-form object; clients know some types by convention [messaging.md 5.4]. */
export const Attachment = Type.Object(
  {
    type: Type.Optional(Type.String()),
    title: Type.Optional(Type.String()),
    title_link: Type.Optional(Type.String()),
    text: Type.Optional(Type.String()),
    image_url: Type.Optional(Type.String()),
    thumb_url: Type.Optional(Type.String()),
    asset_url: Type.Optional(Type.String()),
    og_scrape_url: Type.Optional(Type.String()),
    fallback: Type.Optional(Type.String()),
    mime_type: Type.Optional(Type.String()),
    file_size: Type.Optional(Type.Union([Type.Number(), Type.String()])),
    original_width: Type.Optional(Type.Number()),
    original_height: Type.Optional(Type.Number()),
  },
  hasCustom,
)
export type Attachment = Static<typeof Attachment> & Custom

const orNull = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

/** Labels of what is in a message's pictures, by address of the picture. */
const ImageLabels = Type.Record(Type.String(), Type.Array(Type.String()))
/** `language` is that of the text, `<code>_text` the text in another one. */
const Translations = Type.Record(Type.String(), Type.String())

export const customOfMessage = customBeside('user_id channel quoted_message draft reminder moderation')

/** Built-in fields that few messages have; only the app's server sets them. */
export const MessageExtras = Type.Object({
  html: Type.Optional(Type.String()),
  mml: Type.Optional(Type.String()),
  i18n: Type.Optional(Translations),
  image_labels: Type.Optional(ImageLabels),
  shared_location: Type.Optional(Type.Object({ ...LocationRequest.properties, updated_at: Type.Optional(Time) })),
})
export type MessageExtras = Static<typeof MessageExtras>

const messageFields = {
  id: Type.String(),
  cid: Type.String(),
  text: Type.String(),
  html: Type.String(),
  type: Type.String({ description: 'regular, reply, system, ephemeral, error or deleted' }),
  user: User,
  created_at: Time,
  updated_at: Time,
  attachments: Type.Array(Attachment),
  mentioned_users: Type.Array(User),
  latest_reactions: Type.Array(Reaction, { description: 'the 10 newest, newest first' }),
  own_reactions: Type.Array(Reaction, { description: 'right only in answers to that user; [] in events' }),
  reaction_counts: orNull(Type.Record(Type.String(), Type.Integer())),
  reaction_scores: orNull(Type.Record(Type.String(), Type.Integer())),
  reaction_groups: orNull(Type.Record(Type.String(), ReactionGroup)),
  reply_count: Type.Integer(),
  deleted_reply_count: Type.Integer(),
  silent: Type.Boolean(),
  shadowed: Type.Boolean(),
  pinned: Type.Boolean(),
  pinned_at: orNull(Time),
  pinned_by: orNull(User),
  pin_expires: orNull(Time),
  restricted_visibility: Type.Array(Type.String()),
  parent_id: Type.Optional(Type.String()),
  show_in_channel: Type.Optional(Type.Boolean()),
  thread_participants: Type.Optional(Type.Array(User)),
  quoted_message_id: Type.Optional(Type.String()),
  poll_id: Type.Optional(Type.String()),
  poll: Type.Optional(Poll),
  command: Type.Optional(Type.String()),
  args: Type.Optional(Type.String()),
  command_info: Type.Optional(Type.Object({ name: Type.String() })),
  i18n: Type.Optional(Translations),
  mml: Type.Optional(Type.String()),
  image_labels: Type.Optional(ImageLabels),
  shared_location: Type.Optional(SharedLocation),
  message_text_updated_at: Type.Optional(Time),
  message_updated_by_id: Type.Optional(
    Type.String({ description: 'who wrote the words or attachments it has now, where that is not its author' }),
  ),
  deleted_at: Type.Optional(Time),
  deleted_for_me: Type.Optional(Type.Boolean()),
  member: Type.Optional(
    Type.Object(
      { channel_role: Type.String(), notifications_muted: Type.Boolean() },
      { description: 'what its author is in the channel, as long as they are a member' },
    ),
  ),
}

/** A quoted message is embedded one level deep and never quotes another [messaging.md 5.3]. */
export const QuotedMessage = Type.Object(messageFields, customOfMessage)
export type QuotedMessage = Static<typeof QuotedMessage> & Custom

/** The unsent text of a user in a channel or a thread; only its author sees it [messaging.md 5.10]. */
export const OwnDraft = Type.Object({
  channel_cid: Type.String(),
  created_at: Time,
  parent_id: Type.Optional(Type.String()),
  message: Type.Object(
    {
      id: Type.String(),
      text: Type.String(),
      attachments: Type.Array(Attachment),
      mentioned_users: Type.Array(User),
      parent_id: Type.Optional(Type.String()),
      quoted_message_id: Type.Optional(Type.String()),
      show_in_channel: Type.Optional(Type.Boolean()),
      silent: Type.Optional(Type.Boolean()),
      poll_id: Type.Optional(Type.String()),
      type: Type.Optional(Type.String()),
    },
    customOfMessage,
  ),
})
export type OwnDraft = Static<typeof OwnDraft>

/** A user's reminder of a message; only that user sees it [messaging.md 5.11]. */
export const OwnReminder = Type.Object({
  channel_cid: Type.String(),
  message_id: Type.String(),
  user_id: Type.String(),
  remind_at: Type.Optional(Time),
  created_at: Time,
  updated_at: Time,
})
export type OwnReminder = Static<typeof OwnReminder>

/** The result of moderation; only the sender of the message receives it [administration.md 5.4]. */
export const MessageModeration = Type.Object({
  action: Type.String({ description: '`remove`, `bounce`, `flag` …' }),
  original_text: Type.String(),
  blocklist_matched: Type.Optional(Type.String()),
  blocklists_matched: Type.Optional(Type.Array(Type.String())),
})
export type MessageModeration = Static<typeof MessageModeration>

/** A message as it is read, custom fields flat beside these [MSG-1…7, messaging.md 13.5]. */
export const Message = Type.Object(
  {
    ...messageFields,
    quoted_message: Type.Optional(orNull(QuotedMessage)),
    draft: Type.Optional(OwnDraft),
    reminder: Type.Optional(OwnReminder),
    moderation: Type.Optional(MessageModeration),
  },
  customOfMessage,
)
export type Message = Static<typeof Message> & Custom

/** What one may send of a message; `created_at` counts server side only. */
export const MessageRequest = Type.Object(
  {
    id: Type.Optional(NonEmpty),
    text: Type.Optional(Type.String()),
    mentioned_users: Type.Optional(Type.Array(Type.String())),
    attachments: Type.Optional(Type.Array(Attachment, { maxItems: ATTACHMENTS_PER_MESSAGE })),
    parent_id: Type.Optional(orNull(NonEmpty)),
    show_in_channel: Type.Optional(Type.Boolean()),
    quoted_message_id: Type.Optional(orNull(NonEmpty)),
    silent: Type.Optional(Type.Boolean()),
    pinned: Type.Optional(Type.Boolean()),
    pin_expires: Type.Optional(orNull(Time)),
    poll_id: Type.Optional(orNull(NonEmpty)),
    type: Type.Optional(NonEmpty),
    created_at: Type.Optional(Time),
    ...MessageExtras.properties,
    shared_location: Type.Optional(LocationRequest),
    restricted_visibility: Type.Optional(Type.Array(Type.String())),
    ...actor,
  },
  hasCustom,
)
export type MessageRequest = Static<typeof MessageRequest> & Custom

/** What the app's server notes about a message that waits. */
export const PendingMetadata = Type.Record(Type.String(), Type.String())

/** A message that only its author sees until the app's server commits it [messaging.md 5.2]. */
export const PendingMessage = Type.Object({ message: Message, metadata: Type.Optional(PendingMetadata) })
export type PendingMessage = Static<typeof PendingMessage>

export const SendMessageRequest = Type.Object({
  message: MessageRequest,
  skip_push: Type.Optional(Type.Boolean()),
  skip_enrich_url: Type.Optional(Type.Boolean()),
  keep_channel_hidden: Type.Optional(Type.Boolean()),
  force_moderation: Type.Optional(Type.Boolean({ description: 'server side: moderate it all the same' })),
  pending: Type.Optional(Type.Boolean({ description: 'server side: wait for a commit' })),
  is_pending_message: Type.Optional(Type.Boolean({ description: 'the old name of `pending`' })),
  pending_message_metadata: Type.Optional(PendingMetadata),
  ...actor,
})
export const MessageAnswer = answer({ message: Message })
export const SendMessageAnswer = answer({ message: Message, pending_message_metadata: Type.Optional(PendingMetadata) })
export const MessagesAnswer = answer({ messages: Type.Array(Message) })

/** What was chosen among the actions of a message [messaging.md 5.8]. */
export const RunMessageActionRequest = Type.Object({
  message_id: Type.Optional(NonEmpty),
  form_data: Type.Record(Type.String(), Type.Unknown()),
  ...actor,
})
/** Without a message: it is gone. */
export const RunMessageActionAnswer = answer({ message: Type.Optional(Message) })

/** `message` replaces, `set`/`unset` patch: the body decides, on both verbs [MSG-32]. */
export const EditMessageRequest = Type.Object({
  message: Type.Optional(MessageRequest),
  ...PartialUpdate.properties,
  skip_enrich_url: Type.Optional(Type.Boolean()),
  skip_push: Type.Optional(Type.Boolean()),
  ...actor,
})

/** Sent to the watchers, and not stored. */
export const EphemeralEditRequest = Type.Object({ ...PartialUpdate.properties, ...actor })

export const DeleteMessageQuery = Type.Object({
  hard: Type.Optional(Type.String()),
  deleted_by: Type.Optional(Type.String()),
  delete_for_me: Type.Optional(Type.String()),
})

export const TranslateMessageRequest = Type.Object({ language: Type.String({ minLength: 1 }), ...actor })

/** A page that lies before, behind or around the message of an id. */
const fromId = {
  id_lt: Type.Optional(NonEmpty),
  id_lte: Type.Optional(NonEmpty),
  id_gt: Type.Optional(NonEmpty),
  id_gte: Type.Optional(NonEmpty),
  id_around: Type.Optional(NonEmpty),
}

/** Where a page of messages lies: at most one of these, and how many. */
export const messagePage = {
  limit: Type.Optional(Type.Integer({ minimum: 0, maximum: 300 })),
  ...fromId,
  created_at_before: Type.Optional(Time),
  created_at_before_or_equal: Type.Optional(Time),
  created_at_after: Type.Optional(Time),
  created_at_after_or_equal: Type.Optional(Time),
  created_at_around: Type.Optional(Time),
}
export const MessagePage = Type.Object(messagePage)
export type MessagePage = Static<typeof MessagePage>

/** Pins are paged by `pinned_at`: an id means the time at which its message was pinned. */
export const PinnedMessagesPayload = Type.Object({
  filter: Type.Optional(FilterObject),
  sort: Type.Optional(Sort),
  limit: Type.Optional(Type.Integer({ minimum: 0, maximum: MESSAGES_PAGE_MAX })),
  ...fromId,
  pinned_at_before: Type.Optional(Time),
  pinned_at_before_or_equal: Type.Optional(Time),
  pinned_at_after: Type.Optional(Time),
  pinned_at_after_or_equal: Type.Optional(Time),
  pinned_at_around: Type.Optional(Time),
})
export type PinnedMessagesPayload = Static<typeof PinnedMessagesPayload>

/** Server side. */
export const UndeleteMessageRequest = Type.Object({ undeleted_by: Type.Optional(Type.String()), ...actor })

/** Server side; the filter names `message_id`, `user_id` or `created_at` [messaging.md 5.5]. */
export const QueryMessageHistoryRequest = Type.Object({
  filter: FilterObject,
  sort: Type.Optional(Sort),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MESSAGE_HISTORY_PAGE_MAX })),
  ...cursors,
})

/** An earlier version of a message: its text, the user who wrote it, and the time. */
export const MessageVersion = Type.Object(
  {
    message_id: Type.String(),
    message_updated_by_id: Type.String(),
    message_updated_at: Time,
    text: Type.String(),
    attachments: Type.Array(Attachment),
    is_deleted: Type.Boolean({ description: 'whether the message is deleted now' }),
  },
  hasCustom,
)
export type MessageVersion = Static<typeof MessageVersion> & Custom
export const MessageHistoryAnswer = answer({
  message_history: Type.Array(MessageVersion),
  ...cursors,
})

export const ReactionAnswer = answer({ message: Message, reaction: Reaction })
export const ReactionsAnswer = answer({ reactions: Type.Array(Reaction) })

export const QueryReactionsRequest = Type.Object({
  filter: Type.Optional(FilterObject),
  sort: Type.Optional(Sort),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: REACTIONS_PAGE_MAX })),
  ...cursors,
  ...actor,
})
export const QueryReactionsAnswer = answer({
  reactions: Type.Array(Reaction),
  ...cursors,
})
