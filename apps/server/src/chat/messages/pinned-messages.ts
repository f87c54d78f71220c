import { PINS_PAGE } from '@parley/protocol/limits'
import type { Message, PinnedMessagesPayload } from '@parley/protocol/messages'
import { sql } from 'kysely'
import { inputError } from '../../platform/chat-error.ts'
import { compileFilter, compileSort, filterCost } from '../../platform/database/filter-compiler.ts'
import { readerFor } from '../../platform/database/reader.ts'
import type { MessageRow } from '../../platform/database/tables.ts'
import { type Micros, microsOf } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import type { Access } from '../channels/channel-access.ts'
import { composeMessages } from './compose-messages.ts'
import { horizonOf, isPlaceFor, missing } from './message-access.ts'
import { messageEntity } from './message-filter.ts'
import { keptBy } from './message-recipients.ts'
import { findPins, type Horizon, messageById, type Page } from './message-store.ts'

const newestFirst = [{ field: 'pinned_at', direction: -1 as const }]
const oldestFirst = [{ field: 'pinned_at', direction: 1 as const }]

/**
 * The pinned messages of a channel that match a filter, newest pin first unless sorted otherwise [PIN-3, PIN-7]. A
 * page from a position lies next to it in the order of pinning [PIN-8].
 *
 * @throws ChatError DoesNotExistError (16) — no such message to start from, or a page around it would not include it
 */
export async function pinnedMessages(
  server: Server,
  access: Access,
  payload: PinnedMessagesPayload,
): Promise<Message[]> {
  const { channel, user } = access
  const reader = readerFor(server.database, channel.app, access.isServer ? undefined : user?.id)
  const { dialect } = reader
  const db = reader.for(filterCost(payload.filter).conditions === 0 && !payload.sort?.length)
  const now = server.clock.micros()
  const entity = messageEntity(dialect, now)
  const wanted = compileFilter(entity, dialect, { $and: [{ pinned: true }, payload.filter ?? {}] })
  const where = user ? sql<boolean>`${wanted} and ${keptBy(user.id, 'g')}` : wanted
  const horizon = horizonOf(access)
  const sort = payload.sort?.length ? payload.sort : newestFirst
  const find = (page: Page, order = sort) =>
    findPins(db, channel, where, compileSort(entity, dialect, order), page, horizon)
  const compose = (rows: MessageRow[]) => composeMessages(server, channel.app, rows, user?.id)

  const limit = payload.limit ?? PINS_PAGE
  const position = await positionOf(server, access, payload, horizon)
  if (!position) return compose(await find({ limit }))
  const { at, side, inclusive, id } = position
  const isByPlace = sort.length === 1 && sort[0]!.field === 'pinned_at'
  const inOrder = (oldToNew: MessageRow[]) => (isByPlace && sort[0]!.direction === 1 ? oldToNew : oldToNew.reverse())
  // The page next to the position has the oldest of the later pins, or the newest of the earlier ones, in any order.
  if (side === 'after' && isByPlace)
    return compose(inOrder(await find({ limit, after: { at, inclusive } }, oldestFirst)))
  if (side === 'before' && isByPlace)
    return compose(inOrder((await find({ limit, before: { at, inclusive } }, newestFirst)).reverse()))
  if (side !== 'around') return compose(await find({ limit, [side]: { at, inclusive } }))

  const older = await find({ limit, before: { at, inclusive: false } }, newestFirst)
  const newer = await find({ limit: Math.max(limit, 1), after: { at, inclusive: true } }, oldestFirst)
  if (id !== undefined && !newer.some((row) => row.id === id)) throw missing(id)
  const half = Math.floor(limit / 2)
  const olderCount = Math.min(older.length, Math.max(half, limit - newer.length))
  return compose(inOrder([...older.slice(0, olderCount).reverse(), ...newer.slice(0, limit - olderCount)]))
}

const sides = {
  lt: { side: 'before', inclusive: false },
  lte: { side: 'before', inclusive: true },
  gt: { side: 'after', inclusive: false },
  gte: { side: 'after', inclusive: true },
  around: { side: 'around', inclusive: true },
  before: { side: 'before', inclusive: false },
  before_or_equal: { side: 'before', inclusive: true },
  after: { side: 'after', inclusive: false },
  after_or_equal: { side: 'after', inclusive: true },
} as const

async function positionOf(
  server: Server,
  { channel }: Access,
  payload: PinnedMessagesPayload,
  horizon: Horizon,
): Promise<{ id?: string; at: Micros; side: 'before' | 'after' | 'around'; inclusive: boolean } | undefined> {
  const given = Object.entries(payload).filter(([name]) => /^(id|pinned_at)_/.test(name))
  const [first, second] = given
  if (!first) return undefined
  if (second) throw inputError(second[0], `give one of ${first[0]} and ${second[0]}`)
  const [name, value] = first as [string, string]
  const side = sides[name.replace(/^(id|pinned_at)_/, '') as keyof typeof sides]
  if (name.startsWith('pinned_at')) {
    const at = microsOf(value)
    if (at === undefined) throw inputError(name, `${name} is not a time`)
    return { at, ...side }
  }
  const message = await messageById(server.database.read, channel.app, value)
  if (message?.cid !== channel.cid || message.pinned_at === null || !isPlaceFor(message, horizon)) throw missing(value)
  return { id: value, at: message.pinned_at, ...side }
}
