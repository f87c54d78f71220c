import type { Message, MessageRequest } from '@parley/protocol/messages'
import { type SlashText, slashTextIn } from '@parley/protocol/slash-text'
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
import { checkWords, isModerated } from './text-moderation.ts'
import { i18nOf } from './translate-message.ts'
import { unpublishedError } from './unpublished-error.ts'

export interface SendOptions {
  fromServer: boolean
  /** Keeps the channel hidden for members who hid it. */
  keepHidden?: boolean
  /** Fetches no link preview. */
  skipPreview?: boolean
  /** Sends no push notifications. */
  skipPush?: boolean
  /** Applies the block lists to messages of the app's server, too. */
  forceModeration?: boolean
  /** The message stays pending until the app's server commits it; `metadata` is for that server. */
  pending?: { metadata: Record<string, string> | undefined } | undefined
  /** The command that made the message; its handler may set the same fields as the app's server. */
  command?: SlashText
  /** Its text is never a command, even after a slash: the sender did not write all of it. */
  isNoCommand?: boolean
}

/**
 * Posts a message to a channel, or as a reply to another one.
 *
 * The checks run in the order of messaging.md 5.2. In a frozen channel the sender gets a message of type `error`,
 * which is not stored and not published to other users [CHN-53].
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
  // A known id is reported before any other error: a client that retries has nothing to fix [messaging.md 5.2].
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
  // Two messages sent at the same moment both pass the check above, so the write checks again.
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
  // The event, which its author gets as well, does not say so [MSG-38].
  return fromServer && row.shadowed ? { ...message, shadowed: true } : message
}

/** The text of a message and of the poll it shows. */
async function textOf(server: Server, { app, text, poll_id }: MessageRow): Promise<string> {
  const asked = poll_id === null ? [] : await wordsOfPoll(server, app, poll_id)
  return [...(text === '' ? [] : [text]), ...asked].join('\n')
}

/**
 * Checks a system message that accompanies a change of the channel. A caller who may make the change may send it; it
 * is no reply, quotes nothing, and runs no command.
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

/** The author of a message: the user it names in a server-side call, else the acting user. */
async function speaker(server: Server, caller: Caller, { user_id, user }: MessageRequest): Promise<UserRow> {
  const named = user?.id ?? user_id
  if (!caller.server || named === undefined || named === caller.user?.id) return actingUser(caller)
  const found = await server.users.get(caller.app.id, named)
  if (!found) throw inputError('message.user_id', `could not find user ${named}`)
  return found
}

/**
 * Adds a link preview and translations to a checked message.
 *
 * @returns a function to call with the promise that it is stored, to add what comes later
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

/** A message as changed by the app's server; an invalid change is ignored, since the author could not fix it. */
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

/** Runs a command and sends its result; a message only for the sender is not stored [CMD-12]. */
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

/** @throws ChatError CoolDownError (60) — slow mode is on, and the author posted too recently [CHN-51] */
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
