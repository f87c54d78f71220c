/** Drafts on the server, so that a user can continue them on another device [messaging.md 5.10]. */
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

/** The user's own drafts, newest first; 25 by default, 100 at most. */
export function queryDrafts(
  client: Calling,
  options: { filter?: Filter; sort?: Sort } & PageOptions & Acting = {},
  call: CallOptions = {},
): Promise<Page<{ drafts: Draft[] }>> {
  const { sort, ...rest } = options
  return client.request('POST', '/drafts/query', { body: { ...rest, sort: sort && wireSort(sort) }, ...call })
}

/** Stores the draft of the channel, or of a thread if the message has a `parent_id`. It replaces the previous one. */
export function createDraft(
  context: ChannelContext,
  message: MessageRequest,
  options: { user_id?: string } = {},
  call: CallOptions = {},
): Promise<Answer<{ draft: Draft }>> {
  return context.call('POST', '/draft', { body: { message, ...options }, ...call })
}

/** @throws ChatError DoesNotExistError (16) — there is no draft */
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
