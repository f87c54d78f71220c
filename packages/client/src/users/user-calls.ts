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
 * Users that match; `presence: true` also follows who is online, for which it waits for a connection, and as long as
 * that lasts: ask again after `connection.recovered`.
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

/** Creates or replaces one user; what is not given is gone. */
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

/** Sets and takes away fields of one user. */
export function partialUpdateUser(
  context: ClientContext,
  update: { id: string } & PartialUpdate,
  call: CallOptions = {},
): Promise<Answer<{ users: Record<string, User> }>> {
  return partialUpdateUsers(context, [update], call)
}

/** Blocks somebody in one-to-one conversations; `blockedUserIds` follows. */
export function blockUser(
  context: ClientContext,
  userID: string,
  blockedBy?: string,
  call: CallOptions = {},
): Promise<Answer> {
  return changeBlock(context, 'block', userID, [userID], blockedBy, call)
}

/** Takes a block back; `blockedUserIds` follows. */
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
  // Somebody else may have signed in meanwhile.
  if (me === client.userID)
    merge({ blocked_user_ids: [...client.blockedUserIds.filter((id) => id !== userID), ...after] })
  return answer
}

/** Whom one has blocked, and since when. */
export async function getBlockedUsers(
  { request }: ClientContext,
  userID?: string,
  call: CallOptions = {},
): Promise<
  Answer<{ blocks: { user_id: string; blocked_user_id: string; created_at: string; blocked_user?: User }[] }>
> {
  return request('GET', '/users/block', { query: { user_id: userID }, ...call })
}
