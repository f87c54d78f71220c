import type { Reminder } from '@parley/protocol/reminders'
import { channelsShown } from '../../chat/channels/channels-shown.ts'
import { openChannels, type ReadBy } from '../../chat/channels/open-channels.ts'
import { composeMessages } from '../../chat/messages/compose-messages.ts'
import { isWithin, sightOf } from '../../chat/messages/message-access.ts'
import { messagesNamed } from '../../chat/messages/messages-of-threads.ts'
import { userSummariesOf } from '../../chat/users/user-summaries.ts'
import type { ReminderRow, UserRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { reminderWire } from './own-reminders.ts'

/**
 * Reminders with their messages and channels; the number of queries does not grow with the reminders. A message
 * its user may no longer see is left out.
 */
export async function wholeReminders(
  server: Server,
  user: UserRow,
  rows: readonly ReminderRow[],
  by: ReadBy = {},
): Promise<Reminder[]> {
  if (rows.length === 0) return []
  const { app } = user
  const open = await openChannels(server, user, [...new Set(rows.map((row) => row.cid))], by)
  const channels = await channelsShown(server, server.database.read, app, [...open.keys()])
  const named = await messagesNamed(
    server,
    app,
    rows.map((row) => row.message_id),
  )
  const seen = named.filter((row) => open.has(row.cid) && isWithin(row, sightOf(open.get(row.cid)!)))
  const messages = new Map((await composeMessages(server, app, seen, user.id)).map((message) => [message.id, message]))
  const userSummary = (await userSummariesOf(server, app, [user.id])).of(user.id)
  return rows.map((row) => {
    const { reminder: _, ...message } = messages.get(row.message_id) ?? {}
    return {
      ...reminderWire(row),
      user: userSummary,
      ...(messages.has(row.message_id) && { message: message as Reminder['message'] & object }),
      ...(channels.has(row.cid) && { channel: channels.get(row.cid)! }),
    }
  })
}
