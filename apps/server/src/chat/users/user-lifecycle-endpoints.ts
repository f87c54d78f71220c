import {
  DeactivateUserRequest,
  DeactivateUsersRequest,
  DeleteUserQuery,
  DeleteUsersRequest,
  ExportUserAnswer,
  ReactivateUserRequest,
  ReactivateUsersRequest,
  RestoreUsersRequest,
  SendUserEventRequest,
  TaskBegun,
  UserAnswer,
} from '@parley/protocol/users'
import { Done } from '@parley/protocol/wire'
import { inputError } from '../../platform/chat-error.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import { isTrue } from '../../platform/http/query-flag.ts'
import type { Server } from '../../server.ts'
import { type Endpoint, endpoint } from '../api/endpoint.ts'
import { exportUser } from './export-user.ts'
import { existingUser } from './user-access.ts'
import { sendUserEvent } from './user-event.ts'
import { deactivateUsers, deleteUsers, reactivateUsers, restoreUsers, settled } from './user-lifecycle.ts'
import { fullUserWire } from './user-wire.ts'

const deactivate = endpoint(
  {
    name: 'DeactivateUser',
    method: 'POST',
    path: '/users/:id/deactivate',
    body: DeactivateUserRequest,
    answer: UserAnswer,
    status: 201,
    serverOnly: true,
  },
  async ({ caller, params, body }, server) => {
    await checkMaker(server, caller.app.id, body.created_by_id)
    const changed = await deactivateUsers(server, caller.app.id, [params.id!], body)
    return { user: userSummary(await settled(server, caller.app.id, changed)) }
  },
)

const reactivate = endpoint(
  {
    name: 'ReactivateUser',
    method: 'POST',
    path: '/users/:id/reactivate',
    body: ReactivateUserRequest,
    answer: UserAnswer,
    status: 201,
    serverOnly: true,
  },
  async ({ caller, params, body }, server) => {
    await checkMaker(server, caller.app.id, body.created_by_id)
    const changed = await reactivateUsers(server, caller.app.id, [params.id!], body)
    return { user: userSummary(await settled(server, caller.app.id, changed)) }
  },
)

const deactivateMany = endpoint(
  {
    name: 'DeactivateUsers',
    method: 'POST',
    path: '/users/deactivate',
    body: DeactivateUsersRequest,
    answer: TaskBegun,
    status: 201,
    serverOnly: true,
  },
  async ({ caller, body }, server) => {
    await checkMaker(server, caller.app.id, body.created_by_id)
    const { taskId } = await deactivateUsers(server, caller.app.id, body.user_ids, body)
    return { task_id: taskId }
  },
)

const reactivateMany = endpoint(
  {
    name: 'ReactivateUsers',
    method: 'POST',
    path: '/users/reactivate',
    body: ReactivateUsersRequest,
    answer: TaskBegun,
    status: 201,
    serverOnly: true,
  },
  async ({ caller, body }, server) => {
    await checkMaker(server, caller.app.id, body.created_by_id)
    const { taskId } = await reactivateUsers(server, caller.app.id, body.user_ids, body)
    return { task_id: taskId }
  },
)

const remove = endpoint(
  {
    name: 'DeleteUser',
    method: 'DELETE',
    path: '/users/:id',
    query: DeleteUserQuery,
    answer: UserAnswer,
    serverOnly: true,
  },
  async ({ caller, params, query }, server) => {
    const hard = isTrue('hard_delete', query.hard_delete)
    const marked = isTrue('mark_messages_deleted', query.mark_messages_deleted)
    const conversations = isTrue('delete_conversation_channels', query.delete_conversation_channels)
    const changed = await deleteUsers(server, caller.app.id, [params.id!], {
      user: hard ? 'hard' : 'soft',
      messages: hard ? 'hard' : marked ? 'soft' : undefined,
      conversations: conversations ? (hard ? 'hard' : 'soft') : undefined,
      new_channel_owner_id: undefined,
      files: false,
    })
    return { user: userSummary(await settled(server, caller.app.id, changed)) }
  },
)

const removeMany = endpoint(
  {
    name: 'DeleteUsers',
    method: 'POST',
    path: '/users/delete',
    body: DeleteUsersRequest,
    answer: TaskBegun,
    status: 201,
    serverOnly: true,
  },
  async ({ caller, body }, server) => {
    const options = {
      user: body.user || 'soft',
      messages: body.messages || undefined,
      conversations: body.conversations || undefined,
      new_channel_owner_id: body.new_channel_owner_id,
      files: body.files === true,
    } as const
    const { messages, conversations = 'hard' } = options
    if (options.user === 'hard' && (messages !== 'hard' || conversations !== 'hard'))
      throw inputError('user', 'user can be hard only where messages are hard, and conversations if they are named')
    const { taskId } = await deleteUsers(server, caller.app.id, body.user_ids, options)
    return { task_id: taskId }
  },
)

const restore = endpoint(
  {
    name: 'RestoreUsers',
    method: 'POST',
    path: '/users/restore',
    body: RestoreUsersRequest,
    answer: Done,
    status: 201,
    serverOnly: true,
  },
  async ({ caller, body }, server) => {
    await restoreUsers(server, caller.app.id, [...new Set(body.user_ids)])
    return {}
  },
)

const exported = endpoint(
  { name: 'ExportUser', method: 'GET', path: '/users/:id/export', answer: ExportUserAnswer, serverOnly: true },
  async ({ caller, params }, server) => {
    const export_ = await exportUser(server, await existingUser(server, caller.app.id, params.id!))
    // Some clients read the user's fields at the top level, others under `user` [administration.md 9.3].
    return { ...export_.user, ...export_ }
  },
)

const event = endpoint(
  {
    name: 'SendUserCustomEvent',
    method: 'POST',
    path: '/users/:id/event',
    body: SendUserEventRequest,
    answer: Done,
    status: 201,
    serverOnly: true,
  },
  async ({ caller, params, body }, server) => {
    sendUserEvent(server, await existingUser(server, caller.app.id, params.id!), body.event)
    return {}
  },
)

/** @throws ChatError InputError (4) — the acting user does not exist */
async function checkMaker(server: Server, app: string, id: string | undefined) {
  if (id && !(await server.users.get(app, id))) throw inputError('created_by_id', `could not find user ${id}`)
}

/** The user is offline now. */
function userSummary(user: UserRow) {
  return fullUserWire(user, false)
}

export const userLifecycleEndpoints: Endpoint[] = [
  deactivate,
  reactivate,
  deactivateMany,
  reactivateMany,
  remove,
  removeMany,
  restore,
  exported,
  event,
]
