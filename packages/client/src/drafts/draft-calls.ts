/** Drafts that the server keeps, so that one goes on writing on another device [messaging.md 5.10]. */
import type { Calling } from '../calling.ts'
import type { ChannelContext } from '../channels/channel-context.ts'
import {
  type Acting,
  type Answer,
  type CallOptions,
  type Draft,
  type Filter,
  type MessageRequest,
  type Page,
  type PageOptions,
  type Sort,
  wireSort,
} from '../shapes.ts'

/** Own drafts, newest first; 25 by default, 100 at most. */
export function queryDrafts(
  client: Calling,
  options: { filter?: Filter; sort?: Sort } & PageOptions & Acting = {},
  call: CallOptions = {},
): Promise<Page<{ drafts: Draft[] }>> {
  const { sort, ...rest } = options
  return client.request('POST', '/drafts/query', { body: { ...rest, sort: sort && wireSort(sort) }, ...call })
}

/** One for the channel, and one for each thread of it where the message has a `parent_id`; a new one replaces it. */
export function createDraft(
  context: ChannelContext,
  message: MessageRequest,
  options: { user_id?: string } = {},
  call: CallOptions = {},
): Promise<Answer<{ draft: Draft }>> {
  return context.call('POST', '/draft', { body: { message, ...options }, ...call })
}

/** @throws ChatError DoesNotExistError (16) — nothing was begun there */
export function getDraft(
  context: ChannelContext,
  options: { parent_id?: string; user_id?: string } = {},
  call: CallOptions = {},
): Promise<Answer<{ draft: Draft }>> {
  return context.call('GET', '/draft', { query: options, ...call })
}

/** Deletes the draft of the channel, or of the thread of `parent_id`. */
export function deleteDraft(
  context: ChannelContext,
  options: { parent_id?: string; user_id?: string } = {},
  call: CallOptions = {},
): Promise<Answer> {
  return context.call('DELETE', '/draft', { query: options, ...call })
}
