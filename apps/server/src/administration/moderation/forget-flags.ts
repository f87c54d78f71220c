import type { Batch } from '../../platform/database/batch.ts'
import type { Micros } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import { forgetItemsInChannel, forgetItemsOf, reportedMessagesOf } from '../review/forget-items.ts'
import { deleteFlagsInChannel, deleteFlagsOf, deleteReports } from './flag-store.ts'

/** Deletes the flags of messages that were hard deleted. */
export async function forgetFlagsOf(batch: Batch, app: string, messageIds: readonly string[]) {
  const { db, dialect } = batch
  const subjects = messageIds.map((id) => `message:${id}`)
  await deleteFlagsOf(db, dialect, app, subjects)
  await deleteReports(db, dialect, app, messageIds)
  await forgetItemsOf(batch, app, subjects)
}

/**
 * The same for a channel that is truncated for good, one page at a time.
 *
 * @returns whether there are more
 */
export async function forgetFlagsInChannel(batch: Batch, app: string, cid: string, before: Micros): Promise<boolean> {
  await deleteFlagsInChannel(batch.db, app, cid, before)
  return forgetItemsInChannel(batch, app, cid, before)
}

/** The same for all messages of a user, including rejected and already deleted ones. */
export async function forgetReportedOf(server: Server, app: string, userId: string, cid: string | undefined) {
  const page = () =>
    server.commit.write(app, [], async (batch) => {
      const { ids, more } = await reportedMessagesOf(batch, app, userId, cid)
      if (ids.length > 0) await forgetFlagsOf(batch, app, ids)
      return more
    })
  while (await page());
}
