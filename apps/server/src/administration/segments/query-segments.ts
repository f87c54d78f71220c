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
import {
  type Entity,
  flagColumn,
  numberColumn,
  operators,
  textColumn,
  tieBreak,
  timeColumn,
} from '../../platform/database/filter-compiler.ts'
import { queryPage } from '../../platform/database/keyset.ts'
import { readerFor } from '../../platform/database/reader.ts'
import type { SegmentRow } from '../../platform/database/tables.ts'
import { isoOf } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import { findSegments, findTargets } from './segment-store.ts'
import { segmentWire } from './segment-wire.ts'
import { targetsOf } from './targets-of-segment.ts'

/** The filter and sort fields of segments [administration.md 12.1]. */
const segmentEntity: Entity = {
  filterName: 'filter',
  custom: undefined,
  tieBreak: [tieBreak('s.id')],
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
}

const targetEntity: Entity = {
  filterName: 'filter',
  custom: undefined,
  tieBreak: [tieBreak('t.target_id')],
  fields: {
    target_id: { ...textColumn('t.target_id'), operators: operators.comparisons },
    created_at: timeColumn('t.created_at'),
  },
}

/** Segments matching a filter, newest first unless sorted otherwise. */
export async function querySegments(
  server: Server,
  app: string,
  request: Static<typeof QuerySegmentsRequest>,
): Promise<{ segments: Segment[]; next?: string; prev?: string }> {
  const reader = readerFor(server.database, app, undefined)
  const listing = {
    name: ['segments', app],
    entity: segmentEntity,
    limit: SEGMENTS_PAGE,
    sort: [{ field: 'created_at', direction: -1 as const }],
  }
  const { shown, around } = await queryPage(reader, listing, request, (db, query) => findSegments(db, app, query))
  return { segments: shown.map(segmentWire), ...around }
}

/** The targets of a segment matching a filter, by id unless sorted otherwise [SEG-9]. */
export async function queryTargets(
  server: Server,
  segment: SegmentRow,
  request: Static<typeof QuerySegmentTargetsRequest>,
): Promise<{ targets: SegmentTarget[]; next?: string; prev?: string }> {
  const reader = readerFor(server.database, segment.app, undefined)
  const { Filter, Sort, ...said } = request
  const asked = { ...said, filter: said.filter ?? Filter, sort: said.sort ?? Sort ?? [] }
  const listing = {
    name: ['segment targets', segment.app, segment.id],
    entity: targetEntity,
    limit: SEGMENT_TARGETS_PAGE,
    sort: [{ field: 'target_id' }],
  }
  const { shown, around } = await queryPage(reader, listing, asked, (db, query) =>
    findTargets(db, targetsOf(server, segment), query),
  )
  const targets = shown.map(({ target_id, created_at }) => ({
    segment_id: segment.id,
    target_id,
    app_pk: numberOfApp(segment.app),
    created_at: isoOf(created_at),
  }))
  return { targets, ...around }
}
