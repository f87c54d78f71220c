import type { User } from '@parley/protocol/users'
import type { UserRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { userWire } from './user-wire.ts'

/** Public user summaries as of now, by id. */
export interface UserSummaries {
  /** A hard-deleted user still has a summary, so that old messages keep an author. */
  of(id: string): User
  known(id: string): User | undefined
}

/** Loads users with at most one query, and returns their summaries. */
export async function userSummariesOf(server: Server, app: string, ids: Iterable<string>): Promise<UserSummaries> {
  return userSummariesFrom(server, app, await server.users.getAll(app, ids))
}

export function userSummariesFrom(server: Server, app: string, rows: ReadonlyMap<string, UserRow>): UserSummaries {
  const looked = new Map<string, User>()
  const known = (id: string) => {
    const before = looked.get(id)
    if (before) return before
    const row = rows.get(id)
    if (!row) return undefined
    const userSummary = userWire(row, server.presence.isOnline(app, id))
    looked.set(id, userSummary)
    return userSummary
  }
  return { known, of: (id) => known(id) ?? stranger(id) }
}

/** Summaries of the cached users: without any wait. */
export function cachedUserSummaries(server: Server, app: string): Pick<UserSummaries, 'known'> {
  return {
    known(id) {
      const row = server.users.known(app, id)
      return row && userWire(row, server.presence.isOnline(app, id))
    },
  }
}

function stranger(id: string): User {
  const never = '0001-01-01T00:00:00Z'
  return {
    id,
    role: 'user',
    language: '',
    teams: [],
    banned: false,
    online: false,
    blocked_user_ids: [],
    created_at: never,
    updated_at: never,
  }
}
