import type { Batch } from '../../platform/database/batch.ts'
import type { ChannelRow } from '../../platform/database/tables.ts'
import type { Micros } from '../../platform/micros.ts'
import { setLeft } from './thread-store.ts'

/** Who leaves a channel leaves its threads, too, and is still named in them [messaging.md 6.1]. */
export async function leaveThreads(
  { db, dialect }: Batch,
  { app, cid }: ChannelRow,
  userIds: readonly string[],
  at: Micros,
) {
  await setLeft(db, dialect, app, cid, userIds, at)
}

/** Who comes back to a channel is back in its threads. */
export async function returnToThreads({ db, dialect }: Batch, { app, cid }: ChannelRow, userIds: readonly string[]) {
  await setLeft(db, dialect, app, cid, userIds, null)
}
