import { ChatError } from '../../platform/chat-error.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import { lockedUsers } from './user-store.ts'

/**
 * Locks a user until the write commits, so that changes from several nodes to a limited number of items run in turn.
 *
 * @returns the current user
 * @throws ChatError DoesNotExistError (16) — the user was erased at this moment
 */
export async function lockUser(batch: Batch, { app, id }: Pick<UserRow, 'app' | 'id'>): Promise<UserRow> {
  const [user] = await lockUsers(batch, app, [id])
  return user!
}

/** The same for several. */
export async function lockUsers(batch: Batch, app: string, ids: readonly string[]): Promise<UserRow[]> {
  const users = await lockKnownUsers(batch, app, ids)
  const gone = ids.find((id) => !users.some((user) => user.id === id))
  if (gone !== undefined) throw new ChatError('DoesNotExistError', `Can't find user with id ${gone}`)
  return users
}

/** The same for those of them that exist. */
export function lockKnownUsers({ db, dialect }: Batch, app: string, ids: readonly string[]): Promise<UserRow[]> {
  return lockedUsers(db, dialect, app, ids)
}
