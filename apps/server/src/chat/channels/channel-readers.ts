import { type Kysely, sql } from 'kysely'
import { filterCost } from '../../platform/database/filter-compiler.ts'
import type { Reader } from '../../platform/database/reader.ts'
import type { Tables } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import type { Caller } from '../api/caller.ts'

/** Maximum conditions checked on each channel on the event loop. */
const CONDITIONS_AT_ONCE = 8
/** Maximum memberships of one user checked on the event loop. */
const MEMBERSHIPS_AT_ONCE = 500
/** Fields whose conditions read other rows for each channel. */
const DEEP = new Set(['member.user.name', 'app_banned', 'has_unread'])
/** Fields that match only the caller's own channels when they are `true` or have a value. */
const OWN = new Set(['joined', 'pinned', 'archived', 'invite', 'muted'])

/**
 * Where a channel query runs. It runs on the event loop when it checks few channels with few conditions: the app's
 * newest channels, channels named by cid, or those of a caller with few memberships. Otherwise it runs in a reader
 * beside it.
 */
export function channelReaders(
  { database: { read } }: Server,
  { app, user }: Caller,
  reader: Reader,
  filter: object,
): { newest: Kysely<Tables>; all: () => Promise<Kysely<Tables>> } {
  const { conditions, words } = filterCost(filter)
  const isLight = words === 0 && conditions <= CONDITIONS_AT_ONCE && !mentions(filter, DEEP)
  const newest = reader.for(isLight)
  return {
    newest,
    async all() {
      if (!isLight) return newest
      const { id, cid } = filter as { id?: unknown; cid?: unknown }
      if (namesSome(id) || namesSome(cid)) return read
      if (!user || !isOwn(filter, user.id)) return reader.for(false)
      const { rows } = await sql`select 1 from members where app = ${app.id} and user_id = ${user.id}
        limit ${sql.lit(MEMBERSHIPS_AT_ONCE + 1)}`.execute(read)
      return reader.for(rows.length <= MEMBERSHIPS_AT_ONCE)
    },
  }
}

/** Whether every channel that matches is one of the caller's. */
function isOwn(filter: object, userId: string): boolean {
  return Object.entries(filter).some(([field, condition]) => {
    if (OWN.has(field)) return condition !== false
    if (field !== 'members' || typeof condition !== 'object' || condition === null) return false
    const { $in, $eq } = condition as { $in?: unknown; $eq?: unknown }
    if (Array.isArray($in)) return $in.length === 1 && $in[0] === userId
    return Array.isArray($eq) && $eq.includes(userId)
  })
}

function namesSome(condition: unknown): boolean {
  if (typeof condition === 'string') return true
  return Object.keys(condition ?? {}).some((operator) => operator === '$in' || operator === '$eq')
}

function mentions(filter: unknown, fields: ReadonlySet<string>): boolean {
  if (Array.isArray(filter)) return filter.some((branch) => mentions(branch, fields))
  if (typeof filter !== 'object' || filter === null) return false
  return Object.entries(filter).some(
    ([key, value]) => fields.has(key) || (key.startsWith('$') && mentions(value, fields)),
  )
}
