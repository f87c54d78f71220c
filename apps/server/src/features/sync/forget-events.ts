import { SYNC_DAYS } from '@parley/protocol/limits'
import type { Batch } from '../../platform/database/batch.ts'
import type { Micros } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import { dropEventsBefore, dropEventsNaming, dropSaid, endOfPage } from './event-store.ts'

/** Events scanned or purged per write. */
const PAGE = 500
const DAY_MICROS = 86_400_000_000

/** Purges events older than the log's retention. */
export function purgeExpiredEvents({ database, clock }: Server): Promise<void> {
  return dropEventsBefore(database.write, clock.micros() - SYNC_DAYS * DAY_MICROS)
}

/** Purges a channel's events from before a time when its content is erased, so that the log does not return it. */
export async function forgetSaidPage(batch: Batch, app: string, cid: string, before: Micros): Promise<boolean> {
  return (await dropSaid(batch.db, app, cid, before, PAGE)) > 0
}

/**
 * Purges, in a page of a channel's log, the events before a time that contain a user: they repeat the user's name and
 * text. Events without the user's name are found by object ids.
 *
 * @param after the time of the last event scanned
 * @returns the same for this page; undefined after the last page
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
