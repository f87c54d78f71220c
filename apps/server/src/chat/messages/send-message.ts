import type { Message, MessageRequest } from '@parley/protocol/messages'
import type { Kysely } from 'kysely'
import { previewFor, withPreview } from '../../features/attachments/preview-in-message.ts'
import { showToSender } from '../../features/commands/ephemeral.ts'
import { runCommand } from '../../features/commands/run-command.ts'
import { wordsOfPoll } from '../../features/polls/send-poll.ts'
import { askBeforeSending } from '../../features/webhooks/before-message-send.ts'
import { ChatError, inputError } from '../../platform/chat-error.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { ChannelRow, MessageRow, Tables, UserRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { actingUser, type Caller } from '../api/caller.ts'
import { checkNotBanned, checkWriter } from '../bans/banned.ts'
import { type Access, isFrozen, notAllowed } from '../channels/channel-access.ts'
import { addLatePreview } from './add-preview.ts'
import type { Changed } from './ask-about-message.ts'
import { addLateTranslation, autoTranslationOf } from './auto-translation.ts'
import { checkedMessage, checkRepliesOn } from './check-message.ts'
import { extrasOf, withExtras, withoutExtras } from './extras.ts'
import { accessQuoted } from './message-access.ts'
import { lastPostOf } from './message-store.ts'
import { checkUnknown, keepPending, lastPendingOf } from './pending-messages.ts'
import { messageWith, postMessage } from './post-message.ts'
import { type SlashText, slashTextIn } from './slash-text.ts'
import { checkWords, isModerated } from './text-moderation.ts'
import { i18nOf } from './translate-message.ts'
import { unpublishedError } from './unpublished-error.ts'

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
  if (isFrozen(access)) return unpublishedError(server, channel, author, { ...request, ...frozen })
  const slowed = channel.cooldown > 0 && !access.can('skip-channel-cooldown')
  const { read } = server.database
  // Known by its id first: whoever sends it again has nothing to mend [messaging.md 5.2].
  const unlessKnown = (db: Kysely<Tables>) => async (error: unknown) => {
    if (request.id && error instanceof ChatError) await checkUnknown(db, channel.app, request.id)
    throw error
  }
  const checkPace = (db: Kysely<Tables>) => coolDown(server, db, channel, author).catch(unlessKnown(db))
  if (slowed) await checkPace(read)
  if (!command && !options.isNoCommand) {
    const slash = slashTextIn(config.commands, request.text ?? '')
    if (slash) return sendCommand(server, access, author, request, options, slash)
  }

  const written = await checkedMessage(server, access, author, request, command).catch(unlessKnown(read))
  const said = await askBeforeSending(server, access, author, written)
  if (said.type === 'error')
    return unpublishedError(server, channel, author, { ...said, id: written.id, parent_id: parentId })
  const row = await rewritten(server, access, author, request, written, said, command)
  if (isTrusted) row.extras_json = withExtras(row, extrasOf(request))
  const verdict = isModerated(access, { fromServer, force: forceModeration })
    ? server.extensions.textModeration.judge(
        server,
        access,
        author,
        await textOf(server, row),
        said.attachments ?? request.attachments ?? [],
      )
    : undefined
  const instead =
    verdict && (await server.extensions.textModeration.holdMessage(server, access, author, request, row, verdict))
  if (instead) return instead
  const quoted = row.quoted_message_id === null ? undefined : await accessQuoted(server, access, row.quoted_message_id)
  const follow = await enrich(server, access, row, options.skipPreview)
  // Two messages of the same moment both passed the check above.
  const again = slowed && { first: ({ db }: Batch) => checkPace(db) }
  const sent = pending
    ? keepPending(server, access, row, quoted, { metadata: pending.metadata, verdict, skipPush, ...again })
    : postMessage(server, access, author, row, {
        quoted,
        keepHidden,
        skipPush,
        ...(fromServer && request.created_at !== undefined && { givenTime: request.created_at }),
        ...again,
      })
  follow(sent)
  const message = await sent
  if (verdict && !pending) await server.extensions.textModeration.flagByList(server, row, verdict)
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
  const row = await checkedMessage(server, telling, author, { ...request, ...bare, type: 'system', silent }, undefined)
  if (fromServer) row.extras_json = withExtras(row, extrasOf(request))
  const verdict = checkWords(server, access, row.text, request.attachments ?? [], { fromServer })
  const follow = await enrich(server, access, row)
  const said = await messageWith(server, access, author, row)
  return {
    ...said,
    follow,
    place(batch: Batch) {
      if (verdict) batch.later(() => server.extensions.textModeration.raiseFlag(server, batch, row, verdict))
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

/** A message as the app's own server wants it; what does not fit leaves it as it was: its author cannot mend it. */
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
    const changed = await checkedMessage(server, { ...access, can: () => true }, author, wanted, command)
    if (i18n !== undefined) changed.extras_json = withExtras(changed, { i18n })
    server.outages.answered(
      `changed ${row.app}`,
      { app: row.app },
      'messages are sent as the app’s own server wants them',
    )
    return changed
  } catch (error) {
    if (!(error instanceof ChatError)) throw error
    const fields = { app: row.app, why: error.message }
    server.outages.failed(`changed ${row.app}`, fields, 'a message is sent as it was written')
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
  await checkedMessage(server, access, author, request, command)
  const changed = { ...request, ...(await runCommand(server, access, author, request, command)) }
  if (changed.type === 'ephemeral' || changed.type === 'error')
    return showToSender(server, access, author, changed, command)
  return sendMessage(server, access, author, changed, { ...options, command })
}

/** @throws ChatError CoolDownError (60) — slow mode, and the author posted too short a time ago [CHN-51] */
async function coolDown(server: Server, db: Kysely<Tables>, channel: ChannelRow, author: UserRow) {
  const now = server.clock.micros()
  const since = now - channel.cooldown * 1_000_000
  const { app, cid } = channel
  const posted = (await lastPostOf(db, app, cid, author.id, since)) ?? since
  const last = Math.max(posted, (await lastPendingOf(db, app, cid, author.id, since)) ?? since)
  if (last === since) return
  const seconds = Math.ceil((last - since) / 1_000_000)
  throw new ChatError('CoolDownError', `Slow mode is on in ${channel.cid}. Wait ${seconds} s before the next message.`)
}

const frozen = { type: 'error', text: 'This channel is frozen. The message was not sent.', attachments: [] }
