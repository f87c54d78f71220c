import type { User } from '@parley/protocol/users'
import type { UserRow } from '../database/tables.ts'
import type { Server } from '../server.ts'
import { userWire } from './user-wire.ts'

/** Users as others see them at this moment, by id. */
export interface Faces {
  /** A user who is gone for good still has a face, so that old messages keep an author. */
  of(id: string): User
  known(id: string): User | undefined
}

/** Loads users, in one query at most, and gives their faces. */
export async function facesOf(server: Server, app: string, ids: Iterable<string>): Promise<Faces> {
  return facesFrom(server, app, await server.users.getAll(app, ids))
}

export function facesFrom(server: Server, app: string, rows: ReadonlyMap<string, UserRow>): Faces {
  const looked = new Map<string, User>()
  const known = (id: string) => {
    const before = looked.get(id)
    if (before) return before
    const row = rows.get(id)
    if (!row) return undefined
    const face = userWire(row, server.presence.isOnline(app, id))
    looked.set(id, face)
    return face
  }
  return { known, of: (id) => known(id) ?? stranger(id) }
}

/** Users as others see them, as far as they are at hand: nothing is waited for. */
export function knownFaces(server: Server, app: string): Pick<Faces, 'known'> {
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
