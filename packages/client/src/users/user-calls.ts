/** Calls about users [client.md 1.7]. */
import { clientError } from '../chat-error.ts'
import type { ClientContext } from '../client-context.ts'
import {
  type Answer,
  type CallOptions,
  type Filter,
  type PartialUpdate,
  type Sort,
  type User,
  type UserRequest,
  wireSort,
} from '../shapes.ts'

/**
 * Users that match the filter. `presence: true` also subscribes to their presence: the call waits for a connection, and
 * the subscription ends with it, so call it again after `connection.recovered`.
 */
export async function queryUsers(
  { request, connected }: ClientContext,
  filter: Filter,
  sort: Sort = [],
  options: { limit?: number; offset?: number; presence?: boolean; id_gt?: string } & Record<string, unknown> = {},
  call: CallOptions = {},
): Promise<Answer<{ users: User[] }>> {
  const payload = { filter_conditions: filter, sort: wireSort(sort), presence: false, ...options }
  if (payload.presence) await connected(call)
  return request('GET', '/users', { query: { payload }, ...call })
}

/** Creates or replaces users, 100 at most. @throws ChatError CLIENT_USERS_ENTRY */
export async function upsertUsers(
  { request }: ClientContext,
  users: readonly UserRequest[],
  call: CallOptions = {},
): Promise<Answer<{ users: Record<string, User> }>> {
  if (users.some((user) => !user?.id)) throw clientError('CLIENT_USERS_ENTRY', 'Every user needs an id')
  const byId = Object.fromEntries(users.map((user) => [user.id, user]))
  return request('POST', '/users', { body: { users: byId }, ...call })
}

/** Creates or replaces one user; fields that are not given are removed. */
export function upsertUser(
  context: ClientContext,
  user: UserRequest,
  call: CallOptions = {},
): Promise<Answer<{ users: Record<string, User> }>> {
  return upsertUsers(context, [user], call)
}

/** @throws ChatError CLIENT_USERS_ENTRY */
export async function partialUpdateUsers(
  { request }: ClientContext,
  updates: readonly ({ id: string } & PartialUpdate)[],
  call: CallOptions = {},
): Promise<Answer<{ users: Record<string, User> }>> {
  if (updates.some((update) => !update?.id)) throw clientError('CLIENT_USERS_ENTRY', 'Every user needs an id')
  return request('PATCH', '/users', { body: { users: updates }, ...call })
}

/** Sets and unsets fields of one user. */
export function partialUpdateUser(
  context: ClientContext,
  update: { id: string } & PartialUpdate,
  call: CallOptions = {},
): Promise<Answer<{ users: Record<string, User> }>> {
  return partialUpdateUsers(context, [update], call)
}

/** Blocks a user in one-to-one channels; `blockedUserIds` is updated. */
export function blockUser(
  context: ClientContext,
  userID: string,
  blockedBy?: string,
  call: CallOptions = {},
): Promise<Answer> {
  return changeBlock(context, 'block', userID, [userID], blockedBy, call)
}

/** Lifts a block; `blockedUserIds` is updated. */
export function unBlockUser(
  context: ClientContext,
  userID: string,
  blockedBy?: string,
  call: CallOptions = {},
): Promise<Answer> {
  return changeBlock(context, 'unblock', userID, [], blockedBy, call)
}

async function changeBlock(
  { client, request, merge }: ClientContext,
  verb: 'block' | 'unblock',
  userID: string,
  after: readonly string[],
  user_id: string | undefined,
  call: CallOptions,
): Promise<Answer> {
  const me = client.userID
  const answer = await request<Answer>('POST', `/users/${verb}`, {
    body: { blocked_user_id: userID, user_id },
    ...call,
  })
  // Another user may have signed in meanwhile.
  if (me === client.userID)
    merge({ blocked_user_ids: [...client.blockedUserIds.filter((id) => id !== userID), ...after] })
  return answer
}

/** The blocked users, with the time of each block. */
export async function getBlockedUsers(
  { request }: ClientContext,
  userID?: string,
  call: CallOptions = {},
): Promise<
  Answer<{ blocks: { user_id: string; blocked_user_id: string; created_at: string; blocked_user?: User }[] }>
> {
  return request('GET', '/users/block', { query: { user_id: userID }, ...call })
}
