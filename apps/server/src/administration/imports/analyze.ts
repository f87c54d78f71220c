/** Collects what lines import and refer to; an import begins only when no line has an error. */
import { cidOf } from '@parley/protocol/cid'
import type { ImportData } from '@parley/protocol/imports'
import type { App } from '../../chat/apps/app.ts'
import { stillErased } from '../../chat/channels/delete-channel.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { Server } from '../../server.ts'
import { channelNamed, cidIn, type ImportLine, importTypes, LineError } from './check-line.ts'
import { channelsAmong, itemsNamed, messagesAmong, putItems, usersAmong } from './import-store.ts'
import type { Place } from './read-lines.ts'

type Kind = 'user' | 'channel' | 'message'

/** A line, its number, and the position of the next one. */
export interface Checked {
  number: number
  line: ImportLine
  next: Place
}

/** An error of a line. */
export interface Problem {
  number: number
  error: LineError
}

/** The unique name of a line's content; a second line with the same name is an error. */
function nameOf({ type, data }: ImportLine): string[] {
  switch (type) {
    case 'user':
    case 'device':
      return [type, data.id]
    case 'future_channel_ban':
      return [type, data.created_by, data.target_id]
    case 'channel':
      return [type, importedCid(data)]
    case 'member':
      return [type, cidIn(data), data.user_id]
    case 'message':
      return [type, data.id]
    case 'reaction':
      return [type, data.message_id, data.user_id, data.type]
    default:
      return type satisfies never
  }
}

function importedCid(channel: ImportData<'channel'>): string {
  return cidOf(channel.type, channelNamed(channel).id)
}

/** The channel of a message in the file, and the message it replies to. */
interface Said {
  cid: string
  parent: string | null
}

function saidIn({ type, data }: ImportLine): string | null {
  if (type !== 'message') return null
  const said: Said = { cid: cidIn(data), parent: data.parent_id ?? null }
  return JSON.stringify(said)
}

/** @throws LineError — the types are in another order; `reached` is the type reached so far */
export function checkOrder({ type, data }: ImportLine, reached: number): number {
  const place = importTypes.indexOf(type)
  if (place < reached)
    throw new LineError(`Validation error: ${type} lines come before ${importTypes[reached]} lines`, {
      type,
      item: data,
    })
  return place
}

/** Records the names of a page of lines; returns the lines with a name recorded before. */
export async function noteNames(batch: Batch, app: string, id: string, page: readonly Checked[]): Promise<Problem[]> {
  const list = { app, id, list: 'items' } as const
  const names = page.map(({ line }) => JSON.stringify(nameOf(line)))
  const taken = new Set((await itemsNamed(batch.db, batch.dialect, list, names)).keys())
  const fresh = new Map<string, string | null>()
  const problems: Problem[] = []
  for (const [i, { number, line }] of page.entries()) {
    const name = names[i]!
    const { type, data } = line
    if (taken.has(name) || fresh.has(name)) {
      const text = `Validation error: duplicated ${type} "${nameOf(line).slice(1).join(' ')}"`
      problems.push({ number, error: new LineError(text, { type, item: data }) })
    } else fresh.set(name, saidIn(line))
  }
  await putItems(batch.db, batch.dialect, list, fresh)
  return problems
}

interface Reference {
  kind: Kind
  id: string
  field: string
}

function referencesOf({ type, data }: ImportLine): Reference[] {
  const one = (kind: Kind, field: string, id: string | undefined) => (id === undefined ? [] : [{ kind, field, id }])
  const each = (kind: Kind, field: string, ids: readonly string[] = []) => ids.map((id) => ({ kind, field, id }))
  const place = (inside: Parameters<typeof cidIn>[0]) => [
    {
      kind: 'channel' as const,
      field: inside.channel_id === undefined ? 'channel_member_ids' : 'channel_id',
      id: cidIn(inside),
    },
  ]
  switch (type) {
    case 'user':
      return [
        ...each('user', 'blocked_user_ids', data.blocked_user_ids),
        ...each('user', 'user_mutes', data.user_mutes),
        ...each('channel', 'channel_mutes', data.channel_mutes),
      ]
    case 'device':
      return one('user', 'user_id', data.user_id)
    case 'future_channel_ban':
      return [...one('user', 'created_by', data.created_by), ...one('user', 'target_id', data.target_id)]
    case 'channel':
      return [
        ...one('user', 'created_by', data.created_by),
        ...each('user', 'member_ids', data.member_ids),
        ...each('user', 'banned_users', data.banned_users),
      ]
    case 'member':
      return [...place(data), ...one('user', 'user_id', data.user_id)]
    case 'message':
      return [
        ...place(data),
        ...one('user', 'user', data.user),
        ...one('message', 'parent_id', data.parent_id),
        ...one('message', 'quoted_message_id', data.quoted_message_id),
        ...each('user', 'mentioned_users_ids', data.mentioned_users_ids),
        ...one('user', 'pinned_by_id', data.pinned_by_id),
        ...each('user', 'restricted_visibility', data.restricted_visibility),
      ]
    case 'reaction':
      return [...one('message', 'message_id', data.message_id), ...one('user', 'user_id', data.user_id)]
    default:
      return type satisfies never
  }
}

/**
 * The lines of a page that refer to something neither in the file nor stored already, or to something being erased. The
 * number of queries does not grow with the lines.
 */
export async function strayReferences(
  server: Server,
  app: App,
  id: string,
  page: readonly Checked[],
): Promise<Problem[]> {
  const { read, dialect } = server.database
  const references = page.map(({ line }) => referencesOf(line))
  const own = page.flatMap(({ line: { type, data } }) => (type === 'message' ? [data.id] : []))
  const ids = (kind: Kind) => [
    ...new Set(references.flatMap((all) => all.filter((one) => one.kind === kind).map((one) => one.id))),
  ]
  const [userIds, cids, messageIds] = [ids('user'), ids('channel'), [...new Set([...ids('message'), ...own])]]
  const nameIn = (kind: Kind, name: string) => JSON.stringify([kind, name])
  const names = [
    ...userIds.map((name) => nameIn('user', name)),
    ...cids.map((name) => nameIn('channel', name)),
    ...messageIds.map((name) => nameIn('message', name)),
  ]
  const imported = page.flatMap(({ line }) => (line.type === 'channel' ? importedCid(line.data) : []))
  // Erasing goes by time, and would also erase messages imported meanwhile.
  const goingAway = await stillErased(server, app.id, imported)
  const noted = await itemsNamed(read, dialect, { app: app.id, id, list: 'items' }, names)
  const stored = {
    user: await usersAmong(read, dialect, app.id, userIds),
    channel: await channelsAmong(read, dialect, app.id, cids),
    message: new Map((await messagesAmong(read, dialect, app.id, messageIds)).map((row) => [row.id, row])),
  }
  const saidOf = (message: string): Said | undefined => {
    const json = noted.get(nameIn('message', message))
    if (json) return JSON.parse(json)
    const row = stored.message.get(message)
    return row && { cid: row.cid, parent: row.parent_id }
  }
  return page.flatMap(({ number, line }, i) => {
    const { type, data } = line
    const wrong = (field: string, text: string): Problem[] => [
      { number, error: new LineError(`Validation error: ${text}`, { field, type, item: data }) },
    ]
    const stray = references[i]!.find((one) => !noted.has(nameIn(one.kind, one.id)) && !stored[one.kind].has(one.id))
    if (stray) return wrong(stray.field, `${stray.kind} "${stray.id}" does not exist`)
    if (type === 'channel' && goingAway.has(importedCid(data)))
      return wrong('id', `channel "${importedCid(data)}" is still being erased, import it later`)
    if (type !== 'message') return []
    const cid = cidIn(data)
    const before = stored.message.get(data.id)
    if (before && before.cid !== cid) return wrong('id', `message "${data.id}" is in another channel`)
    const parent = data.parent_id === undefined ? undefined : saidOf(data.parent_id)
    if (parent && parent.cid !== cid) return wrong('parent_id', `message "${data.parent_id}" is in another channel`)
    if (parent && parent.parent !== null) return wrong('parent_id', `message "${data.parent_id}" is a reply itself`)
    const quoted = data.quoted_message_id === undefined ? undefined : saidOf(data.quoted_message_id)
    if (quoted && quoted.cid !== cid)
      return wrong('quoted_message_id', `message "${data.quoted_message_id}" is in another channel`)
    return []
  })
}
