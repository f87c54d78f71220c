import { feature } from '../../feature.ts'
import { deleteRemindersIn, remindedInChannels, remindersOfMessages } from './own-reminders.ts'
import { remind } from './remind.ts'
import { reminderEndpoints } from './reminder-endpoints.ts'

export const reminders = feature('reminders', {
  channels: { own: { table: 'reminders', read: remindedInChannels }, erase: deleteRemindersIn },
  messages: { own: remindersOfMessages },
  endpoints: reminderEndpoints,
  scheduledJobs: [remind],
})
