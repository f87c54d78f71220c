import type { ImportData } from '@parley/protocol/imports'
import type { Attachment } from '@parley/protocol/messages'
import { withExtras } from '../../chat/messages/extras.ts'
import { audienceOf, restrictedTo } from '../../chat/messages/message-recipients.ts'
import { pinEnd } from '../../chat/messages/pin-end.ts'
import { addCopies, copyFromUrl, dropCopies } from '../../features/attachments/copy-file.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { ChannelRow, MessageRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { FOR_EVER } from '../exports/export-lines.ts'
import { cidIn, customData } from './check-line.ts'
import type { Copy, Importing, Ready } from './import-lines.ts'
import { itemsNamed, putItems } from './import-store.ts'
import { putDues, storedMessages, takenMoments, updateMessages } from './imported-store.ts'
import { customAfter, flagAfter, timeAfter } from './listed.ts'

type Line = ImportData<'message'>

/** Messages with equal timestamps move at most this many microseconds apart: pages begin and end at a timestamp. */
const APART = 1_000
/** Attachment URLs that are copied on request. */
const addresses = ['image_url', 'thumb_url', 'asset_url'] as const

/** Imports messages with their ids and times; ordinals and counters are set once all are there. */
export async function importMessages(importing: Importing, batch: Batch, lines: readonly Line[], copies: Ready) {
  const { app, row } = importing
  const { db, dialect } = batch
  const ids = lines.map(({ id }) => id)
  const before = new Map((await storedMessages(db, dialect, app.id, ids)).map((message) => [message.id, message]))
  const wanted = row.mode === 'insert' ? lines.filter(({ id }) => !before.has(id)) : lines
  const now = batch.now()
  const rows = wanted.map((line) => messageAfter(importing, line, before.get(line.id), now, copies))
  await setApart(batch, app.id, rows)
  await setAudiences(importing, batch, rows)
  for (const message of rows) if (!before.has(message.id)) batch.addMessage(message)
  await updateMessages(
    db,
    dialect,
    rows.filter(({ id }) => before.has(id)),
  )
  const ending = rows.filter(({ pin_expires }) => pin_expires !== null && pin_expires > now)
  const dues = ending.map(({ id, cid, pin_expires }) => ({ app: app.id, kind: pinEnd.name, id, cid, at: pin_expires! }))
  await putDues(db, dialect, dues)
  await addCopies(
    batch,
    [...copies.values()].map(({ file }) => file),
  )
  const list = { app: app.id, id: row.id }
  const threads = rows.flatMap(({ parent_id }) => (parent_id === null ? [] : [[parent_id, null] as const]))
  await putItems(db, dialect, { ...list, list: 'threads' }, new Map(threads))
  await putItems(db, dialect, { ...list, list: 'channels' }, new Map(rows.map(({ cid }) => [cid, null])))
}

function messageAfter(
  { app, row }: Importing,
  line: Line,
  known: MessageRow | undefined,
  now: number,
  copies: Ready,
): MessageRow {
  const created_at = timeAfter(line.created_at, known?.created_at ?? now)
  const deleted_at =
    line.type === 'deleted'
      ? (timeAfter(line.deleted_at, known?.deleted_at ?? null) ?? created_at)
      : timeAfter(line.deleted_at, known?.deleted_at ?? null)
  const list = (said: readonly string[] | undefined, was: string | null | undefined) =>
    said === undefined ? (was ?? null) : said.length === 0 ? null : JSON.stringify([...new Set(said)])
  const parent_id = line.parent_id ?? known?.parent_id ?? null
  const show_in_channel = flagAfter(line.show_in_channel, known?.show_in_channel ?? 0)
  const silent = flagAfter(line.silent, known?.silent ?? 0)
  const shadowed = flagAfter(line.shadowed, known?.shadowed ?? 0)
  const shown = parent_id === null || show_in_channel === 1
  const { restricted_visibility: named } = line
  const restricted_json =
    named === undefined ? (known?.restricted_json ?? null) : named.length === 0 ? null : restrictedTo(named, line.user)
  return {
    app: app.id,
    id: line.id,
    cid: cidIn(line),
    user_id: line.user,
    type: parent_id !== null ? 'reply' : line.type === 'system' ? 'system' : (known?.type ?? 'regular'),
    text: line.text ?? known?.text ?? '',
    created_at,
    updated_at: Math.max(deleted_at ?? 0, known ? now : created_at),
    text_updated_at: known?.text_updated_at ?? null,
    deleted_at,
    ordinal: known?.ordinal ?? 0,
    counted: shadowed === 0 && silent === 0 && shown ? 1 : 0,
    silent,
    shadowed,
    restricted_json,
    audience_json: known?.audience_json ?? null,
    extras_json:
      line.html === undefined
        ? (known?.extras_json ?? null)
        : withExtras({ extras_json: known?.extras_json ?? null }, { html: line.html }),
    parent_id,
    show_in_channel,
    quoted_message_id: line.quoted_message_id ?? known?.quoted_message_id ?? null,
    reply_count: known?.reply_count ?? 0,
    deleted_reply_count: known?.deleted_reply_count ?? 0,
    thread_participants_json: known?.thread_participants_json ?? null,
    attachments_json: line.attachments ? attachmentsOf(line.attachments, copies) : (known?.attachments_json ?? null),
    mentions_json: list(line.mentioned_users_ids, known?.mentions_json),
    reaction_groups_json: known?.reaction_groups_json ?? null,
    pinned_at: timeAfter(line.pinned_at, known?.pinned_at ?? null),
    pinned_by: line.pinned_by_id ?? known?.pinned_by ?? null,
    pin_expires: line.pin_expires === FOR_EVER ? null : timeAfter(line.pin_expires, known?.pin_expires ?? null),
    poll_id: known?.poll_id ?? null,
    command: known?.command ?? null,
    args: known?.args ?? null,
    data: customAfter(row, customData({ type: 'message', data: line }), known?.data),
  }
}

/** Makes timestamps unique within a channel or thread: each duplicate is moved by a microsecond. */
async function setApart(batch: Batch, app: string, rows: readonly MessageRow[]) {
  const own = new Set(rows.map(({ id }) => id))
  for (const where of ['channel', 'thread'] as const) {
    const inside = (row: MessageRow) => (where === 'channel' ? row.cid : row.parent_id!)
    const here = rows.filter((row) =>
      where === 'channel' ? row.parent_id === null || row.show_in_channel === 1 : row.parent_id !== null,
    )
    const moments = here.map((row) => ({ inside: inside(row), at: row.created_at }))
    const near = await takenMoments(batch.db, batch.dialect, app, where, moments, APART)
    const taken = new Set(near.filter(({ id }) => !own.has(id)).map((moment) => `${moment.inside}|${moment.at}`))
    for (const row of here) {
      while (taken.has(`${inside(row)}|${row.created_at}`)) row.created_at += 1
      taken.add(`${inside(row)}|${row.created_at}`)
      row.updated_at = Math.max(row.updated_at, row.created_at)
    }
  }
}

/** The audience of a message that is restricted to no users. */
function everybodyElse(server: Server, { db }: Batch, channel: ChannelRow, row: MessageRow): Promise<string[]> {
  const watching = server.hub.watchersOf(channel.app, channel.cid)
  return audienceOf(server, db, channel, { ...row, restricted_json: '[]' }, watching)
}

/** Sets the audience of restricted messages; the roles in each channel are looked up once. */
async function setAudiences({ server, app, row: { id } }: Importing, batch: Batch, rows: readonly MessageRow[]) {
  const restricted = rows.filter((row) => row.restricted_json !== null)
  const readers = new Map<string, string[]>()
  for (const row of restricted) {
    if (readers.has(row.cid)) continue
    const channel = await server.channels.get(app.id, row.cid)
    // Only the users it names, in a channel that this very import creates.
    const list = { app: app.id, id, list: 'items' } as const
    const isFresh = (await itemsNamed(batch.db, batch.dialect, list, [JSON.stringify(['channel', row.cid])])).size > 0
    const staff = channel && !isFresh ? await everybodyElse(server, batch, channel, row) : []
    readers.set(
      row.cid,
      staff.filter((userId) => userId !== row.user_id),
    )
  }
  for (const row of restricted) {
    const meant: string[] = JSON.parse(row.restricted_json!)
    row.audience_json = JSON.stringify([...new Set([row.user_id, ...meant, ...readers.get(row.cid)!])])
  }
}

/**
 * Fetches the attachments that ask for a copy; not for existing messages that stay as they are.
 *
 * @returns the copies by their former addresses
 * @throws ChatError InputError (4) — one cannot be fetched, which fails the import
 */
export async function copiesFor(
  { server, app, row }: Importing,
  lines: readonly Line[],
  heartbeat: () => Promise<void>,
): Promise<Ready> {
  const copies = new Map<string, Copy>()
  const { read, dialect } = server.database
  const ids = row.mode === 'insert' ? lines.map(({ id }) => id) : []
  const staying = new Set((await storedMessages(read, dialect, app.id, ids)).map(({ id }) => id))
  try {
    for (const line of lines.filter(({ id }) => !staying.has(id)))
      for (const attachment of line.attachments ?? []) {
        const { migrate_resources, type } = attachment as Attachment & { migrate_resources?: unknown }
        if (migrate_resources !== true) continue
        for (const field of addresses) {
          const url = (attachment as Record<string, unknown>)[field]
          if (typeof url !== 'string' || copies.has(url)) continue
          const kind = field === 'asset_url' && type !== 'image' ? 'file' : 'image'
          const file = await copyFromUrl(server, app, { url, kind, cid: cidIn(line), userId: line.user })
          copies.set(url, { file, link: server.files.linkTo(app, file) })
          await heartbeat()
        }
      }
  } catch (error) {
    await dropCopies(
      server,
      [...copies.values()].map(({ file }) => file),
    )
    throw error
  }
  return copies
}

function attachmentsOf(attachments: readonly object[], copies: Ready): string | null {
  if (attachments.length === 0) return null
  const moved = attachments.map((attachment) => {
    const { migrate_resources, ...said } = attachment as Record<string, unknown>
    if (migrate_resources !== true) return said
    const fresh = addresses.flatMap((field) => {
      const copy = copies.get(String(said[field]))
      return copy ? [[field, copy.link] as const] : []
    })
    return { ...said, ...Object.fromEntries(fresh) }
  })
  return JSON.stringify(moved)
}
