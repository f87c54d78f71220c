/** Plain calls about messages; the methods of `ChatClient` fetch this module when the first of them is used. */
import { needsMessageID } from '../channels/channel.ts'
import { clientError } from '../chat-error.ts'
import type { ClientDoor } from '../client-door.ts'
import {
  type Answer,
  type CallOptions,
  type Filter,
  type Message,
  type MessageRequest,
  type PartialUpdate,
  type Reaction,
  type Sort,
  wireSort,
} from '../shapes.ts'
import type { LocalMessage } from './local-message.ts'
import { messagePath } from './outbox.ts'
import { outgoingMessage } from './outgoing.ts'

export async function markChannelsDelivered(
  { client }: ClientDoor,
  messages: readonly { cid: string; id: string }[],
  userID?: string,
  call: CallOptions = {},
): Promise<Answer> {
  const body = { latest_delivered_messages: messages, user_id: userID }
  return client.request('POST', '/channels/delivered', { body, ...call })
}

export async function getMessage(
  { client }: ClientDoor,
  messageID: string,
  call: CallOptions = {},
): Promise<Answer<{ message: Message }>> {
  return client.request('GET', messagePath(messageID), call)
}

export async function updateMessage(
  { client }: ClientDoor,
  message: (MessageRequest | LocalMessage) & { id: string },
  user?: string | { id: string },
  options: { skip_enrich_url?: boolean; skip_push?: boolean } = {},
  call: CallOptions = {},
): Promise<Answer<{ message: Message }>> {
  needsMessageID(message?.id, 'update')
  const sent = { ...outgoingMessage(message), ...actor(user) }
  return client.request('POST', messagePath(message.id), { body: { message: sent, ...options }, ...call })
}

export async function partialUpdateMessage(
  { client }: ClientDoor,
  messageID: string,
  update: PartialUpdate,
  user?: string | { id: string },
  options: { skip_enrich_url?: boolean; skip_push?: boolean } = {},
  call: CallOptions = {},
): Promise<Answer<{ message: Message }>> {
  needsMessageID(messageID, 'update')
  return client.request('PUT', messagePath(messageID), { body: { ...update, ...actor(user), ...options }, ...call })
}

export async function deleteMessage(
  { client }: ClientDoor,
  messageID: string,
  options: boolean | { hardDelete?: boolean; deleteForMe?: boolean } = {},
  call: CallOptions = {},
): Promise<Answer<{ message: Message }>> {
  needsMessageID(messageID, 'delete')
  const { hardDelete, deleteForMe } =
    typeof options === 'boolean' ? { hardDelete: options } : { deleteForMe: undefined, ...options }
  const query = { hard: hardDelete || undefined, delete_for_me: deleteForMe || undefined }
  return client.request('DELETE', messagePath(messageID), { query, ...call })
}

export async function pinMessage(
  door: ClientDoor,
  messageOrID: string | { id: string },
  expires: number | string | Date | null = null,
  pinnedBy?: string | { id: string },
  call: CallOptions = {},
): Promise<Answer<{ message: Message }>> {
  const set = { pinned: true, pin_expires: pinExpiry(expires, door.clock.now()) }
  return partialUpdateMessage(door, idOf(messageOrID), { set }, pinnedBy, {}, call)
}

export async function unpinMessage(
  door: ClientDoor,
  messageOrID: string | { id: string },
  user?: string | { id: string },
  call: CallOptions = {},
): Promise<Answer<{ message: Message }>> {
  return partialUpdateMessage(door, idOf(messageOrID), { set: { pinned: false } }, user, {}, call)
}

export async function translateMessage(
  { client }: ClientDoor,
  messageID: string,
  language: string,
  call: CallOptions = {},
): Promise<Answer<{ message: Message }>> {
  return client.request('POST', `${messagePath(messageID)}/translate`, { body: { language }, ...call })
}

export async function queryReactions(
  { client }: ClientDoor,
  messageID: string,
  filter: Filter,
  sort: Sort = [],
  options: { limit?: number; next?: string } = {},
  call: CallOptions = {},
): Promise<Answer<{ reactions: Reaction[]; next?: string }>> {
  const body = { filter, sort: wireSort(sort), ...options }
  return client.request('POST', `${messagePath(messageID)}/reactions`, { body, ...call })
}

function pinExpiry(expires: number | string | Date | null, now: number): string | null {
  if (expires === null) return null
  if (typeof expires === 'number' && Number.isFinite(expires)) return new Date(now + expires * 1_000).toISOString()
  const moment = new Date(expires as string | Date)
  if ((typeof expires !== 'string' && !(expires instanceof Date)) || Number.isNaN(moment.getTime()))
    throw clientError('CLIENT_PIN_EXPIRY', 'A pin expiry must be a number of seconds, a Date or a date string')
  return moment.toISOString()
}

function idOf(messageOrID: string | { id: string }): string {
  return typeof messageOrID === 'string' ? messageOrID : messageOrID.id
}

/** Who acts, for a client with the secret. */
function actor(user: string | { id: string } | undefined): { user_id?: string; user?: { id: string } } {
  if (user === undefined) return {}
  return typeof user === 'string' ? { user_id: user } : { user }
}
