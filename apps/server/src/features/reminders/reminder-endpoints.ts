import { QueryRemindersRequest, ReminderAnswer, ReminderRequest, RemindersAnswer } from '@parley/protocol/reminders'
import { Done } from '@parley/protocol/wire'
import Type from 'typebox'
import { namedUser } from '../../chat/api/caller.ts'
import { type Endpoint, endpoint } from '../../chat/api/endpoint.ts'
import { accessMessage } from '../../chat/messages/message-access.ts'
import { queryReminders } from './query-reminders.ts'
import { deleteReminder, setReminder } from './set-reminder.ts'

const path = '/messages/:id/reminders'

const create = endpoint(
  { name: 'CreateReminder', method: 'POST', path, body: ReminderRequest, answer: ReminderAnswer, status: 201 },
  async ({ caller, params, body }, server) => {
    const { message, access } = await accessMessage(server, caller, params.id!, 'read-channel')
    const at = body.remind_at ?? null
    return { reminder: await setReminder(server, access, message, namedUser(caller), at, { change: false }) }
  },
)

const update = endpoint(
  { name: 'UpdateReminder', method: 'PATCH', path, body: ReminderRequest, answer: ReminderAnswer },
  async ({ caller, params, body }, server) => {
    const { message, access } = await accessMessage(server, caller, params.id!, 'read-channel')
    const at = body.remind_at ?? null
    return { reminder: await setReminder(server, access, message, namedUser(caller), at, { change: true }) }
  },
)

const remove = endpoint(
  {
    name: 'DeleteReminder',
    method: 'DELETE',
    path,
    query: Type.Object({ user_id: Type.Optional(Type.String()) }),
    answer: Done,
  },
  async ({ caller, params }, server) => {
    await deleteReminder(server, namedUser(caller), params.id!)
    return {}
  },
)

const query = endpoint(
  {
    name: 'QueryReminders',
    method: 'POST',
    path: '/reminders/query',
    body: QueryRemindersRequest,
    answer: RemindersAnswer,
    status: 201,
  },
  async ({ caller, body }, server) => queryReminders(server, namedUser(caller), body, { isServer: caller.server }),
)

export const reminderEndpoints: Endpoint[] = [create, update, remove, query]
