import { randomUUID } from 'node:crypto'
import type { Message, MessageRequest } from '@parley/protocol/messages'
import type { SlashText } from '@parley/protocol/slash-text'
import type { ChannelRow, MessageRow, UserRow } from '../../platform/database/tables.ts'
import type { Micros } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import { userSummariesOf } from '../users/user-summaries.ts'
import { extrasOf, withExtras } from './extras.ts'
import { customFieldsOf } from './message-fields.ts'
import { messageWire } from './message-wire.ts'

/** A message that is not stored and that only its author gets. */
export async function unpublishedError(
  server: Server,
  { app, cid }: ChannelRow,
  author: UserRow,
  request: MessageRequest,
  { command, args }: Partial<SlashText> = {},
  createdAt: Micros = server.clock.micros(),
): Promise<Message> {
  const userSummaries = await userSummariesOf(server, app, [author.id])
  const { attachments = [] } = request
  const row: MessageRow = {
    ...emptyRow,
    app,
    cid,
    id: request.id ?? randomUUID(),
    user_id: author.id,
    type: request.type ?? 'error',
    text: request.text ?? '',
    created_at: createdAt,
    updated_at: createdAt,
    parent_id: request.parent_id || null,
    show_in_channel: request.show_in_channel ? 1 : 0,
    attachments_json: attachments.length > 0 ? JSON.stringify(attachments) : null,
    command: command ?? null,
    args: args ?? null,
    extras_json: withExtras(emptyRow, extrasOf(request)),
    data: JSON.stringify(customFieldsOf(request)),
  }
  return messageWire(row, { userSummaries, now: server.clock.micros(), viewerId: author.id })
}

const emptyRow = {
  text_updated_at: null,
  deleted_at: null,
  ordinal: 0,
  counted: 0,
  silent: 0,
  shadowed: 0,
  restricted_json: null,
  audience_json: null,
  extras_json: null,
  quoted_message_id: null,
  reply_count: 0,
  deleted_reply_count: 0,
  thread_participants_json: null,
  mentions_json: null,
  reaction_groups_json: null,
  pinned_at: null,
  pinned_by: null,
  pin_expires: null,
  poll_id: null,
} as const
