import { cidOf, splitCid } from '@parley/protocol/cid'
import type { ExportedChannel, ExportOptions } from '@parley/protocol/exports'
import type { App } from '../../chat/apps/app.ts'
import { checkCid } from '../../chat/channels/channel-access.ts'
import { channelWire, usersOfChannel } from '../../chat/channels/channel-wire.ts'
import { storedChannels } from '../../chat/channels/stored-channel.ts'
import { composeMessages } from '../../chat/messages/compose-messages.ts'
import { userSummariesOf } from '../../chat/users/user-summaries.ts'
import { ChatError, inputError } from '../../platform/chat-error.ts'
import type { ChannelRow, MessageRow } from '../../platform/database/tables.ts'
import { type Micros, microsOf } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import { columnsOf, csvLine, valuesOf } from './csv.ts'
import {
  type ChannelName,
  channelLine,
  lineTypes,
  memberLine,
  messageData,
  messageLine,
  nameOf,
  reactionLine,
} from './export-lines.ts'
import { membersAfter, messagesAfter, placesOf, reactionsOn, repliesAfter, type Span } from './export-store.ts'
import { exporting, type Writing } from './export-task.ts'
import { writeUsers } from './export-users.ts'

/** Rows read per query. */
const PAGE = 500

/** Lines have one part per type, other formats a single part. */
type Part = (typeof lineTypes)[number]

/** A channel to export, and the time span. */
interface Wanted {
  cid: string
  since: Micros
  until: Micros
}

/** The input of the task. */
export interface ChannelExport {
  channels: Wanted[]
  options: ExportOptions
}

export const exportingChannels = exporting<ChannelExport, Part>({
  kind: 'export-channels',
  event: 'export.channels',
  parts: lineTypes,
  fileOf: ({ options }) =>
    options.format === 'csv'
      ? { name: 'messages.csv', type: 'text/csv' }
      : options.version === 'v2'
        ? { name: 'channels.jsonl', type: 'application/x-ndjson' }
        : { name: 'channels.json', type: 'application/json' },
  async write(writing, { channels, options }) {
    const found = await channelsOf(writing, channels, options)
    if (options.format === 'csv') await writeTable(writing, found, options)
    else if (options.version === 'v2') await writeLines(writing, found, options)
    else await writeList(writing, found, options)
  },
})

/**
 * Starts an export of channels; returns the task [IMP-2, IMP-8].
 *
 * @throws ChatError InputError (4) — a channel without type or id, an invalid time, or options `csv` does not support
 * @throws ChatError DoesNotExistError (16) — there is no such channel
 */
export async function exportChannels(
  server: Server,
  app: App,
  asked: readonly ExportedChannel[],
  options: ExportOptions,
): Promise<string> {
  if (options.format === 'csv' && options.version !== 'v2') throw inputError('format', 'format csv needs version v2')
  if (options.format === 'csv' && options.export_users)
    throw inputError('export_users', 'export_users and format csv exclude each other')
  const channels = asked.map((channel, i) => wantedOf(app, channel, `channels.${i}`))
  const known = await server.channels.getAll(
    app.id,
    channels.map(({ cid }) => cid),
  )
  for (const { cid } of channels) checkThere(known.get(cid), cid, options)
  const input: ChannelExport = { channels, options }
  return server.commit.write(app.id, [], (batch) => server.tasks.begin(batch, app.id, exportingChannels.name, input))
}

function wantedOf(app: App, { type, id, cid, messages_since, messages_until }: ExportedChannel, field: string): Wanted {
  const name = cid === undefined ? { type, id } : splitCid(cid)
  if (!name.type) throw inputError(`${field}.type`, `${field}.type is a required field`)
  if (!name.id) throw inputError(`${field}.id`, `${field}.id is a required field`)
  checkCid(app, name.type, name.id)
  const time = (what: string, text: string | undefined, otherwise: Micros) => {
    const at = text === undefined ? otherwise : microsOf(text)
    if (at === undefined) throw inputError(`${field}.${what}`, `${field}.${what} is not a time`)
    return at
  }
  return {
    cid: cidOf(name.type, name.id),
    since: time('messages_since', messages_since, 0),
    until: time('messages_until', messages_until, Number.MAX_SAFE_INTEGER),
  }
}

function checkThere(channel: ChannelRow | undefined, cid: string, options: ExportOptions) {
  if (!channel || (channel.deleted_at !== null && !options.include_soft_deleted_channels))
    throw new ChatError('DoesNotExistError', `Can't find channel with id ${cid}`)
}

interface Found {
  row: ChannelRow
  span: Span
}

/** @throws ChatError DoesNotExistError (16) — a channel was deleted meanwhile */
async function channelsOf(
  { server, app }: Writing<Part>,
  channels: readonly Wanted[],
  options: ExportOptions,
): Promise<Found[]> {
  const cids = channels.map(({ cid }) => cid)
  const rows = new Map((await storedChannels(server, app.id, cids)).map((row) => [row.cid, row]))
  const each = new Map(channels.map((wanted) => [wanted.cid, wanted]))
  return [...each.values()].map(({ cid, since, until }) => {
    const row = rows.get(cid)
    checkThere(row, cid, options)
    const begin = options.include_truncated_messages ? 0 : (row!.truncated_at ?? 0)
    return { row: row!, span: { since: Math.max(since, begin), until } }
  })
}

/** The messages of a channel in pages, each page of the channel followed by the threads in it. */
async function* messagePages(
  { server, app, heartbeat }: Writing<Part>,
  { row, span }: Found,
): AsyncGenerator<MessageRow[]> {
  const { read, dialect } = server.database
  // Messages may have the timestamp 0.
  for (let after = -1; ; ) {
    const page = await messagesAfter(read, app.id, row.cid, after, span, PAGE)
    if (page.length > 0) yield page
    await heartbeat()
    const parents = page.filter((message) => message.thread_participants_json !== null).map((message) => message.id)
    for (let last: MessageRow | undefined; parents.length > 0; ) {
      const replies = await repliesAfter(read, dialect, app.id, parents, last, span, PAGE)
      if (replies.length > 0) yield replies
      await heartbeat()
      last = replies.at(-1)
      if (replies.length < PAGE) break
    }
    if (page.length < PAGE) return
    after = page.at(-1)!.created_at
  }
}

/** Writes one line per object, in the order an import requires. */
async function writeLines(writing: Writing<Part>, channels: readonly Found[], options: ExportOptions) {
  const people = new Set<string>()
  for (const found of channels) {
    people.add(found.row.created_by)
    const name = await writeMembers(writing, found.row, people)
    for await (const page of messagePages(writing, found)) {
      const lines = await dataOf(writing, page, name, found, options, people)
      await writing.file.add('message', lines.map(messageLine).join(''))
      await writeReactions(writing, page, people)
    }
  }
  if (!options.export_users) return
  await writeUsers(writing, [...people], {
    users: people,
    cids: new Set(channels.map(({ row }) => row.cid)),
  })
}

/** Writes the channel and its members; returns how lines name the channel. */
async function writeMembers({ server, app, file, heartbeat }: Writing<Part>, row: ChannelRow, people: Set<string>) {
  const ids: string[] = []
  const banned: string[] = []
  for await (const page of memberPages(server, app.id, row.cid))
    for (const { user_id, banned: isBanned } of page) {
      ids.push(user_id)
      people.add(user_id)
      if (isBanned) banned.push(user_id)
    }
  const name = nameOf(row, ids)
  await file.add('channel', channelLine(row, name, banned))
  for await (const page of memberPages(server, app.id, row.cid)) {
    await file.add('member', page.map((member) => memberLine(member, name)).join(''))
    await heartbeat()
  }
  return name
}

async function* memberPages({ database }: Server, app: string, cid: string) {
  for (let after = ''; ; ) {
    const page = await membersAfter(database.read, app, cid, after, PAGE)
    yield page
    if (page.length < PAGE) return
    after = page.at(-1)!.user_id
  }
}

async function writeReactions({ server, app, file }: Writing<Part>, page: readonly MessageRow[], people: Set<string>) {
  const { read, dialect } = server.database
  const ids = page.filter((message) => message.reaction_groups_json !== null).map((message) => message.id)
  for (let last: Parameters<typeof reactionsOn>[4]; ids.length > 0; ) {
    const reactions = await reactionsOn(read, dialect, app.id, ids, last, PAGE)
    for (const { user_id } of reactions) people.add(user_id)
    await file.add('reaction', reactions.map(reactionLine).join(''))
    if (reactions.length < PAGE) return
    last = reactions.at(-1)
  }
}

/** A page of messages in the format of lines; references to deleted objects are left out. */
async function dataOf(
  { server, app }: Writing<Part>,
  page: readonly MessageRow[],
  name: ChannelName,
  { row, span }: Found,
  { clear_deleted_message_text: clearDeleted = false, include_fields }: ExportOptions,
  people?: Set<string>,
) {
  const { read, dialect } = server.database
  const named = page.flatMap(peopleIn)
  const known = await server.users.getAll(app.id, new Set(named))
  for (const id of known.keys()) people?.add(id)
  const quoted = new Set(
    (
      await placesOf(
        read,
        dialect,
        app.id,
        page.flatMap((message) => message.quoted_message_id ?? []),
      )
    )
      .filter(({ cid, created_at: at }) => cid === row.cid && at >= span.since && at <= span.until)
      .map(({ id }) => id),
  )
  const only = include_fields && new Set(include_fields)
  return page.map((message) =>
    messageData(message, name, {
      clearDeleted,
      isKnown: (id) => known.has(id),
      hasQuoted: message.quoted_message_id !== null && quoted.has(message.quoted_message_id),
      only,
    }),
  )
}

function peopleIn({ user_id, mentions_json, restricted_json, pinned_by }: MessageRow): string[] {
  const lists = [mentions_json, restricted_json].flatMap((json) =>
    json === null ? [] : (JSON.parse(json) as string[]),
  )
  return [user_id, ...lists, ...(pinned_by === null ? [] : [pinned_by])]
}

/** Writes one list: each channel with its messages in the wire format. */
async function writeList(writing: Writing<Part>, channels: readonly Found[], options: ExportOptions) {
  const { server, app, file } = writing
  const only = options.include_fields && new Set(['id', 'type', ...options.include_fields])
  await file.add('message', '[')
  for (const [i, found] of channels.entries()) {
    const userSummaries = await userSummariesOf(server, app.id, usersOfChannel(found.row))
    const channel = JSON.stringify(channelWire(server, found.row, userSummaries))
    await file.add('message', `${i > 0 ? ',' : ''}\n{"channel":${channel},"messages":[`)
    let isFirst = true
    for await (const page of messagePages(writing, found)) {
      const eyes = {
        showDeleted: !options.clear_deleted_message_text,
        showTruncated: options.include_truncated_messages === true,
      }
      const messages = await composeMessages(server, app.id, page, undefined, server.database.read, eyes)
      for (const message of messages) {
        const kept = only ? Object.entries(message).filter(([field]) => only.has(field)) : undefined
        await file.add('message', `${isFirst ? '' : ','}\n${JSON.stringify(kept ? Object.fromEntries(kept) : message)}`)
        isFirst = false
      }
    }
    await file.add('message', ']}')
  }
  await file.add('message', '\n]\n')
}

/** Writes the messages as a table. */
async function writeTable(writing: Writing<Part>, channels: readonly Found[], options: ExportOptions) {
  const columns = columnsOf(options.include_fields)
  await writing.file.add('message', csvLine(columns))
  for (const found of channels)
    for await (const page of messagePages(writing, found)) {
      const { type, id } = found.row
      const messages = await dataOf(writing, page, { type, id }, found, { ...options, include_fields: undefined })
      await writing.file.add('message', messages.map((data) => csvLine(valuesOf(data, columns))).join(''))
    }
}
