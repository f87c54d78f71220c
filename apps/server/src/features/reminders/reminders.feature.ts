import { feature } from '../../feature.ts'
import { remind } from './remind.ts'
import { reminderEndpoints } from './reminder-endpoints.ts'

export const reminders = feature('reminders', {
  endpoints: reminderEndpoints,
  scheduledJobs: [remind],
})
