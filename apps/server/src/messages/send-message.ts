import { randomUUID } from 'node:crypto'
import { MEMBERS_PER_CALL, MENTIONS_PER_MESSAGE, MESSAGE_ID_CHARS } from '@parley/protocol/limits'
import type { Message, MessageRequest } from '@parley/protocol/messages'
import type { Kysely } from 'kysely'
import { previewFor, withPreview } from '../attachments/preview-in-message.ts'
import { checkWords, isModerated } from '../block-lists/verdict.ts'
import { type Access, notAllowed } from '../channels/channel-access.ts'
import { ChatError, inputError } from '../chat-error.ts'
import { showToSender } from '../commands/ephemeral.ts'
import { runCommand } from '../commands/run-command.ts'
import { type SlashText, slashTextIn } from '../commands/slash-text.ts'
import { customOf } from '../custom-data.ts'
import type { Batch } from '../database/batch.ts'
import type { ChannelRow, MessageRow, Tables, UserRow } from '../database/tables.ts'
import { askBeforeSending } from '../hooks/ask-before-sending.ts'
import { actingUser, type Caller } from '../http/caller.ts'
import { checkSharing } from '../locations/live-locations.ts'
import { type Micros, microsOf } from '../micros.ts'
import { checkNotBanned, checkWriter, isShadowed } from '../moderation/banned.ts'
import { flagByList, raiseFlag } from '../moderation/flag-by-list.ts'
import type { Changed } from '../outside/ask-about-message.ts'
import { checkSendingPoll, wordsOfPoll } from '../polls/send-poll.ts'
import { holdMessage, judge } from '../review/hold-message.ts'
import type { Server } from '../server.ts'
import { addLatePreview } from './add-preview.ts'
import { addLateTranslation, autoTranslationOf } from './auto-translation.ts'
import { extrasOf, sharedIn, withExtras, withoutExtras } from './extras.ts'
import { accessQuoted } from './message-access.ts'
import { messageFields } from './message-fields.ts'
import { lastPostOf } from './message-store.ts'
import { keepPending } from './pending-messages.ts'
import { checkNew, messageWith, postMessage } from './post-message.ts'
import { i18nOf } from './translate-message.ts'
import { untold } from './untold.ts'

/** Bytes of JSON one attachment may have; the documents' limit for all together is too small for waveforms. */
const ATTACHMENT_BYTES = 5_120

export interface SendOptions {
  fromServer: boolean
  /** Those who hid the channel do not get it back. */
  keepHidden?: boolean
  /** No preview of a link is looked for. */
  skipPreview?: boolean
  /** Nobody is notified of it. */
  skipPush?: boolean
  /** Block lists hold for what the app's server says, too. */
  forceModeration?: boolean
  /** It waits until the app's server commits it, with what that notes about it. */
  pending?: { metadata: Record<string, string> | undefined } | undefined
  /** The command that made it, whose handler may say what the app's server may. */
  command?: SlashText
  /** Its text is no command, however it begins: not all of it was written by whoever sends it. */
  isNoCommand?: boolean
}

/**
 * Posts a message to a channel, or as a reply to another one.
 *
 * The checks come in the order of messaging.md 5.2. In a frozen channel the sender gets a message of type
 * `error` that is stored nowhere and reaches nobody else [CHN-53].
 *
 * @throws ChatError CoolDownError (60), InputError (4), MessageTooLongError (20), DoesNotExistError (16),
 *   MultipleNestingLevelError (21), ChannelFeatureNotSupportedError (19), NotAllowedError (17)
 */
export async function sendMessage(
  server: Server,
  access: Access,
  sender: UserRow,
  given: MessageRequest,
  options: SendOptions,
): Promise<Message> {
  const { fromServer, keepHidden = false, skipPush = false, pending, command, forceModeration = false } = options
  const isTrusted = fromServer || command !== undefined
  const request = isTrusted ? given : withoutExtras(given)
  const { channel, config } = access
  const parentId = request.parent_id || null
  if (parentId !== null) checkRepliesOn(access)
  if (!access.can('create-message') && !(parentId !== null && access.can('create-reply')))
    throw notAllowed(access, 'create-message')
  if (channel.disabled && !fromServer) throw notAllowed(access, 'create-message')
  checkNotBanned(sender, access)
  const author = fromServer ? sender : await checkWriter(server, sender, access)
  if (channel.frozen && !access.can('use-frozen-channel'))
    return untold(server, channel, author, { ...request, ...frozen })
  const slowed = channel.cooldown > 0 && !access.can('skip-channel-cooldown')
  if (slowed) await coolDown(server, server.database.read, channel, author)
  if (!command && !options.isNoCommand) {
    const slash = slashTextIn(config.commands, request.text ?? '')
    if (slash) return sendCommand(server, access, author, request, options, slash)
  }

  const written = await checked(server, access, author, request, command).catch(async (error: unknown) => {
    // Known by its id first: whoever sends it again has nothing to mend [messaging.md 5.2].
    if (request.id && error instanceof ChatError) await checkNew(server.database.read, channel.app, request.id)
    throw error
  })
  const said = await askBeforeSending(server, access, author, written)
  if (said.type === 'error') return untold(server, channel, author, { ...said, id: written.id, parent_id: parentId })
  const row = await rewritten(server, access, author, request, written, said, command)
  if (isTrusted) row.extras_json = withExtras(row, extrasOf(request))
  const verdict = isModerated(access, { fromServer, force: forceModeration })
    ? judge(server, access, author, await textOf(server, row), said.attachments ?? request.attachments ?? [])
    : undefined
  const instead = verdict && (await holdMessage(server, access, author, request, row, verdict))
  if (instead) return instead
  const quoted = row.quoted_message_id === null ? undefined : await accessQuoted(server, access, row.quoted_message_id)
  const follow = await enrich(server, access, row, options.skipPreview)
  if (pending) return keepPending(server, access, row, quoted, { metadata: pending.metadata, skipPush })
  const posted = postMessage(server, access, author, row, {
    quoted,
    keepHidden,
    skipPush,
    ...(fromServer && request.created_at !== undefined && { givenTime: request.created_at }),
    // Two messages of the same moment both passed the check above.
    ...(slowed && { first: (batch: Batch) => coolDown(server, batch.db, channel, author) }),
  })
  follow(posted)
  const message = await posted
  if (verdict) await flagByList(server, row, verdict)
  return message
}

/** What a message says, by itself and by the poll it shows. */
async function textOf(server: Server, { app, text, poll_id }: MessageRow): Promise<string> {
  const asked = poll_id === null ? [] : await wordsOfPoll(server, app, poll_id)
  return [...(text === '' ? [] : [text]), ...asked].join('\n')
}

/**
 * Checks a system message that goes with a change of the channel. Who may make the change may tell of it; it is no
 * reply, quotes nothing, and runs no command.
 *
 * @throws ChatError as `sendMessage` does
 */
export async function systemMessage(
  server: Server,
  access: Access,
  caller: Caller,
  request: MessageRequest,
  { silent = request.silent }: { silent?: boolean | undefined } = {},
) {
  const author = await speaker(server, caller, request)
  const fromServer = caller.server
  checkNotBanned(author, access)
  const telling = { ...access, can: () => true }
  const bare = { parent_id: null, quoted_message_id: null, poll_id: null, pinned: false, restricted_visibility: [] }
  const row = await checked(server, telling, author, { ...request, ...bare, type: 'system', silent }, undefined)
  if (fromServer) row.extras_json = withExtras(row, extrasOf(request))
  const verdict = checkWords(server, access, row.text, request.attachments ?? [], { fromServer })
  const follow = await enrich(server, access, row)
  const said = await messageWith(server, access, author, row)
  return {
    ...said,
    follow,
    place(batch: Batch) {
      if (verdict) batch.later(() => raiseFlag(server, batch, row, verdict))
      return said.place(batch)
    },
  }
}

/** Whose words they are: server side those of whom the message names, and else of whoever acts. */
async function speaker(server: Server, caller: Caller, { user_id, user }: MessageRequest): Promise<UserRow> {
  const named = user?.id ?? user_id
  if (!caller.server || named === undefined || named === caller.user?.id) return actingUser(caller)
  const found = await server.users.get(caller.app.id, named)
  if (!found) throw inputError('message.user_id', `could not find user ${named}`)
  return found
}

/**
 * Adds to a checked message what others say about its text: the preview of its link, and its words in other languages.
 *
 * @returns what to do with the promise that it is stored, so that it gets what came too late
 */
async function enrich(
  server: Server,
  access: Access,
  row: MessageRow,
  skipPreview?: boolean,
): Promise<(stored: Promise<unknown>) => void> {
  const isTranslated = Object.keys(i18nOf(row)).length > 0
  const [preview, translation] = await Promise.all([
    previewFor(server, access, row.text, skipPreview),
    autoTranslationOf(server, access, isTranslated ? '' : row.text),
  ])
  const attachments = row.attachments_json === null ? [] : JSON.parse(row.attachments_json)
  if (preview.now) row.attachments_json = JSON.stringify(withPreview(attachments, preview.now))
  if (translation.now) row.extras_json = withExtras(row, { i18n: translation.now })
  return (stored) => {
    addLatePreview(server, row, preview, stored)
    addLateTranslation(server, row, row.text, translation, stored)
  }
}

/** A message as the app's own server wants it; what does not fit leaves it as it was, for its author can do nothing about it. */
async function rewritten(
  server: Server,
  access: Access,
  author: UserRow,
  request: MessageRequest,
  row: MessageRow,
  { type, i18n, ...said }: Changed,
  command: SlashText | undefined,
): Promise<MessageRow> {
  const isSystem = type === 'system' || type === 'regular'
  if (Object.keys(said).length === 0 && !isSystem && i18n === undefined) return row
  try {
    if (type === 'ephemeral') throw inputError('message.type', 'message.type must be regular, system or error')
    const wanted = { ...request, ...said, id: row.id, ...(isSystem && { type }) }
    const changed = await checked(server, { ...access, can: () => true }, author, wanted, command)
    if (i18n !== undefined) changed.extras_json = withExtras(changed, { i18n })
    return changed
  } catch (error) {
    if (!(error instanceof ChatError)) throw error
    server.log.warn({ app: row.app, why: error.message }, 'a message is sent as it was written')
    return row
  }
}

/** Sends what a command makes of the message; a message that is for the sender alone is not stored [CMD-12]. */
async function sendCommand(
  server: Server,
  access: Access,
  author: UserRow,
  request: MessageRequest,
  options: SendOptions,
  command: SlashText,
): Promise<Message> {
  await checked(server, access, author, request, command)
  const changed = { ...request, ...(await runCommand(server, access, author, request, command)) }
  if (changed.type === 'ephemeral' || changed.type === 'error')
    return showToSender(server, access, author, changed, command)
  return sendMessage(server, access, author, changed, { ...options, command })
}

async function checked(
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
  if (request.shared_location) checkSharing(server, access, request.shared_location)

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
    restricted_json: restricted && JSON.stringify(restricted),
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
    data: JSON.stringify(customOf(request, messageFields)),
  }
}

/** Those a message is meant for besides its author, each once, unknown users left out. */
async function meantUsers(server: Server, app: string, author: UserRow, ids: readonly string[]): Promise<string[]> {
  if (ids.length > MEMBERS_PER_CALL)
    throw inputError(
      'message.restricted_visibility',
      `message.restricted_visibility must contain at maximum ${MEMBERS_PER_CALL} items`,
    )
  const known = await server.users.getAll(app, ids)
  return [...new Set(ids)].filter((id) => known.has(id) && id !== author.id)
}

/** @throws ChatError MessageTooLongError (20) */
export function checkText(text: string, maxLength: number) {
  const length = text.length <= maxLength ? text.length : [...text].length
  if (length > maxLength)
    throw new ChatError('MessageTooLongError', `message.text has ${length} characters, at most ${maxLength} fit`)
}

/** @throws ChatError NotAllowedError (17) — there is a link in it */
export function checkLinks(access: Access, text: string) {
  if (/https?:\/\//i.test(text) && !access.can('add-links')) throw notAllowed(access, 'add-links')
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

/** Each once, unknown users left out [messaging.md 5.2]. */
export async function checkMentions(server: Server, access: Access, mentioned: readonly string[]): Promise<string[]> {
  const ids = [...new Set(mentioned)]
  if (ids.length > MENTIONS_PER_MESSAGE)
    throw inputError(
      'message.mentioned_users',
      `message.mentioned_users must contain at maximum ${MENTIONS_PER_MESSAGE} items`,
    )
  if (ids.length === 0) return []
  if (!access.can('create-mention')) throw notAllowed(access, 'create-mention')
  const known = await server.users.getAll(access.channel.app, ids)
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

/** @throws ChatError CoolDownError (60) — slow mode, and the author posted too short a time ago [CHN-51] */
async function coolDown(server: Server, db: Kysely<Tables>, channel: ChannelRow, author: UserRow) {
  const now = server.clock.now() * 1000
  const since = now - channel.cooldown * 1_000_000
  const last = await lastPostOf(db, channel.app, channel.cid, author.id, since)
  if (last === undefined) return
  const seconds = Math.ceil((last - since) / 1_000_000)
  throw new ChatError('CoolDownError', `Slow mode is on in ${channel.cid}. Wait ${seconds} s before the next message.`)
}

const frozen = { type: 'error', text: 'This channel is frozen. The message was not sent.', attachments: [] }
