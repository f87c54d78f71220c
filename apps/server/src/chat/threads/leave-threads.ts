import type { Batch } from '../../platform/database/batch.ts'
import type { ChannelRow } from '../../platform/database/tables.ts'
import type { Micros } from '../../platform/micros.ts'
import { setLeft } from './thread-store.ts'

/** A member who leaves a channel also leaves its threads, and stays listed in them [messaging.md 6.1]. */
export async function leaveThreads(
  { db, dialect }: Batch,
  { app, cid }: ChannelRow,
  userIds: readonly string[],
  at: Micros,
) {
  await setLeft(db, dialect, app, cid, userIds, at)
}

/** A member who returns to a channel returns to its threads. */
export async function returnToThreads({ db, dialect }: Batch, { app, cid }: ChannelRow, userIds: readonly string[]) {
  await setLeft(db, dialect, app, cid, userIds, null)
}
