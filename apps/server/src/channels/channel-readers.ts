import { type Kysely, sql } from 'kysely'
import { filterCost } from '../database/filter-compiler.ts'
import type { Tables } from '../database/tables.ts'
import type { Caller } from '../http/caller.ts'
import type { Reader } from '../http/reader.ts'
import type { Server } from '../server.ts'

/** Conditions that are tried on each of the channels at once. */
const CONDITIONS_AT_ONCE = 8
/** Memberships of one user whose channels are looked at at once. */
const MEMBERSHIPS_AT_ONCE = 500
/** Fields whose conditions look into other rows for each channel. */
const DEEP = new Set(['member.user.name', 'app_banned', 'has_unread'])
/** Fields that hold for the caller's own channels alone, where they are `true` or have a value. */
const OWN = new Set(['joined', 'pinned', 'archived', 'invite', 'muted'])

/**
 * Where a query of channels runs: at once where few channels are looked at with few conditions, which are the newest of
 * the app, those that are named, and those of a caller who is in not too many; beside the event loop otherwise.
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

/** Whether every channel it holds for is one of the caller's. */
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
