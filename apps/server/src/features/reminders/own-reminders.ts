/** A user's reminders, as only that user sees them. */
import type { OwnReminder } from '@parley/protocol/messages'
import type { OwnInChannels } from '../../chat/extensions.ts'
import type { MessageRow, ReminderRow } from '../../platform/database/tables.ts'
import { isoOf } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import { remindedIn, remindersAmong } from './reminder-store.ts'

/** All reminders in an erased channel. */
export { deleteRemindersIn } from './reminder-store.ts'

/** The user's reminders of these messages, by message id. */
export async function remindersOfMessages(
  server: Server,
  app: string,
  userId: string,
  messages: readonly MessageRow[],
): Promise<Map<string, { reminder: OwnReminder }>> {
  const { read, dialect } = server.database
  const ids = messages.map(({ id }) => id)
  const rows = await remindersAmong(read, dialect, app, userId, [...new Set(ids)])
  return new Map(rows.map((row) => [row.message_id, { reminder: reminderWire(row) }]))
}

/** The ids of the messages in these channels with a reminder of the user. */
export async function remindedInChannels(
  server: Server,
  app: string,
  userId: string,
  cids: readonly string[],
): Promise<OwnInChannels> {
  const { read, dialect } = server.database
  return { messageIds: await remindedIn(read, dialect, app, userId, cids) }
}

export function reminderWire(row: ReminderRow): OwnReminder {
  return {
    channel_cid: row.cid,
    message_id: row.message_id,
    user_id: row.user_id,
    ...(row.remind_at !== null && { remind_at: isoOf(row.remind_at) }),
    created_at: isoOf(row.created_at),
    updated_at: isoOf(row.updated_at),
  }
}
