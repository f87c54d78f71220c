import type { Batch } from '../../platform/database/batch.ts'
import type { MessageRow } from '../../platform/database/tables.ts'
import { updateMessage } from './message-store.ts'

/** Stores the extras of a message; returns the message as it is now. */
export async function changeExtras(batch: Batch, row: MessageRow, extras: string | null): Promise<MessageRow> {
  const channel = batch.channel(row.app, row.cid)!
  const change = { extras_json: extras, updated_at: batch.nextTime(channel) }
  await updateMessage(batch.db, row.app, row.id, change)
  return { ...row, ...change }
}
