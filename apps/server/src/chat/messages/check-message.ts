import { randomUUID } from 'node:crypto'
import { MEMBERS_PER_CALL, MENTIONS_PER_MESSAGE, MESSAGE_ID_CHARS } from '@parley/protocol/limits'
import type { MessageRequest } from '@parley/protocol/messages'
import type { SlashText } from '@parley/protocol/slash-text'
import { mayHaveLinks } from '@parley/protocol/text/addresses'
import { checkSendingPoll } from '../../features/polls/send-poll.ts'
import { ChatError, inputError } from '../../platform/chat-error.ts'
import type { MessageRow, UserRow } from '../../platform/database/tables.ts'
import { type Micros, microsOf } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import { isShadowed } from '../bans/banned.ts'
import { type Access, notAllowed } from '../channels/channel-access.ts'
import { acquaintances } from '../users/user-access.ts'
import { sharedIn } from './extras.ts'
import { customFieldsOf } from './message-fields.ts'
import { restrictedTo } from './message-recipients.ts'

/** The most bytes of JSON in one attachment; the documented limit for all together is too small for waveforms. */
const ATTACHMENT_BYTES = 5_120

/**
 * The row to store for a message request; its ordinal and times are set when it is posted.
 *
 * @throws ChatError InputError (4), MessageTooLongError (20), PayloadTooBigError (22), NotAllowedError (17),
 *   ChannelFeatureNotSupportedError (19)
 */
export async function checkedMessage(
  server: Server,
  access: Access,
  author: UserRow,
  request: MessageRequest,
  command: SlashText | undefined,
): Promise<MessageRow> {
  const { channel, config } = access
  const text = request.text ?? ''
  const attachments = request.attachments ?? []
  if (text.trim() === '' && attachments.length === 0 && !request.poll_id && !request.shared_location)
    throw inputError('message.text', 'message.text or message.attachments must be set')
  if (
    request.id !== undefined &&
    (request.id === '' || [...request.id].length > MESSAGE_ID_CHARS || /[,%]/.test(request.id))
  )
    throw inputError('message.id', `message.id must have 1 to ${MESSAGE_ID_CHARS} characters and neither "," nor "%"`)
  if (request.type !== undefined && request.type !== 'regular' && request.type !== 'system')
    throw inputError('message.type', 'message.type must be regular or system')
  if (request.type === 'system' && !access.can('create-system-message'))
    throw notAllowed(access, 'create-system-message')
  checkText(text, config.max_message_length)
  const mentions = await checkMentions(server, access, request.mentioned_users ?? [])
  checkAttachments(attachments)
  if (attachments.length > 0 && !access.can('create-attachment')) throw notAllowed(access, 'create-attachment')
  checkLinks(access, text)
  if (request.show_in_channel && !request.parent_id)
    throw inputError('message.show_in_channel', 'message.show_in_channel needs message.parent_id')
  if (request.quoted_message_id) checkQuotes(access)
  if (request.restricted_visibility?.length) {
    if (!access.can('create-restricted-visibility-message'))
      throw notAllowed(access, 'create-restricted-visibility-message')
    if (request.pinned) throw inputError('message.pinned', 'a message of restricted visibility cannot be pinned')
  }
  const restricted = request.restricted_visibility?.length
    ? await meantUsers(server, channel.app, author, request.restricted_visibility)
    : null
  if (request.poll_id) await checkSendingPoll(server, access, author, request.poll_id)
  if (request.pinned && !access.can('pin-message')) throw notAllowed(access, 'pin-message')
  for (const { check } of server.extensions.messages) check?.(server, access, request)

  const parentId = request.parent_id || null
  const silent = request.silent === true
  const shadowed = isShadowed(author, access)
  const shown = parentId === null || request.show_in_channel === true
  return {
    app: channel.app,
    id: request.id ?? randomUUID(),
    cid: channel.cid,
    user_id: author.id,
    type: parentId !== null ? 'reply' : (request.type ?? 'regular'),
    text,
    created_at: 0,
    updated_at: 0,
    text_updated_at: null,
    deleted_at: null,
    ordinal: 0,
    counted: !silent && !shadowed && shown ? 1 : 0,
    silent: silent ? 1 : 0,
    shadowed: shadowed ? 1 : 0,
    restricted_json: restricted,
    audience_json: null,
    extras_json: request.shared_location
      ? JSON.stringify({ shared_location: sharedIn(request.shared_location) })
      : null,
    parent_id: parentId,
    show_in_channel: request.show_in_channel ? 1 : 0,
    quoted_message_id: request.quoted_message_id || null,
    reply_count: 0,
    deleted_reply_count: 0,
    thread_participants_json: null,
    attachments_json: attachments.length > 0 ? JSON.stringify(attachments) : null,
    mentions_json: mentions.length > 0 ? JSON.stringify(mentions) : null,
    reaction_groups_json: null,
    pinned_at: request.pinned ? 1 : null,
    pinned_by: request.pinned ? author.id : null,
    pin_expires: request.pinned ? timeOrNull('message.pin_expires', request.pin_expires) : null,
    poll_id: request.poll_id || null,
    command: command?.command ?? null,
    args: command?.args ?? null,
    data: JSON.stringify(customFieldsOf(request)),
  }
}

/** The users a message is restricted to besides its author, each once; unknown users are left out, even if all are. */
async function meantUsers(server: Server, app: string, author: UserRow, ids: readonly string[]): Promise<string> {
  if (ids.length > MEMBERS_PER_CALL)
    throw inputError(
      'message.restricted_visibility',
      `message.restricted_visibility must contain at maximum ${MEMBERS_PER_CALL} items`,
    )
  const known = await server.users.getAll(app, ids)
  return restrictedTo(
    ids.filter((id) => known.has(id)),
    author.id,
  )
}

/** @throws ChatError MessageTooLongError (20) */
export function checkText(text: string, maxLength: number) {
  const length = text.length <= maxLength ? text.length : [...text].length
  if (length > maxLength)
    throw new ChatError('MessageTooLongError', `message.text has ${length} characters, at most ${maxLength} fit`)
}

/** @throws ChatError NotAllowedError (17) — the text has a link */
export function checkLinks(access: Access, text: string) {
  if (mayHaveLinks(text) && !access.can('add-links')) throw notAllowed(access, 'add-links')
}

/** @throws ChatError ChannelFeatureNotSupportedError (19) */
export function checkQuotes({ config }: Access) {
  if (!config.quotes)
    throw new ChatError('ChannelFeatureNotSupportedError', `quotes are turned off in channels of type ${config.name}`)
}

/** @throws ChatError ChannelFeatureNotSupportedError (19) */
export function checkRepliesOn({ config }: Access) {
  if (!config.replies)
    throw new ChatError('ChannelFeatureNotSupportedError', `replies are turned off in channels of type ${config.name}`)
}

/** Each id once; unknown users, and users the author may not know of, are left out [messaging.md 5.2]. */
export async function checkMentions(server: Server, access: Access, mentioned: readonly string[]): Promise<string[]> {
  const ids = [...new Set(mentioned)]
  if (ids.length > MENTIONS_PER_MESSAGE)
    throw inputError(
      'message.mentioned_users',
      `message.mentioned_users must contain at maximum ${MENTIONS_PER_MESSAGE} items`,
    )
  if (ids.length === 0) return []
  if (!access.can('create-mention')) throw notAllowed(access, 'create-mention')
  const caller = { app: server.apps.of(access.channel.app), server: access.isServer, user: access.user }
  const known = await acquaintances(server, caller, ids)
  return ids.filter((id) => known.has(id))
}

/** @throws ChatError PayloadTooBigError (22) */
export function checkAttachments(attachments: readonly object[]) {
  for (const [i, attachment] of attachments.entries()) {
    const bytes = Buffer.byteLength(JSON.stringify(attachment))
    if (bytes > ATTACHMENT_BYTES)
      throw new ChatError(
        'PayloadTooBigError',
        `message.attachments[${i}] has ${bytes} bytes, at most ${ATTACHMENT_BYTES} fit`,
      )
  }
}

export function timeOrNull(field: string, time: string | null | undefined): Micros | null {
  if (time === null || time === undefined || time === '') return null
  const at = microsOf(time)
  if (at === undefined) throw inputError(field, `${field} is not a time`)
  return at
}
