import type { Batch } from '../database/batch.ts'
import type { Micros } from '../micros.ts'
import type { Server } from '../server.ts'
import { deleteBouncesBefore, deleteItems, itemsBySubjects, itemsInChannel, messageItemsOf } from './review-store.ts'

/** Items one write forgets: few enough that nobody waits for it. */
const PAGE = 200
/** How long it is known that a message bounced. */
const BOUNCE_MS = 86_400_000

/** Things that are gone for good are nothing to look at. */
export async function forgetItemsOf({ db, dialect }: Batch, app: string, subjects: readonly string[]) {
  const items = await itemsBySubjects(db, dialect, app, subjects)
  if (items.length > 0) await forget({ db, dialect }, app, items)
}

/** @returns whether there is more of the channel to forget */
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

/** The ids of some messages of somebody that were reported, in one channel alone where one is named. */
export async function reportedMessagesOf(
  { db }: Batch,
  app: string,
  userId: string,
  cid: string | undefined,
): Promise<{ ids: string[]; more: boolean }> {
  const items = await messageItemsOf(db, app, userId, cid, PAGE)
  return { ids: items.map(({ entity_id }) => entity_id), more: items.length === PAGE }
}

/** Who was asked to think a message over, and did not say it again, did so. */
export async function forgetBounces({ database, clock }: Server) {
  await deleteBouncesBefore(database.write, (clock.now() - BOUNCE_MS) * 1000)
}

async function forget({ db, dialect }: Pick<Batch, 'db' | 'dialect'>, app: string, items: readonly { id: string }[]) {
  const ids = items.map(({ id }) => id)
  await deleteItems(db, dialect, app, ids)
}
