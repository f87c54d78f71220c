import { feature } from '../../feature.ts'
import { timeAnswers } from './response-times.ts'
import { userEndpoints } from './user-endpoints.ts'
import { userTasks } from './user-tasks.ts'

export const users = feature('users', {
  endpoints: userEndpoints,
  tasks: userTasks,
  scheduledJobs: [timeAnswers],
})
