import { channelEvent } from '../../chat/channels/channel-wire.ts'
import { openChannels } from '../../chat/channels/open-channels.ts'
import { isWithin, sightOf } from '../../chat/messages/message-access.ts'
import { storedMessage } from '../../chat/messages/reaction-groups.ts'
import type { ScheduledJobKind } from '../../platform/scheduled-jobs/scheduled-jobs.ts'
import { reminderOf } from './reminder-store.ts'
import { wholeReminders } from './whole-reminders.ts'

/** The id of a reminder's scheduled job; user ids contain no bar. */
export const reminderJobId = (userId: string, messageId: string) => `${userId}|${messageId}`

/** A reminder is due: publishes it to its owner's connections, if they can still see the message. */
export const remind: ScheduledJobKind = {
  name: 'reminder',
  async happen(server, batch, { app, cid, id, at }) {
    const bar = id.indexOf('|')
    const [userId, messageId] = [id.slice(0, bar), id.slice(bar + 1)]
    const reminder = await reminderOf(batch.db, app, userId, messageId)
    const message = await storedMessage(batch.db, app, messageId)
    const user = await server.users.get(app, userId)
    const channel = batch.channel(app, cid)
    if (!reminder || reminder.remind_at !== at || !message || !user || !channel) return
    const access = (await openChannels(server, user, [cid])).get(cid)
    if (!access || message.deleted_at !== null || !isWithin(message, sightOf(access))) return
    const [whole] = await wholeReminders(server, user, [reminder])
    const body = channelEvent(channel, 'notification.reminder_due', batch.now(), {
      message_id: messageId,
      user_id: userId,
      ...(message.parent_id !== null && { parent_id: message.parent_id }),
      reminder: whole!,
    })
    batch.publishToUsers({ app, personal: [{ users: [userId], body }] })
  },
}
