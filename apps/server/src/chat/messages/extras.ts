/** Built-in fields of a message that few have; they are kept together. */
import type { LocationRequest } from '@parley/protocol/locations'
import type { MessageExtras, MessageRequest } from '@parley/protocol/messages'
import type { MessageRow } from '../../platform/database/tables.ts'
import { isoOf, type Micros, microsOf } from '../../platform/micros.ts'

/** What is kept with a message besides. */
export interface Kept extends MessageExtras {
  /** When it was sent, where it was let out only later. */
  sent_at?: Micros
  /** Who wrote what it says now, where that is not its author. */
  written_by?: string
}

/** What only the app's server may say of a message: how it is written out, in which words elsewhere, what is on it. */
export function extrasOf({ html, mml, i18n, image_labels }: MessageRequest): MessageExtras {
  return {
    ...(html !== undefined && { html }),
    ...(mml !== undefined && { mml }),
    ...(i18n !== undefined && { i18n }),
    ...(image_labels !== undefined && { image_labels }),
  }
}

/** A message without what only the app's server may say of it. */
export function withoutExtras({ html: _, mml: __, i18n: ___, image_labels: ____, ...request }: MessageRequest) {
  return request
}

/** Where its author is, as a message keeps it; the end is a time, whatever way it was written. */
export function sharedIn({ latitude, longitude, created_by_device_id, end_at }: LocationRequest) {
  const until = end_at === undefined ? undefined : microsOf(end_at)
  return { latitude, longitude, created_by_device_id, ...(until !== undefined && { end_at: isoOf(until) }) }
}

/** When a message was sent: it may have been let out later, and has its place in the channel from then on. */
export function sentAt({ created_at, extras_json }: Pick<MessageRow, 'created_at' | 'extras_json'>): Micros {
  return (extras_json === null ? undefined : (JSON.parse(extras_json) as Kept).sent_at) ?? created_at
}

/** The extras with some changed; undefined takes one away. */
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
