/** Segments as used by campaigns. */
import type { Segment } from '@parley/protocol/segments'
import type { Kysely } from 'kysely'
import type { Batch } from '../../platform/database/batch.ts'
import type { SegmentRow, Tables } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { heldSegments, segmentsByIds } from './segment-store.ts'
import { segmentWire } from './segment-wire.ts'

/** The existing segments, by id; one query for all. */
export async function segmentsKnown(
  { database }: Server,
  app: string,
  ids: Iterable<string>,
  db: Kysely<Tables> = database.read,
): Promise<Map<string, SegmentRow>> {
  const rows = await segmentsByIds(db, database.dialect, app, [...new Set(ids)])
  return new Map(rows.map((row) => [row.id, row]))
}

/** The same in the wire format. */
export async function segmentsShown(
  server: Server,
  app: string,
  ids: Iterable<string>,
  db?: Kysely<Tables>,
): Promise<Map<string, Segment>> {
  const rows = await segmentsKnown(server, app, ids, db)
  return new Map([...rows].map(([id, row]) => [id, segmentWire(row)]))
}

/** Which segments do not exist; the others are locked until the write is done. */
export async function missingAmong(batch: Batch, app: string, ids: readonly string[]): Promise<string[]> {
  const held = await heldSegments(batch.db, batch.dialect, app, ids)
  return ids.filter((id) => !held.includes(id))
}
