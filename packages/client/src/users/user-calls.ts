/** Calls about users; the methods of `ChatClient` fetch this module when the first of them is used. */
import { clientError } from '../chat-error.ts'
import type { ClientDoor } from '../client-door.ts'
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

export async function queryUsers(
  { client, connected }: ClientDoor,
  filter: Filter,
  sort: Sort = [],
  options: { limit?: number; offset?: number; presence?: boolean; id_gt?: string } & Record<string, unknown> = {},
  call: CallOptions = {},
): Promise<Answer<{ users: User[] }>> {
  const payload = { filter_conditions: filter, sort: wireSort(sort), presence: false, ...options }
  if (payload.presence) await connected()
  return client.request('GET', '/users', { query: { payload }, ...call })
}

export async function upsertUsers(
  { client }: ClientDoor,
  users: readonly UserRequest[],
  call: CallOptions = {},
): Promise<Answer<{ users: Record<string, User> }>> {
  if (users.some((user) => !user?.id)) throw clientError('CLIENT_USERS_ENTRY', 'Every user needs an id')
  const byId = Object.fromEntries(users.map((user) => [user.id, user]))
  return client.request('POST', '/users', { body: { users: byId }, ...call })
}

export async function partialUpdateUsers(
  { client }: ClientDoor,
  updates: readonly ({ id: string } & PartialUpdate)[],
  call: CallOptions = {},
): Promise<Answer<{ users: Record<string, User> }>> {
  if (updates.some((update) => !update?.id)) throw clientError('CLIENT_USERS_ENTRY', 'Every user needs an id')
  return client.request('PATCH', '/users', { body: { users: updates }, ...call })
}

export async function blockUser(
  { client, merge }: ClientDoor,
  userID: string,
  call: CallOptions = {},
): Promise<Answer> {
  const answer = await client.request('POST', '/users/block', { body: { blocked_user_id: userID }, ...call })
  merge({ blocked_user_ids: [...client.blockedUserIds.filter((id) => id !== userID), userID] })
  return answer
}

export async function unBlockUser(
  { client, merge }: ClientDoor,
  userID: string,
  call: CallOptions = {},
): Promise<Answer> {
  const answer = await client.request('POST', '/users/unblock', { body: { blocked_user_id: userID }, ...call })
  merge({ blocked_user_ids: client.blockedUserIds.filter((id) => id !== userID) })
  return answer
}

export async function getBlockedUsers(
  { client }: ClientDoor,
  userID?: string,
  call: CallOptions = {},
): Promise<
  Answer<{ blocks: { user_id: string; blocked_user_id: string; created_at: string; blocked_user?: User }[] }>
> {
  return client.request('GET', '/users/block', { query: { user_id: userID ?? client.userID }, ...call })
}
