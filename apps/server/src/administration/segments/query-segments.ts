import { SEGMENT_TARGETS_PAGE, SEGMENTS_PAGE } from '@parley/protocol/limits'
import type {
  QuerySegmentsRequest,
  QuerySegmentTargetsRequest,
  Segment,
  SegmentTarget,
} from '@parley/protocol/segments'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { numberOfApp } from '../../chat/apps/number-of-app.ts'
import { queryPage } from '../../platform/database/cursor.ts'
import type { Dialect } from '../../platform/database/dialect.ts'
import {
  type Entity,
  flagColumn,
  numberColumn,
  operators,
  textColumn,
  timeColumn,
} from '../../platform/database/filter-compiler.ts'
import { readerFor } from '../../platform/database/reader.ts'
import type { SegmentRow } from '../../platform/database/tables.ts'
import { isoOf } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import { findSegments, findTargets } from './segment-store.ts'
import { segmentWire } from './segment-wire.ts'
import { targetsOf } from './targets-of-segment.ts'

/** The filter and sort fields of segments [administration.md 12.1]. */
const segmentEntity = (dialect: Dialect): Entity => ({
  filterName: 'filter',
  custom: undefined,
  tieBreak: dialect.textOrder(sql.ref('s.id')),
  fields: {
    id: { ...textColumn('s.id'), operators: operators.comparisons },
    name: { ...textColumn('s.name'), operators: operators.text },
    type: textColumn('s.type'),
    size: numberColumn('s.size'),
    all_users: flagColumn('s.all_users'),
    all_sender_channels: flagColumn('s.all_sender_channels'),
    created_at: timeColumn('s.created_at'),
    updated_at: timeColumn('s.updated_at'),
    // Deleted segments have no row.
    deleted_at: { kind: 'time', sql: sql`cast(null as bigint)`, operators: operators.comparisonsAndExists },
  },
})

const targetEntity = (dialect: Dialect): Entity => ({
  filterName: 'filter',
  custom: undefined,
  tieBreak: dialect.textOrder(sql.ref('t.target_id')),
  fields: {
    target_id: { ...textColumn('t.target_id'), operators: operators.comparisons },
    created_at: timeColumn('t.created_at'),
  },
})

/** Segments matching a filter, newest first unless sorted otherwise. */
export async function querySegments(
  server: Server,
  app: string,
  request: Static<typeof QuerySegmentsRequest>,
): Promise<{ segments: Segment[]; next?: string; prev?: string }> {
  const reader = readerFor(server.database, app, undefined)
  const { dialect } = reader
  const defaults = { limit: SEGMENTS_PAGE, sort: [{ field: 'created_at', direction: -1 as const }] }
  const { shown, around } = await queryPage(
    reader,
    segmentEntity(dialect),
    request,
    defaults,
    (db, where, order, rows) => findSegments(db, app, where, order, rows),
  )
  return { segments: shown.map(segmentWire), ...around }
}

/** The targets of a segment matching a filter, by id unless sorted otherwise [SEG-9]. */
export async function queryTargets(
  server: Server,
  segment: SegmentRow,
  request: Static<typeof QuerySegmentTargetsRequest>,
): Promise<{ targets: SegmentTarget[]; next?: string; prev?: string }> {
  const reader = readerFor(server.database, segment.app, undefined)
  const { dialect } = reader
  const { Filter, Sort, ...said } = request
  const asked = { ...said, filter: said.filter ?? Filter, sort: said.sort ?? Sort ?? [] }
  const defaults = { limit: SEGMENT_TARGETS_PAGE, sort: [{ field: 'target_id', direction: 1 as const }] }
  const { shown, around } = await queryPage(reader, targetEntity(dialect), asked, defaults, (db, where, order, rows) =>
    findTargets(db, targetsOf(server, segment), where, order, rows),
  )
  const targets = shown.map(({ target_id, created_at }) => ({
    segment_id: segment.id,
    target_id,
    app_pk: numberOfApp(segment.app),
    created_at: isoOf(created_at),
  }))
  return { targets, ...around }
}
