import { isDeepStrictEqual } from 'node:util'
import { ATTACHMENTS_PER_MESSAGE } from '@parley/protocol/limits'
import type { Message, MessageRequest } from '@parley/protocol/messages'
import type { PartialUpdate } from '@parley/protocol/wire'
import {
  type Preview,
  previewFor,
  withoutLostPreviews,
  withPreview,
} from '../../features/attachments/preview-in-message.ts'
import { ChatError, inputError } from '../../platform/chat-error.ts'
import { patched } from '../../platform/custom-data.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { MessageRow, UserRow } from '../../platform/database/tables.ts'
import { idOf } from '../../platform/http/validate.ts'
import type { Effect } from '../../platform/realtime/publication.ts'
import type { Server } from '../../server.ts'
import { checkWriter, isShadowed } from '../bans/banned.ts'
import { type Access, notAllowed, stillThere } from '../channels/channel-access.ts'
import { channelEvent } from '../channels/channel-wire.ts'
import { countMessage, messageCount } from '../channels/message-count.ts'
import { userSummariesOf } from '../users/user-summaries.ts'
import { addLatePreview } from './add-preview.ts'
import { addLateTranslation, autoTranslationOf } from './auto-translation.ts'
import { checkAttachments, checkLinks, checkMentions, checkQuotes, checkText, timeOrNull } from './check-message.ts'
import { composeMessages } from './compose-messages.ts'
import { uncount } from './delete-for-me.ts'
import { extrasOf, withExtras } from './extras.ts'
import { accessQuoted, missing } from './message-access.ts'
import { customFieldsOf, messageFields } from './message-fields.ts'
import { keepVersion } from './message-history.ts'
import { recipientsNow } from './message-recipients.ts'
import { messageById, updateMessage } from './message-store.ts'
import { eventViewerOf, locationIn } from './message-wire.ts'
import { setPinEnd } from './pin-end.ts'
import { hideFromOthers } from './shadow-message.ts'
import type { Verdict } from './text-moderation.ts'
import { isModerated, stopped } from './text-moderation.ts'
import type { Translations } from './translate-message.ts'

/** An edit replaces the whole message, or patches single fields [MSG-32]. */
export type Edit = { replace: MessageRequest } | { patch: PartialUpdate }

interface EditOptions {
  /** Fetches no link preview. */
  skipPreview?: boolean
  fromServer?: boolean
  /** The translations of the message, if the editor supplies them. */
  i18n?: Translations | undefined
}

/** The fields of a request to pin; clients may send `pinned_at`, but the server sets it itself. */
const pinFields: ReadonlySet<string> = new Set(['pinned', 'pin_expires', 'pinned_at'])
const editable: ReadonlySet<string> = new Set(
  'text attachments mentioned_users quoted_message_id show_in_channel pinned pin_expires'.split(' '),
)

/** Whether an edit only pins or unpins, which needs another permission than changing the content [PIN-7]. */
export function isPinning(edit: Edit): boolean {
  if ('replace' in edit) return false
  const paths = [...Object.keys(edit.patch.set ?? {}), ...(edit.patch.unset ?? [])]
  return paths.length > 0 && paths.every((path) => pinFields.has(path))
}

/**
 * Changes a message; identity, author, times and reactions stay.
 *
 * @throws ChatError InputError (4) — it is deleted, would be empty, or a field has a wrong value
 * @throws ChatError MessageTooLongError (20)
 */
export async function editMessage(
  server: Server,
  access: Access,
  was: MessageRow,
  edit: Edit,
  by: UserRow | undefined,
  { skipPreview = false, fromServer = false, i18n }: EditOptions = {},
): Promise<Message> {
  const { app, cid } = access.channel
  const { id, text: before } = was
  const editor = by && (await checkWriter(server, by, access))
  const text = newTextOf(edit) ?? ''
  const verdict = isModerated(access, { fromServer, force: false })
    ? verdictOnEdit(server, access, was, edit)
    : undefined
  // Others have read the message before, so a shadow block would not work: any verdict refuses the edit like a block.
  if (editor && verdict && verdict.does !== 'flag') {
    await server.extensions.textModeration.noteRefusedEdit(server, editor, was, verdict)
    return stopped(server, access, editor, { id, parent_id: was.parent_id }, verdict, was.created_at)
  }
  const [preview, translation] = await Promise.all([
    previewFor(server, access, text, skipPreview),
    autoTranslationOf(server, access, text === before || i18n ? '' : text),
  ])
  const alone = editor && isOthersAffair(was, edit, editor) && isShadowed(editor, access) ? editor.id : undefined
  const write = async (batch: Batch) => {
    const channel = stillThere(batch, access.channel)
    const stored = await messageById(batch.db, app, id)
    if (!stored) throw missing(id)
    if (stored.deleted_at !== null) throw new ChatError('InputError', `message ${id} is deleted and can't be changed`)
    const row = isUnseen(access, stored, edit, editor) ? await hideFromOthers(server, batch, stored) : stored

    const at = batch.nextTime(channel)
    const change: Partial<MessageRow> = {
      ...(await changeOf(server, access, row, edit, editor, at, preview)),
      updated_at: at,
    }
    if (change.text !== undefined && change.text !== row.text) {
      change.text_updated_at = at
      change.extras_json = withExtras(row, { html: undefined, mml: undefined, i18n: translation.now })
    }
    if (fromServer && 'replace' in edit)
      change.extras_json = withExtras({ extras_json: change.extras_json ?? row.extras_json }, extrasOf(edit.replace))
    if (saysOther(row, change))
      change.extras_json = withExtras(
        { extras_json: change.extras_json === undefined ? row.extras_json : change.extras_json },
        // Readers would take the text for the author's.
        { written_by: editor && editor.id !== row.user_id ? editor.id : undefined },
      )
    if (i18n) change.extras_json = withExtras({ extras_json: change.extras_json ?? row.extras_json }, { i18n })
    const effects: Effect[] = []
    if (change.show_in_channel !== undefined && change.show_in_channel !== row.show_in_channel)
      countMessage(channel, { ...row, show_in_channel: 1 }, change.show_in_channel ? 1 : -1)
    if (row.counted && change.show_in_channel === 0) {
      // A reply taken out of the channel no longer counts there [READ-9]; put back, it does not become unread.
      change.counted = 0
      effects.push(...(await uncount(batch, [row], true)).values())
    }
    await updateMessage(batch.db, app, id, change)
    await setPinEnd(batch, { ...row, ...change }, row)

    const changed = { ...row, ...change }
    if (changed.text !== row.text) await batch.dialect.indexWords(batch.db, [changed])
    await keepVersion(batch.db, row, changed, { at, by: editor?.id ?? row.user_id })
    if (changed.text !== row.text || changed.attachments_json !== row.attachments_json)
      await server.extensions.textModeration.noteEdit(server, batch, changed)
    const [heard] = await composeMessages(server, app, [changed], eventViewerOf(row), batch.db)
    const user = editor && (await userSummariesOf(server, app, [editor.id])).of(editor.id)
    const body = channelEvent(channel, 'message.updated', at, {
      message: heard,
      message_id: id,
      user: user ?? heard!.user,
      ...(change.show_in_channel !== undefined && messageCount(server, channel)),
    })
    batch.publish(channel, 'message.updated', {
      at,
      watchers: body,
      ...(await recipientsNow(server, batch.db)(row)),
      outbound: { message_update: messageUpdate(row, changed) },
      ...(effects.length > 0 && { others: { body, onlyChanged: true }, totals: 'members', effects }),
    })
    const [message] = await composeMessages(server, app, [changed], editor?.id, batch.db, {
      showShadowed: fromServer,
    })
    return message!
  }
  const edited = server.commit.write(app, [cid], write, { alone })
  if (alone !== undefined) return edited
  addLatePreview(server, { app, cid, id }, preview, edited)
  addLateTranslation(server, { app, cid, id }, text, translation, edited)
  const message = await edited
  if (verdict) await server.extensions.textModeration.flagByList(server, was, verdict)
  return message
}

/** Whether an edit changes what stays visible to others: another user's message, or the pins of the channel. */
function isOthersAffair({ user_id, shadowed }: MessageRow, edit: Edit, editor: UserRow): boolean {
  return user_id !== editor.id || (isPinning(edit) && !shadowed)
}

/** Whether an edit by a shadow-banned author leaves a message visible to that author only [MOD-17]. */
function isUnseen(access: Access, row: MessageRow, edit: Edit, editor: UserRow | undefined): boolean {
  if (row.shadowed || editor?.id !== row.user_id || isPinning(edit)) return false
  return isShadowed(editor, access)
}

/** Whether an edit changes the text or attachments; a pin, for example, does not. */
function saysOther(row: MessageRow, { text = row.text, attachments_json = row.attachments_json }: Partial<MessageRow>) {
  return text !== row.text || attachments_json !== row.attachments_json
}

/** What an edit changed, for webhooks that moderate content [administration.md 13.4]. */
function messageUpdate(was: MessageRow, now: MessageRow) {
  const differs = (...columns: (keyof MessageRow)[]) => columns.some((column) => was[column] !== now[column])
  const extras = (row: MessageRow) => (row.extras_json === null ? {} : JSON.parse(row.extras_json))
  return {
    ...(differs('text') && { old_text: was.text }),
    change_set: {
      text: differs('text'),
      html: differs('text') || extras(was).html !== extras(now).html,
      mml: extras(was).mml !== extras(now).mml,
      attachments: differs('attachments_json'),
      // A database may return the same JSON with its keys in another order.
      custom: !isDeepStrictEqual(JSON.parse(was.data), JSON.parse(now.data)),
      mentioned_user_ids: differs('mentions_json'),
      quoted_message_id: differs('quoted_message_id'),
      silent: differs('silent'),
      pin: differs('pinned_at', 'pin_expires'),
    },
  }
}

/**
 * Publishes an edited message to the watchers without storing it: the next query returns the stored message.
 *
 * @throws ChatError InputError (4) — it is deleted, or a field has a wrong value
 */
export async function showEdit(
  server: Server,
  access: Access,
  row: MessageRow,
  patch: PartialUpdate,
  by: UserRow | undefined,
  { fromServer = false }: Pick<EditOptions, 'fromServer'> = {},
): Promise<Message> {
  const { app, cid } = access.channel
  const editor = by && (await checkWriter(server, by, access))
  if (row.deleted_at !== null) throw new ChatError('InputError', `message ${row.id} is deleted and can't be changed`)
  const verdict = isModerated(access, { fromServer, force: false })
    ? verdictOnEdit(server, access, row, { patch })
    : undefined
  if (editor && verdict && verdict.does !== 'flag')
    return stopped(server, access, editor, { id: row.id, parent_id: row.parent_id }, verdict, row.created_at)
  const at = server.clock.micros()
  const change = await changeOf(server, access, row, { patch }, editor, at, {})
  const changed = { ...row, ...change, updated_at: at }
  const [heard] = await composeMessages(server, app, [changed], eventViewerOf(row))
  const user = editor && (await userSummariesOf(server, app, [editor.id])).of(editor.id)
  const body = channelEvent(access.channel, 'message.updated', at, {
    message: heard,
    message_id: row.id,
    user: user ?? heard!.user,
  })
  const isAlone =
    editor &&
    isShadowed(editor, access) &&
    (isOthersAffair(row, { patch }, editor) || isUnseen(access, row, { patch }, editor))
  const alone = isAlone && { only: [editor.id] }
  const recipients = await recipientsNow(server, server.database.read)(row)
  server.hub.publish([{ app, cid, seq: 0, at, watchers: body, ...recipients, ...alone }])
  const [message] = await composeMessages(server, app, [changed], editor?.id, server.database.read, {
    showShadowed: fromServer,
  })
  return message!
}

/** The verdict of the block lists on the text and attachments that an edit sets. */
function verdictOnEdit(server: Server, access: Access, was: MessageRow, edit: Edit): Verdict | undefined {
  const text = newTextOf(edit)
  const attachments = 'replace' in edit ? edit.replace.attachments : edit.patch.set?.attachments
  if ((text === undefined || text === was.text) && attachments === undefined) return undefined
  return server.extensions.textModeration.verdictOn(
    server,
    access,
    text ?? was.text,
    Array.isArray(attachments) ? attachments : [],
  )
}

/** Undefined if the edit does not set the text. */
function newTextOf(edit: Edit): string | undefined {
  const text = 'replace' in edit ? edit.replace.text : edit.patch.set?.text
  return typeof text === 'string' ? text : undefined
}

async function changeOf(
  server: Server,
  access: Access,
  row: MessageRow,
  edit: Edit,
  editor: UserRow | undefined,
  at: number,
  preview: Preview,
): Promise<Partial<MessageRow>> {
  const whole = 'replace' in edit
  // The endpoint asks only for read access if the edit pins, so the pin permission is checked here.
  if (isPinning(edit) && !mayPin(access, row)) throw notAllowed(access, 'pin-message')
  if (whole) checkType(row, edit.replace.type)
  else checkPatched(row, edit.patch)
  const fields: Record<string, unknown> = whole ? { ...edit.replace } : fieldsOf(edit.patch)

  const change: Partial<MessageRow> = {}
  if (whole || 'text' in fields) change.text = textOf(fields.text, access.config.max_message_length)
  if (change.text !== undefined && change.text !== row.text) checkLinks(access, change.text)
  if (whole || 'attachments' in fields) change.attachments_json = attachmentsOf(fields.attachments)
  const isAttaching = change.attachments_json !== null && change.attachments_json !== row.attachments_json
  if (change.attachments_json !== undefined && isAttaching && !access.can('create-attachment'))
    throw notAllowed(access, 'create-attachment')
  if (whole || 'mentioned_users' in fields) {
    const mentioned = listOf<unknown>('message.mentioned_users', fields.mentioned_users).map(idOf)
    if (!mentioned.every((id) => typeof id === 'string'))
      throw inputError('message.mentioned_users', 'message.mentioned_users must be a list of ids')
    const mentions = await checkMentions(server, access, mentioned)
    change.mentions_json = mentions.length > 0 ? JSON.stringify(mentions) : null
  }
  if (whole || 'quoted_message_id' in fields)
    change.quoted_message_id = await quotedOf(server, access, row, fields.quoted_message_id)
  if ((whole || 'show_in_channel' in fields) && row.parent_id !== null)
    change.show_in_channel = flagIn(fields, 'show_in_channel') ? 1 : 0
  if ('pinned' in fields || 'pin_expires' in fields || whole)
    Object.assign(change, pinOf(access, row, fields, whole, editor, at))

  const custom = JSON.parse(row.data)
  const data = whole
    ? customFieldsOf(fields)
    : patched(custom, {
        set: pick(edit.patch.set ?? {}),
        unset: (edit.patch.unset ?? []).filter((path) => !messageFields.has(path.split('.')[0]!)),
      })
  change.data = JSON.stringify(data)

  const text = change.text ?? row.text
  if (text !== row.text) {
    const before = change.attachments_json === undefined ? row.attachments_json : change.attachments_json
    const kept = withoutLostPreviews(before === null ? [] : JSON.parse(before), row.text, text)
    const after = withPreview(kept, preview.now)
    change.attachments_json = after.length > 0 ? JSON.stringify(after) : null
  }
  const attachments = change.attachments_json === undefined ? row.attachments_json : change.attachments_json
  if (text.trim() === '' && attachments === null && !locationIn(row) && row.poll_id === null)
    throw inputError('message.text', 'message.text or message.attachments must be set')
  return change
}

/** @throws ChatError InputError (4) — not a type a message can have; any other value leaves the type as it is */
function checkType(row: MessageRow, type: unknown) {
  if (type !== undefined && type !== row.type && type !== 'regular' && type !== 'system')
    throw inputError('message.type', 'message.type must be regular or system')
}

/** @throws ChatError InputError (4) — a built-in field that cannot change, or a path into one */
function checkPatched(row: MessageRow, { set = {}, unset = [] }: PartialUpdate) {
  const stays: Record<string, unknown> = { type: row.type, silent: row.silent === 1 }
  for (const path of [...Object.keys(set), ...unset]) {
    const field = path.split('.')[0]!
    const isSame = Object.hasOwn(stays, path) && set[path] === stays[path]
    if (!messageFields.has(field) || editable.has(path) || pinFields.has(path) || isSame) continue
    const why = editable.has(field) ? 'is changed as a whole, not by a path into it' : "of a message can't be changed"
    throw inputError(path, `${field} ${why}`)
  }
}

/** The built-in fields a patch names; `unset` of one empties it. */
function fieldsOf({ set = {}, unset = [] }: PartialUpdate): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const [path, value] of Object.entries(set)) if (editable.has(path)) fields[path] = value
  for (const path of unset) if (editable.has(path)) fields[path] = undefined
  return fields
}

function pick(set: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(set).filter(([path]) => !messageFields.has(path.split('.')[0]!)))
}

function flagIn(fields: Record<string, unknown>, name: 'pinned' | 'show_in_channel'): boolean {
  const value = fields[name] ?? false
  if (typeof value !== 'boolean') throw inputError(`message.${name}`, `message.${name} must be true or false`)
  return value
}

function textOf(value: unknown, maxLength: number): string {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string') throw inputError('message.text', 'message.text must be a string')
  checkText(value, maxLength)
  return value
}

function attachmentsOf(value: unknown): string | null {
  const attachments = listOf<object>('message.attachments', value)
  if (attachments.some((attachment) => typeof attachment !== 'object' || attachment === null))
    throw inputError('message.attachments', 'message.attachments must be a list of objects')
  if (attachments.length > ATTACHMENTS_PER_MESSAGE)
    throw inputError(
      'message.attachments',
      `message.attachments must contain at maximum ${ATTACHMENTS_PER_MESSAGE} items`,
    )
  checkAttachments(attachments)
  return attachments.length > 0 ? JSON.stringify(attachments) : null
}

function listOf<Item = string>(field: string, value: unknown): Item[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw inputError(field, `${field} must be a list`)
  return value
}

/**
 * @throws ChatError ChannelFeatureNotSupportedError (19); InputError (4) — the editor cannot see the newly quoted one
 */
async function quotedOf(server: Server, access: Access, row: MessageRow, id: unknown): Promise<string | null> {
  if (id === undefined || id === null || id === '') return null
  // The present quote stays, even if the quoted message is deleted or hidden from the editor.
  if (id === row.quoted_message_id) return row.quoted_message_id
  checkQuotes(access)
  if (id === row.id) throw inputError('message.quoted_message_id', 'a message cannot quote itself')
  return (await accessQuoted(server, access, String(id))).id
}

/** @throws ChatError NotAllowedError (17) — the edit pins or unpins without the permission [PIN-7] */
function pinOf(
  access: Access,
  row: MessageRow,
  fields: Record<string, unknown>,
  whole: boolean,
  editor: UserRow | undefined,
  at: number,
): Partial<MessageRow> {
  const was = row.pinned_at !== null && (row.pin_expires === null || row.pin_expires > at)
  const wanted = 'pinned' in fields ? flagIn(fields, 'pinned') : !whole && was
  const expires = fields.pin_expires
  if (expires !== undefined && expires !== null && typeof expires !== 'string')
    throw inputError('message.pin_expires', 'message.pin_expires must be a time')
  const until = 'pin_expires' in fields ? timeOrNull('message.pin_expires', expires) : was ? row.pin_expires : null
  if (wanted && row.restricted_json !== null)
    throw inputError('message.pinned', 'a message of restricted visibility cannot be pinned')
  const same = wanted === was && (!wanted || until === row.pin_expires)
  if (!same && !mayPin(access, row)) throw notAllowed(access, 'pin-message')
  if (!wanted) return { pinned_at: null, pinned_by: null, pin_expires: null }
  return {
    pinned_at: was ? row.pinned_at : at,
    pinned_by: was ? row.pinned_by : (editor?.id ?? row.user_id),
    pin_expires: until,
  }
}

/** On a livestream, users may pin their own messages. */
function mayPin(access: Access, row: MessageRow): boolean {
  return access.can('pin-message') || (row.user_id === access.user?.id && access.can('pin-message-owner'))
}
