/** Prepares messages and channels for a request [client.md 6]. */
import { clientError } from '../chat-error.ts'
import { idsOf } from './local-message.ts'

/** Managed by the server; it would ignore them, so they are not sent. */
const messageFields = [
  'cid',
  'html',
  'type',
  'command',
  'command_info',
  'created_at',
  'updated_at',
  'deleted_at',
  'latest_reactions',
  'own_reactions',
  'reaction_counts',
  'reaction_scores',
  'reaction_groups',
  'reply_count',
  'deleted_reply_count',
  'thread_participants',
  'user',
  'quoted_message',
  'poll',
  'i18n',
  'shadowed',
  'pinned_at',
  'pinned_by',
  'message_text_updated_at',
  'message_updated_by_id',
  'member',
  // Known to this client only.
  'status',
  'error',
  'attempt',
  'createdAtIso',
  'unheard',
]

/** Managed by the server [CHN-30…CHN-36]. */
const channelFields = [
  'config',
  'cid',
  'created_by',
  'id',
  'member_count',
  'type',
  'created_at',
  'updated_at',
  'last_message_at',
  'own_capabilities',
]

/** @throws ChatError CLIENT_MESSAGE_ID_MISSING [MSG-17] */
export function needsMessageID(id: string | undefined, action: string) {
  if (!id) throw clientError('CLIENT_MESSAGE_ID_MISSING', `A message id is needed to ${action} a message`)
}

/** A message as an edit sends it: no managed fields, mentions as ids, dates as text. */
export function outgoingMessage(message: object): Record<string, unknown> {
  const sent: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(message)) {
    if (messageFields.includes(field) || value === undefined) continue
    sent[field] = value instanceof Date ? value.toISOString() : value
  }
  if (Array.isArray(sent.mentioned_users)) sent.mentioned_users = idsOf(sent.mentioned_users)
  return sent
}

export function outgoingChannelData(data: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(data).filter(([field]) => !channelFields.includes(field)))
}
