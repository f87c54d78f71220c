/** Rare built-in fields of a message, stored together in one column. */
import type { LocationRequest } from '@parley/protocol/locations'
import type { MessageExtras, MessageRequest } from '@parley/protocol/messages'
import type { MessageRow } from '../../platform/database/tables.ts'
import { isoOf, type Micros, microsOf } from '../../platform/micros.ts'

/** The fields in that column. */
export interface Kept extends MessageExtras {
  /** When it was sent, if it was released only later. */
  sent_at?: Micros
  /** The user who wrote its present content, if not its author. */
  written_by?: string
}

/** The fields of a message that only the app's server may set: its markup, translations and image labels. */
export function extrasOf({ html, mml, i18n, image_labels }: MessageRequest): MessageExtras {
  return {
    ...(html !== undefined && { html }),
    ...(mml !== undefined && { mml }),
    ...(i18n !== undefined && { i18n }),
    ...(image_labels !== undefined && { image_labels }),
  }
}

/** A message request without the fields that only the app's server may set. */
export function withoutExtras({ html: _, mml: __, i18n: ___, image_labels: ____, ...request }: MessageRequest) {
  return request
}

/** The author's shared location, as a message stores it; the end is normalized to an ISO 8601 time. */
export function sharedIn({ latitude, longitude, created_by_device_id, end_at }: LocationRequest) {
  const until = end_at === undefined ? undefined : microsOf(end_at)
  return { latitude, longitude, created_by_device_id, ...(until !== undefined && { end_at: isoOf(until) }) }
}

/** When a message was sent; `created_at`, and so its place in the channel, is the time of a later release. */
export function sentAt({ created_at, extras_json }: Pick<MessageRow, 'created_at' | 'extras_json'>): Micros {
  return (extras_json === null ? undefined : (JSON.parse(extras_json) as Kept).sent_at) ?? created_at
}

/** The extras with some changed; undefined removes one. */
export function withExtras(
  { extras_json }: Pick<MessageRow, 'extras_json'>,
  change: { [Name in keyof Kept]: Kept[Name] | undefined },
): string | null {
  const before: Kept = extras_json === null ? {} : JSON.parse(extras_json)
  return kept(JSON.parse(JSON.stringify({ ...before, ...change })))
}

function kept(extras: Kept): string | null {
  return Object.keys(extras).length > 0 ? JSON.stringify(extras) : null
}
