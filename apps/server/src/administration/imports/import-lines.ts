/** Writes lines of one type, a page at a time. Publishes nothing: no events, webhooks or pushes. */

import { cidOf } from '@parley/protocol/cid'
import type { ImportData, ImportType } from '@parley/protocol/imports'
import type { App } from '../../chat/apps/app.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { FileRow, ImportRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { channelNamed, cidIn, type ImportLine } from './check-line.ts'
import { importChannels, importFutureBans } from './import-channels.ts'
import { importMembers } from './import-members.ts'
import { copiesFor, importMessages } from './import-messages.ts'
import { importReactions } from './import-reactions.ts'
import { importDevices, importUsers } from './import-users.ts'

/** The import and its options. */
export interface Importing {
  server: Server
  app: App
  row: ImportRow
}

/** A fetched file, and its address here. */
export interface Copy {
  file: FileRow
  link: string
}

/** Files fetched before a page is written: copies of its attachments, by their former addresses. */
export type Ready = ReadonlyMap<string, Copy>

const none: Ready = new Map()

/**
 * What a page needs before it is written: the channels to lock, and the files fetched from elsewhere.
 *
 * @throws ChatError InputError (4) — a file cannot be fetched
 */
export async function prepare(
  importing: Importing,
  lines: readonly ImportLine[],
  heartbeat: () => Promise<void>,
): Promise<{ cids: string[]; ready: Ready }> {
  const cids = lines.flatMap(({ type, data }) => {
    if (type === 'channel') return [cidOf(data.type, channelNamed(data).id)]
    return type === 'member' ? [cidIn(data)] : []
  })
  const ready = lines[0]?.type === 'message' ? await copiesFor(importing, dataOf(lines, 'message'), heartbeat) : none
  return { cids: [...new Set(cids)], ready }
}

/** @param lines all of one type */
export function importLines(
  importing: Importing,
  batch: Batch,
  lines: readonly ImportLine[],
  ready: Ready,
): Promise<void> {
  const type = lines[0]!.type
  switch (type) {
    case 'user':
      return importUsers(importing, batch, dataOf(lines, type))
    case 'device':
      return importDevices(importing, batch, dataOf(lines, type))
    case 'future_channel_ban':
      return importFutureBans(importing, batch, dataOf(lines, type))
    case 'channel':
      return importChannels(importing, batch, dataOf(lines, type))
    case 'member':
      return importMembers(importing, batch, dataOf(lines, type))
    case 'message':
      return importMessages(importing, batch, dataOf(lines, type), ready)
    case 'reaction':
      return importReactions(importing, batch, dataOf(lines, type))
    default:
      return type satisfies never
  }
}

function dataOf<Type extends ImportType>(lines: readonly ImportLine[], type: Type): ImportData<Type>[] {
  return lines.flatMap((line) => (line.type === type ? [line.data as ImportData<Type>] : []))
}
