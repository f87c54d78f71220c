import type { Batch } from '../database/batch.ts'
import type { UserRow } from '../database/tables.ts'
import { lockedUsers } from './user-store.ts'

/**
 * Until the write is done, what several nodes change of things that a user has one number of comes one after the other.
 */
export async function lockUser({ db, dialect }: Batch, { app, id }: Pick<UserRow, 'app' | 'id'>) {
  await lockedUsers(db, dialect, app, [id])
}
