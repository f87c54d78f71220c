import { MESSAGES_PAGE } from '@parley/protocol/limits'
import type { MessagePage } from '@parley/protocol/messages'
import { inputError } from '../../platform/chat-error.ts'
import type { MessageRow } from '../../platform/database/tables.ts'
import { type Micros, microsOf } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import { isPlaceFor, isWithin, missing } from './message-access.ts'
import { channelPage, type Horizon, messageById, type Page, repliesPage } from './message-store.ts'

/** A sequence of messages that has pages: those of a channel, or the replies to a message. */
export interface Run {
  app: string
  cid: string
  parentId?: string
}

/**
 * One page, oldest first. A page around a time always includes the message of that time, is split evenly with the
 * older side first, and shifts at an end [MSG-12].
 *
 * @throws ChatError InputError (4) — more than one position, or an invalid time
 * @throws ChatError DoesNotExistError (16) — no such message to start from, or a page around it would not include it
 */
export async function pageOf(
  server: Server,
  run: Run,
  request: MessagePage,
  horizon: Horizon,
  defaultLimit = MESSAGES_PAGE,
): Promise<MessageRow[]> {
  const limit = request.limit ?? defaultLimit
  const position = await positionOf(server, run, request, horizon)
  const read = (page: Page) =>
    run.parentId === undefined
      ? channelPage(server.database.read, run.app, run.cid, page, horizon)
      : repliesPage(server.database.read, run.app, run.parentId, page, horizon)
  if (!position) return read({ limit })
  const { at, side, inclusive } = position
  if (side === 'before') return read({ limit, before: { at, inclusive } })
  if (side === 'after') return read({ limit, after: { at, inclusive } })

  const older = await read({ limit, before: { at, inclusive: false } })
  const newer = await read({ limit, after: { at, inclusive: true } })
  const half = Math.floor(limit / 2)
  const olderCount = Math.min(older.length, Math.max(half, limit - newer.length))
  return [...older.slice(older.length - olderCount), ...newer.slice(0, limit - olderCount)]
}

interface Position {
  at: Micros
  side: 'before' | 'after' | 'around'
  inclusive: boolean
}

const positions = {
  id_lt: { side: 'before', inclusive: false },
  id_lte: { side: 'before', inclusive: true },
  id_gt: { side: 'after', inclusive: false },
  id_gte: { side: 'after', inclusive: true },
  id_around: { side: 'around', inclusive: true },
  created_at_before: { side: 'before', inclusive: false },
  created_at_before_or_equal: { side: 'before', inclusive: true },
  created_at_after: { side: 'after', inclusive: false },
  created_at_after_or_equal: { side: 'after', inclusive: true },
  created_at_around: { side: 'around', inclusive: true },
} as const
const positionNames = Object.keys(positions) as (keyof typeof positions)[]

async function positionOf(
  server: Server,
  run: Run,
  request: MessagePage,
  horizon: Horizon,
): Promise<Position | undefined> {
  const given = positionNames.filter((name) => request[name] !== undefined)
  const [name] = given
  if (!name) return undefined
  // The position is a query parameter for a page of replies, and in `messages` of the body for one of a channel.
  const field = (name: string) => (run.parentId === undefined ? `messages.${name}` : name)
  if (given.length > 1) throw inputError(field(given[1]!), `give one of ${given.join(' and ')}`)

  const value = request[name] as string
  if (name.startsWith('created_at')) {
    const at = microsOf(value)
    if (at === undefined) throw inputError(field(name), `${field(name)} is not a time`)
    return { at, ...positions[name] }
  }
  const message = await messageById(server.database.read, run.app, value)
  if (message?.cid !== run.cid || !isPlaceFor(message, horizon)) throw missing(value)
  if (name === 'id_around' && !isShownIn(run, message, horizon)) throw missing(value)
  return { at: message.created_at, ...positions[name] }
}

/** Whether some page of the run includes the message. */
function isShownIn({ parentId }: Run, message: MessageRow, horizon: Horizon): boolean {
  const isInChannel = message.parent_id === null || message.show_in_channel === 1
  return (parentId === undefined ? isInChannel : message.parent_id === parentId) && isWithin(message, horizon)
}
