import { randomUUID } from 'node:crypto'
import { MENTIONS_PER_MESSAGE, MESSAGE_ID_CHARS } from '@parley/protocol/limits'
import type { Message, MessageRequest } from '@parley/protocol/messages'
import type { Kysely } from 'kysely'
import { type Access, notAllowed } from '../channels/channel-access.ts'
import { channelEvent, channelWire } from '../channels/channel-wire.ts'
import { ChatError, inputError } from '../chat-error.ts'
import { type CommandResult, runCommand } from '../commands/run-command.ts'
import { customOf } from '../custom-data.ts'
import type { Batch } from '../database/group-commit.ts'
import type { ChannelRow, MessageRow, Tables, UserRow } from '../database/tables.ts'
import { deleteSentDrafts } from '../drafts/delete-drafts.ts'
import { placeOf } from '../drafts/own-drafts.ts'
import { unhide } from '../members/hide-channel.ts'
import { isoOf, type Micros, microsOf } from '../micros.ts'
import { checkNotBanned, checkStranger, isShadowed } from '../moderation/banned.ts'
import type { Effect } from '../realtime/publication.ts'
import type { Server } from '../server.ts'
import { facesOf } from '../users/faces.ts'
import { userWire } from '../users/user-wire.ts'
import { horizonOf, isWithin } from './message-access.ts'
import { lastPostOf, messageById } from './message-store.ts'
import { messageWire, usersIn } from './message-wire.ts'
import { postReply } from './post-reply.ts'

/** Bytes of JSON one attachment may have; the documents' limit for all together is too small for waveforms. */
const ATTACHMENT_BYTES = 5_120

/** Fields of a message that are not custom data. */
export const messageFields: ReadonlySet<string> = new Set(
  `id cid text html mml type user user_id created_at updated_at deleted_at attachments mentioned_users latest_reactions
   own_reactions reaction_counts reaction_scores reaction_groups reply_count deleted_reply_count silent shadowed pinned
   pinned_at pinned_by pin_expires restricted_visibility parent_id show_in_channel thread_participants
   quoted_message_id quoted_message poll_id poll command args i18n message_text_updated_at deleted_for_me member
   draft reminder shared_location moderation status error priority image_labels channel`.split(/\s+/),
)

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
  author: UserRow,
  request: MessageRequest,
  { fromServer }: { fromServer: boolean },
): Promise<Message> {
  const { channel, config } = access
  const app = channel.app
  const parentId = request.parent_id || null
  if (parentId !== null && !config.replies)
    throw new ChatError('ChannelFeatureNotSupportedError', `replies are turned off in channels of type ${config.name}`)
  if (!access.can('create-message') && !(parentId !== null && access.can('create-reply')))
    throw notAllowed(access, 'create-message')
  if (channel.disabled && !fromServer) throw notAllowed(access, 'create-message')
  checkNotBanned(author, access)
  if (!access.member && !fromServer) await checkStranger(server, author, access)
  if (channel.frozen && !access.can('use-frozen-channel')) return untold(server, channel, author, request, frozen)
  const result = await runCommand(server, access, author, request)
  if (result) return untold(server, channel, author, request, result)
  const slowed = channel.cooldown > 0 && !access.can('skip-channel-cooldown')
  if (slowed) await coolDown(server, server.database.read, channel, author)

  const row = await checked(server, access, author, request)
  const faces = await facesOf(server, app, [author.id, channel.created_by, ...usersIn(row)])
  const quoted =
    row.quoted_message_id === null ? undefined : await messageById(server.database.read, app, row.quoted_message_id)
  if (row.quoted_message_id !== null && (quoted?.cid !== channel.cid || !isWithin(quoted, horizonOf(access))))
    throw inputError('message.quoted_message_id', `message ${row.quoted_message_id} is not in this channel`)
  const quotedFaces = quoted
    ? await facesOf(server, app, [...usersIn(row), ...usersIn(quoted), channel.created_by])
    : faces

  const post = (batch: Batch, about: object = {}) => {
    const now = batch.channel(app, channel.cid)
    if (!now || now.deleted_at !== null)
      throw new ChatError('DoesNotExistError', `Can't find channel with id ${channel.cid}`)
    place(batch, now, row, fromServer ? request.created_at : undefined)
    const message = messageWire(row, { faces: quotedFaces, now: row.created_at, viewerId: author.id, quoted })
    announce(server, batch, now, row, message, about, author, Boolean(access.member))
    if (row.counted && now.hidden_by_some && !request.keep_channel_hidden) batch.later(() => unhide(server, batch, now))
    batch.atEnd(deleteSentDrafts, { server, app, user_id: author.id, place: placeOf(channel.cid, parentId) })
    return message
  }
  if (parentId === null && !slowed) return server.commit.append(app, channel.cid, row.id, post)
  return server.commit.write(app, [channel.cid], async (batch) => {
    // Two messages of the same moment both passed the check above.
    if (slowed) await coolDown(server, batch.db, channel, author)
    if (await messageById(batch.db, app, row.id))
      throw new ChatError('InputError', `a message with ID ${row.id} already exists`)
    return parentId === null ? post(batch) : postReply(server, access, batch, row, post)
  })
}

/** Gives a row its place in the channel: time, ordinal, and the author's new read position. */
function place(batch: Batch, channel: ChannelRow, row: MessageRow, givenTime: string | undefined) {
  const now = batch.nextTime(channel)
  const given = givenTime === undefined ? undefined : microsOf(givenTime)
  if (givenTime !== undefined && given === undefined)
    throw inputError('message.created_at', 'message.created_at is not a time')
  if (given !== undefined && (given > now || given <= (channel.last_message_at ?? 0)))
    throw inputError('message.created_at', 'message.created_at must lie after the newest message and not in the future')
  row.created_at = given ?? now
  row.updated_at = row.created_at
  if (row.pinned_at !== null) row.pinned_at = row.created_at

  const inChannel = row.parent_id === null || row.show_in_channel === 1
  if (row.counted) channel.counted += 1
  row.ordinal = channel.counted
  if (inChannel && !row.shadowed) {
    channel.last_message_at = row.created_at
    channel.activity_at = row.created_at
  }
  batch.addMessage(row)
}

function announce(
  server: Server,
  batch: Batch,
  channel: ChannelRow,
  row: MessageRow,
  message: Message,
  about: object,
  author: UserRow,
  isMember: boolean,
) {
  const at = channel.event_at
  const inChannel = row.parent_id === null || row.show_in_channel === 1
  if (isMember && inChannel)
    batch.setRead({
      app: row.app,
      cid: row.cid,
      user_id: row.user_id,
      last_read: row.created_at,
      last_read_message_id: row.id,
      ordinal: row.ordinal,
      own_after: 0,
    })

  const event = {
    message,
    message_id: row.id,
    user: message.user,
    ...(channel.last_message_at !== null && { channel_last_message_at: isoOf(channel.last_message_at) }),
  }
  const effects: Effect[] = row.counted
    ? [{ do: 'count', ordinal: row.ordinal, author: author.id, postedAt: row.created_at }]
    : inChannel
      ? [{ do: 'authorRead', ordinal: row.ordinal, author: author.id }]
      : []
  const asOfNow = { ...channel }
  batch.publish(channel, 'message.new', {
    at,
    watchers: channelEvent(channel, 'message.new', at, {
      ...event,
      watcher_count: server.hub.watcherCount(channel.app, channel.cid),
      ...about,
    }),
    totals: 'members',
    effects,
    ...(row.shadowed && { onlyWatcher: author.id }),
    ...(inChannel &&
      !row.shadowed && {
        others: {
          except: author.id,
          body: () => {
            const creator = server.users.known(channel.app, channel.created_by)
            const face = creator && userWire(creator, server.presence.isOnline(channel.app, creator.id))
            return channelEvent(asOfNow, 'notification.message_new', at, {
              ...event,
              channel: channelWire(asOfNow, face),
            })
          },
        },
      }),
    ...(inChannel && {
      lowered: {
        user: author.id,
        body: () =>
          channelEvent(asOfNow, 'notification.mark_read', at, {
            user: message.user,
            last_read_message_id: row.id,
          }),
      },
    }),
  })
}

async function checked(server: Server, access: Access, author: UserRow, request: MessageRequest): Promise<MessageRow> {
  const { channel, config } = access
  const text = request.text ?? ''
  const attachments = request.attachments ?? []
  if (text.trim() === '' && attachments.length === 0)
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
  if (/https?:\/\//i.test(text) && !access.can('add-links')) throw notAllowed(access, 'add-links')
  if (request.show_in_channel && !request.parent_id)
    throw inputError('message.show_in_channel', 'message.show_in_channel needs message.parent_id')
  if (request.quoted_message_id && !config.quotes)
    throw new ChatError('ChannelFeatureNotSupportedError', `quotes are turned off in channels of type ${config.name}`)
  if (request.restricted_visibility?.length) {
    if (!access.can('create-restricted-visibility-message'))
      throw notAllowed(access, 'create-restricted-visibility-message')
    throw inputError('message.restricted_visibility', 'messages of restricted visibility are not supported')
  }
  if (request.poll_id) throw new ChatError('DoesNotExistError', `Can't find poll with id ${request.poll_id}`)
  if (request.pinned && !access.can('pin-message')) throw notAllowed(access, 'pin-message')

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
    data: JSON.stringify(customOf(request, messageFields)),
  }
}

/** @throws ChatError MessageTooLongError (20) */
export function checkText(text: string, maxLength: number) {
  const length = text.length <= maxLength ? text.length : [...text].length
  if (length > maxLength)
    throw new ChatError('MessageTooLongError', `message.text has ${length} characters, at most ${maxLength} fit`)
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

const frozen: CommandResult = { type: 'error', text: 'This channel is frozen. The message was not sent.' }

/** A message that is stored nowhere and that nobody but the author gets. */
async function untold(
  server: Server,
  channel: ChannelRow,
  author: UserRow,
  request: MessageRequest,
  { type, text }: CommandResult,
): Promise<Message> {
  const faces = await facesOf(server, channel.app, [author.id])
  const now = server.clock.now() * 1000
  const id = request.id ?? randomUUID()
  return {
    ...messageWire(
      {
        ...emptyRow,
        app: channel.app,
        cid: channel.cid,
        id,
        user_id: author.id,
        text,
        created_at: now,
        updated_at: now,
      },
      { faces, now, viewerId: author.id },
    ),
    type,
  }
}

const emptyRow: Omit<MessageRow, 'app' | 'cid' | 'id' | 'user_id' | 'text' | 'created_at' | 'updated_at'> = {
  type: 'error',
  text_updated_at: null,
  deleted_at: null,
  ordinal: 0,
  counted: 0,
  silent: 0,
  shadowed: 0,
  parent_id: null,
  show_in_channel: 0,
  quoted_message_id: null,
  reply_count: 0,
  deleted_reply_count: 0,
  thread_participants_json: null,
  attachments_json: null,
  mentions_json: null,
  reaction_groups_json: null,
  pinned_at: null,
  pinned_by: null,
  pin_expires: null,
  data: '{}',
}
