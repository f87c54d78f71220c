import type { Reminder } from '@parley/protocol/reminders'
import { type Access, stillThere } from '../../chat/channels/channel-access.ts'
import { channelEvent } from '../../chat/channels/channel-wire.ts'
import { storedMessage } from '../../chat/messages/reaction-groups.ts'
import { lockUser } from '../../chat/users/lock-user.ts'
import { ChatError, inputError } from '../../platform/chat-error.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { MessageRow, ReminderRow, UserRow } from '../../platform/database/tables.ts'
import { type Micros, microsOf } from '../../platform/micros.ts'
import { cancel, scheduleJob } from '../../platform/scheduled-jobs/scheduled-jobs.ts'
import type { Server } from '../../server.ts'
import { reminderWire } from './own-reminders.ts'
import { remind, reminderJobId } from './remind.ts'
import { datedReminders, deleteReminderRow, putReminder, reminderOf } from './reminder-store.ts'
import { wholeReminders } from './whole-reminders.ts'

/**
 * Sets a reminder for a message, with or without a time; there is one per user and message, and it is published to
 * the owner's connections [messaging.md 5.11].
 *
 * @param change  there must be a reminder already
 * @throws ChatError ChannelFeatureNotSupportedError (19) — reminders are turned off here
 * @throws ChatError InputError (4) — an invalid or past time, or too many reminders with a time
 * @throws ChatError DoesNotExistError (16) — there is no reminder to change, or the channel was deleted concurrently
 */
export async function setReminder(
  server: Server,
  access: Access,
  message: MessageRow,
  user: UserRow,
  remindAt: string | null,
  { change }: { change: boolean },
): Promise<Reminder> {
  const { config, channel } = access
  if (!config.user_message_reminders)
    throw new ChatError(
      'ChannelFeatureNotSupportedError',
      `reminders are turned off in channels of type ${config.name}`,
    )
  const { app, cid, id } = message
  const at = timeOf(server, remindAt)
  const row = await server.commit.write(app, [cid], async (batch) => {
    stillThere(batch, channel)
    if (at !== null) await lockUser(batch, user)
    const before = await reminderOf(batch.db, app, user.id, id)
    if (change && !before) throw noReminder(id)
    const limit = server.apps.of(app).settings.reminders_max_per_user
    const isNew = at !== null && (before?.remind_at ?? null) === null
    if (isNew && (await datedReminders(batch.db, app, user.id)) >= limit)
      throw new ChatError('InputError', `you have ${limit} reminders with a time already`)
    const now = batch.now()
    const reminder: ReminderRow = {
      app,
      cid,
      user_id: user.id,
      message_id: id,
      remind_at: at,
      created_at: before?.created_at ?? now,
      updated_at: now,
    }
    await putReminder(batch.db, reminder)
    if (at === null) await cancel(batch, remind, message, reminderJobId(user.id, id))
    else await scheduleJob(batch, remind, message, reminderJobId(user.id, id), at)
    publish(batch, reminder, message, before ? 'reminder.updated' : 'reminder.created')
    return reminder
  })
  const [whole] = await wholeReminders(server, user, [row], access)
  return whole!
}

/**
 * Deletes a reminder, also for a message that was deleted, or is hidden from its owner by now.
 *
 * @throws ChatError DoesNotExistError (16) — there is none
 */
export async function deleteReminder(server: Server, { app, id: userId }: UserRow, messageId: string): Promise<void> {
  const known = await reminderOf(server.database.read, app, userId, messageId)
  if (!known) throw noReminder(messageId)
  await server.commit.write(app, [known.cid], async (batch) => {
    const gone = await deleteReminderRow(batch.db, app, userId, messageId)
    if (!gone) throw noReminder(messageId)
    await cancel(batch, remind, gone, reminderJobId(userId, messageId))
    publish(batch, gone, await storedMessage(batch.db, app, messageId), 'reminder.deleted')
  })
}

function publish(batch: Batch, row: ReminderRow, message: MessageRow | undefined, type: string) {
  const { app, cid, user_id, message_id } = row
  const channel = batch.channel(app, cid)
  // The channel is erased, and no event can name it.
  if (!channel) return
  const body = channelEvent(channel, type, batch.now(), {
    message_id,
    user_id,
    ...(message && message.parent_id !== null && { parent_id: message.parent_id }),
    reminder: reminderWire(row),
  })
  batch.publishToUsers({ app, personal: [{ users: [user_id], body }] })
}

function timeOf(server: Server, time: string | null): Micros | null {
  if (time === null) return null
  const at = microsOf(time)
  if (at === undefined || at <= server.clock.micros()) throw inputError('remind_at', 'remind_at must be a time to come')
  return at
}

function noReminder(messageId: string): ChatError {
  return new ChatError('DoesNotExistError', `Can't find a reminder of message ${messageId}`)
}
