/** Calls about messages [client.md 1.7]. */

import { clientError } from '../chat-error.ts'
import type { ClientContext } from '../client-context.ts'
import { soon } from '../on-demand.ts'
import {
  type Acting,
  type Answer,
  type CallOptions,
  type Filter,
  type Message,
  type MessageRequest,
  type Page,
  type PageOptions,
  type PartialUpdate,
  type Reaction,
  type Sort,
  wireSort,
} from '../shapes.ts'
import { type LocalMessage, messagePath } from './local-message.ts'
import { needsMessageID, outgoingMessage } from './outgoing.ts'

/** Sends delivery receipts: the newest message of each channel that this device has received. */
export async function markChannelsDelivered(
  { request }: ClientContext,
  data: { latest_delivered_messages: readonly { cid: string; id: string }[]; user_id?: string },
  call: CallOptions = {},
): Promise<Answer> {
  return request('POST', '/channels/delivered', { body: data, ...call })
}

/** One message with its channel. @throws ChatError DoesNotExistError (16) */
export async function getMessage(
  { request }: ClientContext,
  messageID: string,
  options: { show_deleted_message?: boolean } = {},
  call: CallOptions = {},
): Promise<Answer<{ message: Message }>> {
  return request('GET', messagePath(messageID), { query: options, ...call })
}

/** Replaces a message; fields that are not given are removed. @throws ChatError CLIENT_MESSAGE_ID_MISSING [MSG-17] */
export async function updateMessage(
  { request }: ClientContext,
  message: (MessageRequest | Message | LocalMessage) & { id: string },
  user?: string | { id: string },
  options: { skip_enrich_url?: boolean; skip_push?: boolean } = {},
  call: CallOptions = {},
): Promise<Answer<{ message: Message }>> {
  needsMessageID(message?.id, 'update')
  const sent = { ...outgoingMessage(message), ...actor(user) }
  return request('POST', messagePath(message.id), { body: { message: sent, ...options }, ...call })
}

/** @throws ChatError CLIENT_MESSAGE_ID_MISSING [MSG-17] */
export async function partialUpdateMessage(
  { request }: ClientContext,
  messageID: string,
  update: PartialUpdate,
  user?: string | { id: string },
  options: { skip_enrich_url?: boolean; skip_push?: boolean } = {},
  call: CallOptions = {},
): Promise<Answer<{ message: Message }>> {
  needsMessageID(messageID, 'update')
  return request('PUT', messagePath(messageID), { body: { ...update, ...actor(user), ...options }, ...call })
}

/** Soft unless `hardDelete`. @throws ChatError CLIENT_MESSAGE_ID_MISSING */
export async function deleteMessage(
  { request }: ClientContext,
  messageID: string,
  options: boolean | { hardDelete?: boolean; deleteForMe?: boolean } = {},
  call: CallOptions = {},
): Promise<Answer<{ message: Message }>> {
  needsMessageID(messageID, 'delete')
  const { hardDelete, deleteForMe } =
    typeof options === 'boolean' ? { hardDelete: options } : { deleteForMe: undefined, ...options }
  const query = { hard: hardDelete || undefined, delete_for_me: deleteForMe || undefined }
  return request('DELETE', messagePath(messageID), { query, ...call })
}

/**
 * Pins a message. Where it is loaded, the pin is shown at once and removed if the server refuses.
 *
 * @param expires   seconds from now, a time, or null for never
 * @param pinnedBy  the pinning user, for a client with the secret
 * @param pinnedAt  when it was pinned; now by default
 * @throws ChatError CLIENT_PIN_EXPIRY, CLIENT_MESSAGE_ID_MISSING
 */
export async function pinMessage(
  context: ClientContext,
  messageOrID: string | { id: string },
  expires: number | string | Date | null = null,
  pinnedBy?: string | { id: string },
  pinnedAt?: string | Date,
  call: CallOptions = {},
): Promise<Answer<{ message: Message }>> {
  const now = context.clock.now()
  const me = context.me()
  const set = { pinned: true, pin_expires: pinExpiry(expires, now), pinned_at: pinnedAt && isoOf(pinnedAt) }
  const shown = { ...set, pinned_at: set.pinned_at ?? isoOf(now) }
  const pinned = () => partialUpdateMessage(context, idOf(messageOrID), { set }, pinnedBy, {}, call)
  return soon.use(({ publicUserOf, shownAtOnce }) =>
    shownAtOnce(context, idOf(messageOrID), { ...shown, pinned_by: me ? publicUserOf(me) : null }, pinned),
  )
}

/** Unpins a message. The pin is removed at once, and restored if the server refuses. */
export async function unpinMessage(
  context: ClientContext,
  messageOrID: string | { id: string },
  user?: string | { id: string },
  call: CallOptions = {},
): Promise<Answer<{ message: Message }>> {
  const shown = { pinned: false, pin_expires: null, pinned_at: null, pinned_by: null }
  const unpinned = () => partialUpdateMessage(context, idOf(messageOrID), { set: { pinned: false } }, user, {}, call)
  return soon.use(({ shownAtOnce }) => shownAtOnce(context, idOf(messageOrID), shown, unpinned))
}

/** Translates a message; all recipients get it with `i18n`. Language codes have two letters. */
export async function translateMessage(
  { request }: ClientContext,
  messageID: string,
  language: string,
  call: CallOptions = {},
): Promise<Answer<{ message: Message }>> {
  return request('POST', `${messagePath(messageID)}/translate`, { body: { language }, ...call })
}

/** Reactions to a message that match the filter, 10 by default, newest first. */
export async function queryReactions(
  { request }: ClientContext,
  messageID: string,
  filter: Filter,
  sort: Sort = [],
  options: PageOptions & Acting = {},
  call: CallOptions = {},
): Promise<Page<{ reactions: Reaction[] }>> {
  const body = { filter, sort: wireSort(sort), ...options }
  return request('POST', `${messagePath(messageID)}/reactions`, { body, ...call })
}

function pinExpiry(expires: number | string | Date | null, now: number): string | null {
  if (expires === null) return null
  if (typeof expires === 'number' && Number.isFinite(expires)) return isoOf(now + expires * 1_000)
  const moment = new Date(expires as string | Date)
  if ((typeof expires !== 'string' && !(expires instanceof Date)) || Number.isNaN(moment.getTime()))
    throw clientError('CLIENT_PIN_EXPIRY', 'A pin expiry must be a number of seconds, a Date or a date string')
  return moment.toISOString()
}

function isoOf(moment: number | string | Date): string {
  return new Date(moment).toISOString()
}

function idOf(messageOrID: string | { id: string }): string {
  return typeof messageOrID === 'string' ? messageOrID : messageOrID.id
}

/** The acting user, for a client with the secret. */
function actor(user: string | { id: string } | undefined): { user_id?: string; user?: { id: string } } {
  if (user === undefined) return {}
  return typeof user === 'string' ? { user_id: user } : { user }
}
