import type { MessageRequest } from '@parley/protocol/messages'
import { inputError } from '../../platform/chat-error.ts'
import { customOf } from '../../platform/custom-data.ts'

/** Fields of a message that are not custom data; what a client sends back of those it cannot set is ignored. */
export const messageFields: ReadonlySet<string> = new Set(
  `id cid text html mml type user user_id created_at updated_at deleted_at attachments mentioned_users latest_reactions
   own_reactions reaction_counts reaction_scores reaction_groups reply_count deleted_reply_count silent shadowed pinned
   pinned_at pinned_by pin_expires restricted_visibility parent_id show_in_channel thread_participants
   quoted_message_id quoted_message poll_id poll command args command_info i18n message_text_updated_at message_updated_by_id
   deleted_for_me member draft reminder shared_location moderation image_labels channel`.split(/\s+/),
)

/**
 * The custom fields of a message.
 *
 * @throws ChatError InputError (4) — it has a name that answers use for something else; also as `customOf`
 */
export function customFieldsOf(said: MessageRequest | Record<string, unknown>): Record<string, unknown> {
  const { channel } = said as { channel?: unknown }
  // Answers that give one message put its channel there, and a client may send it back as received.
  const isEcho = typeof (channel as { cid?: unknown } | null | undefined)?.cid === 'string'
  if (channel !== undefined && channel !== null && !isEcho)
    throw inputError('message.channel', 'message.channel is the channel of the message in answers: use another name')
  return customOf(said, messageFields)
}
