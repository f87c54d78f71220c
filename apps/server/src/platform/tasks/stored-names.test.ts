import assert from 'node:assert/strict'
import { it } from 'vitest'
import { scheduledJobKinds, taskKinds } from '../../operations.ts'

/** Rows of these names may wait in a database while the server is updated: a name may be added, never changed. */
const storedTasks = [
  'count-campaign-reads',
  'count-segment',
  'deactivate-users',
  'delete-channels',
  'delete-messages',
  'delete-reactions',
  'delete-users',
  'erase-campaign-targets',
  'erase-messages',
  'erase-segment-targets',
  'erase_unnamed_files',
  'export-channels',
  'export-users',
  'forget-import',
  'import',
  'reactivate-users',
  'send-campaign',
  'tell-muters',
  'tell_hook',
  'tell_phones',
  'update-channels',
]
const storedJobs = [
  'campaign-reads',
  'campaign-start',
  'campaign-stop',
  'live location',
  'pending message',
  'pin',
  'reminder',
  'response_times',
  'unread_reminders',
]

it('tasks and scheduled jobs keep the names under which rows are stored', () => {
  const names = (kinds: readonly { name: string }[]) => kinds.map(({ name }) => name).sort()
  assert.deepEqual(names(taskKinds), storedTasks)
  assert.deepEqual(names(scheduledJobKinds), storedJobs)
})
