import type { Segment } from '@parley/protocol/segments'
import type { SegmentRow } from '../../platform/database/tables.ts'
import { isoOf } from '../../platform/micros.ts'

export function segmentWire(row: SegmentRow): Segment {
  return {
    id: row.id,
    type: row.type,
    name: row.name,
    description: row.description,
    filter: row.filter_json === null ? null : JSON.parse(row.filter_json),
    all_users: row.all_users === 1,
    all_sender_channels: row.all_sender_channels === 1,
    size: row.size,
    created_at: isoOf(row.created_at),
    updated_at: isoOf(row.updated_at),
    ...(row.task_id !== null && { task_id: row.task_id }),
  }
}

/** Whether its targets are added by hand. */
export function isByHand(row: SegmentRow): boolean {
  return row.filter_json === null && row.all_users === 0 && row.all_sender_channels === 0
}
