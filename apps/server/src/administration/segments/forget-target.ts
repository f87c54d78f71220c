import type { Batch } from '../../platform/database/batch.ts'
import { changeSize, deleteTargets, heldSegmentsWith } from './segment-store.ts'

/** Removes a hard-deleted user from every segment the user was added to by hand. */
export async function forgetTarget(batch: Batch, app: string, userId: string) {
  for (const segment of await heldSegmentsWith(batch.db, batch.dialect, app, userId)) {
    const gone = await deleteTargets(batch.db, batch.dialect, segment, [userId])
    await changeSize(batch.db, segment, -gone, batch.now())
  }
}
