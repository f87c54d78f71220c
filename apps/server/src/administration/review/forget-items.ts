import type { Batch } from '../../platform/database/batch.ts'
import type { Micros } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import { deleteBouncesBefore, deleteItems, itemsBySubjects, itemsInChannel, messageItemsOf } from './review-store.ts'

/** Items one write deletes: few enough that it does not block others noticeably. */
const PAGE = 200
/** How long a bounce is remembered. */
const BOUNCE_MS = 86_400_000

/** Deletes the review items of hard-deleted subjects. */
export async function forgetItemsOf({ db, dialect }: Batch, app: string, subjects: readonly string[]) {
  const items = await itemsBySubjects(db, dialect, app, subjects)
  if (items.length > 0) await forget({ db, dialect }, app, items)
}

/** @returns whether there are more items in the channel */
export async function forgetItemsInChannel(
  { db, dialect }: Batch,
  app: string,
  cid: string,
  before: Micros,
): Promise<boolean> {
  const items = await itemsInChannel(db, app, cid, before, PAGE)
  await forget({ db, dialect }, app, items)
  return items.length === PAGE
}

/** The ids of some reported messages of a user, optionally in one channel only. */
export async function reportedMessagesOf(
  { db }: Batch,
  app: string,
  userId: string,
  cid: string | undefined,
): Promise<{ ids: string[]; more: boolean }> {
  const items = await messageItemsOf(db, app, userId, cid, PAGE)
  return { ids: items.map(({ entity_id }) => entity_id), more: items.length === PAGE }
}

/** Purges expired bounces: the author has not sent the message again. */
export async function forgetBounces({ database, clock }: Server) {
  await deleteBouncesBefore(database.write, (clock.now() - BOUNCE_MS) * 1000)
}

async function forget({ db, dialect }: Pick<Batch, 'db' | 'dialect'>, app: string, items: readonly { id: string }[]) {
  const ids = items.map(({ id }) => id)
  await deleteItems(db, dialect, app, ids)
}
