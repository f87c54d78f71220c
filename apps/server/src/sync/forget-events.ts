import { SYNC_DAYS } from '@parley/protocol/limits'
import type { Batch } from '../database/batch.ts'
import type { Micros } from '../micros.ts'
import type { Server } from '../server.ts'
import { dropEventsBefore, dropEventsNaming, dropSaid, endOfPage } from './event-store.ts'

/** Events one write looks at or forgets. */
const PAGE = 500
const DAY_MICROS = 86_400_000_000

/** Forgets what is older than the log is kept for. */
export function purgeExpiredEvents({ database, clock }: Server): Promise<void> {
  return dropEventsBefore(database.write, clock.micros() - SYNC_DAYS * DAY_MICROS)
}

/** Purges events of a channel from before a time that were erased there, so that the log does not show them either. */
export function forgetSaidPage(batch: Batch, app: string, cid: string, before: Micros): Promise<number> {
  return dropSaid(batch.db, app, cid, before, PAGE)
}

/**
 * Forgets, in a page of a channel's log, the events before a time that name a user: they repeat the user's name and
 * words. What was said without a name is found by its ids.
 *
 * @param after when the event happened that was looked at last
 * @returns the same of this page; undefined after the last page
 */
export async function forgetNamedPage(
  { database: { dialect } }: Server,
  { db }: Batch,
  { before, ...named }: { app: string; cid: string; userId: string; ids: readonly string[]; before: Micros },
  after: Micros,
): Promise<Micros | undefined> {
  const end = await endOfPage(db, named.app, named.cid, after, PAGE)
  const to = end !== undefined && end < before ? end : undefined
  await dropEventsNaming(db, dialect, named, { after, to: to ?? before - 1 })
  return to
}
