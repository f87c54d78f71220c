import type { Batch } from '../database/group-commit.ts'
import { deleteFlagsOf, deleteReports } from './flag-store.ts'

/** Reports of messages that have lost their content for good say nothing any more. */
export async function forgetFlagsOf({ db, dialect }: Batch, app: string, messageIds: readonly string[]) {
  await deleteFlagsOf(
    db,
    dialect,
    app,
    messageIds.map((id) => `message:${id}`),
  )
  await deleteReports(db, dialect, app, messageIds)
}
