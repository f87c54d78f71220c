/** Message reminders, one per user and message [messaging.md 5.11]. */
import type { Calling } from '../calling.ts'
import { clientError } from '../chat-error.ts'
import {
  type Acting,
  type Answer,
  type CallOptions,
  type Filter,
  type Page,
  type PageOptions,
  type Reminder,
  type Sort,
  wireSort,
} from '../shapes.ts'

/** When to remind the user; null only bookmarks the message. */
export interface ReminderRequest extends Acting {
  remind_at?: string | Date | null
}

/** At most 250 with a date. @throws ChatError CLIENT_MESSAGE_ID_MISSING */
export async function createReminder(
  client: Calling,
  messageID: string,
  options: ReminderRequest = {},
  call: CallOptions = {},
): Promise<Answer<{ reminder: Reminder }>> {
  return client.request('POST', path(messageID, 'create'), { body: options, ...call })
}

/** @throws ChatError CLIENT_MESSAGE_ID_MISSING */
export async function updateReminder(
  client: Calling,
  messageID: string,
  options: ReminderRequest = {},
  call: CallOptions = {},
): Promise<Answer<{ reminder: Reminder }>> {
  return client.request('PATCH', path(messageID, 'update'), { body: options, ...call })
}

/** @throws ChatError CLIENT_MESSAGE_ID_MISSING */
export async function deleteReminder(
  client: Calling,
  messageID: string,
  userID?: string,
  call: CallOptions = {},
): Promise<Answer> {
  return client.request('DELETE', path(messageID, 'delete'), { query: { user_id: userID }, ...call })
}

/** The user's own reminders that match the filter. */
export function queryReminders(
  client: Calling,
  options: { filter?: Filter; sort?: Sort; offset?: number } & PageOptions & Acting = {},
  call: CallOptions = {},
): Promise<Page<{ reminders: Reminder[] }>> {
  const { sort, ...rest } = options
  return client.request('POST', '/reminders/query', { body: { ...rest, sort: sort && wireSort(sort) }, ...call })
}

function path(messageID: string, action: string): string {
  if (!messageID) throw clientError('CLIENT_MESSAGE_ID_MISSING', `A message id is needed to ${action} a reminder`)
  return `/messages/${encodeURIComponent(messageID)}/reminders`
}
