import { randomUUID } from 'node:crypto'
import { USERS_PER_CALL } from '@parley/protocol/limits'
import {
  GuestAnswer,
  GuestRequest,
  QueryUsersAnswer,
  QueryUsersPayload,
  UpdateUsersPartialRequest,
  UpdateUsersRequest,
  type User,
  UsersAnswer,
} from '@parley/protocol/users'
import { ChatError, inputError } from '../../platform/chat-error.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import type { Caller } from '../api/caller.ts'
import { type Endpoint, endpoint } from '../api/endpoint.ts'
import { signUserToken } from '../api/tokens.ts'
import { blockEndpoints } from './block-endpoints.ts'
import { fullUsers } from './full-users.ts'
import { ownUserFor } from './own-user.ts'
import { queryUsers } from './query-users.ts'
import { checkUserId, mergeUser, patchUsers, upsertUsers } from './upsert-users.ts'
import { userLifecycleEndpoints } from './user-lifecycle-endpoints.ts'
import { userWire } from './user-wire.ts'

/** Presence subscriptions per user query [messaging.md 2.6]. */
const PRESENCE_PER_QUERY = 30

const upsert = endpoint(
  { name: 'UpdateUsers', method: 'POST', path: '/users', body: UpdateUsersRequest, answer: UsersAnswer, status: 201 },
  async ({ caller, body }, server) => {
    const entries = Object.entries(body.users)
    if (entries.length === 0 || entries.length > USERS_PER_CALL)
      throw inputError('users', `users must contain 1 to ${USERS_PER_CALL} users`)
    for (const [id, user] of entries)
      if (user.id !== id) throw inputError(`users.${id}.id`, `users.${id}.id must be ${id}`)
    const users = await upsertUsers(
      server,
      caller,
      entries.map(([, user]) => user),
    )
    return { users: await byId(server, caller, users) }
  },
)

const patch = endpoint(
  { name: 'UpdateUsersPartial', method: 'PATCH', path: '/users', body: UpdateUsersPartialRequest, answer: UsersAnswer },
  async ({ caller, body }, server) => {
    const users = await patchUsers(server, caller, body.users)
    return { users: await byId(server, caller, users) }
  },
)

const query = endpoint(
  { name: 'QueryUsers', method: 'GET', path: '/users', payload: QueryUsersPayload, answer: QueryUsersAnswer },
  async ({ caller, query }, server) => {
    const connection = query.presence ? server.live.of(caller) : undefined
    const users = await queryUsers(server, caller, query)
    if (connection) await connection.follow(users.slice(0, PRESENCE_PER_QUERY).map((user) => user.id))
    return { users: await userSummaries(server, caller, users) }
  },
)

const guest = endpoint(
  {
    name: 'CreateGuest',
    method: 'POST',
    path: '/guest',
    body: GuestRequest,
    answer: GuestAnswer,
    open: true,
    status: 201,
  },
  async ({ caller, credentials, body }, server) => {
    if (caller.app.settings.guest_user_creation_disabled || caller.app.settings.multi_tenant_enabled)
      throw new ChatError('NotAllowedError', 'guests are not welcome in this app')
    checkUserId(body.user.id, 'user.id')
    server.guestLimit.take(credentials.address)
    const id = `guest-${randomUUID()}-${body.user.id}`
    const user = await mergeUser(server, caller.app.id, { ...body.user, id }, 'guest')
    return { user: userWire(user, false), access_token: signUserToken(caller.app, id) }
  },
)

async function byId(server: Server, caller: Caller, users: readonly UserRow[]) {
  return Object.fromEntries((await userSummaries(server, caller, users)).map((user) => [user.id, user]))
}

/** The server and the user itself see all fields of a user. */
async function userSummaries(server: Server, caller: Caller, users: readonly UserRow[]): Promise<User[]> {
  if (caller.server) return fullUsers(server, caller.app.id, users)
  return Promise.all(
    users.map((user) => {
      const online = server.presence.isOnline(caller.app.id, user.id)
      return user.id === caller.user?.id ? ownUserFor(server, user, online) : userWire(user, online)
    }),
  )
}

export const userEndpoints: Endpoint[] = [upsert, patch, query, guest, ...blockEndpoints, ...userLifecycleEndpoints]
