/** Built-in fields of a message that few have; they are kept together. */
import type { LocationRequest } from '@parley/protocol/locations'
import type { MessageExtras, MessageRequest } from '@parley/protocol/messages'
import type { MessageRow } from '../database/tables.ts'

/** What only the app's server may say of a message: how it is written out, in which words elsewhere, what is on it. */
export function extrasOf({ html, mml, i18n, image_labels }: MessageRequest): MessageExtras {
  return {
    ...(html !== undefined && { html }),
    ...(mml !== undefined && { mml }),
    ...(i18n !== undefined && { i18n }),
    ...(image_labels !== undefined && { image_labels }),
  }
}

/** Where its author is, as a message keeps it. */
export function sharedIn({ latitude, longitude, created_by_device_id, end_at }: LocationRequest) {
  return { latitude, longitude, created_by_device_id, ...(end_at !== undefined && { end_at }) }
}

/** The extras with some changed; undefined takes one away. */
export function withExtras(
  { extras_json }: Pick<MessageRow, 'extras_json'>,
  change: { [Name in keyof MessageExtras]: MessageExtras[Name] | undefined },
): string | null {
  const before: MessageExtras = extras_json === null ? {} : JSON.parse(extras_json)
  return kept(JSON.parse(JSON.stringify({ ...before, ...change })))
}

function kept(extras: MessageExtras): string | null {
  return Object.keys(extras).length > 0 ? JSON.stringify(extras) : null
}
