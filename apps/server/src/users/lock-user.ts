import { ChatError } from '../chat-error.ts'
import type { Batch } from '../database/batch.ts'
import type { UserRow } from '../database/tables.ts'
import { lockedUsers } from './user-store.ts'

/**
 * Until the write is done, what several nodes change of things that a user has one number of comes one after the other.
 *
 * @returns the user as they are now
 * @throws ChatError DoesNotExistError (16) — they were erased at this moment
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

/** The same for those of them who are there. */
export function lockKnownUsers({ db, dialect }: Batch, app: string, ids: readonly string[]): Promise<UserRow[]> {
  return lockedUsers(db, dialect, app, ids)
}
