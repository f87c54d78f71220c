/** Deactivates, deletes, reactivates and restores users [messaging.md 3.4, administration.md 9]. */

import { ChatError, inputError } from '../../platform/chat-error.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import { isoOf, type Micros } from '../../platform/micros.ts'
import { taskIsOver } from '../../platform/tasks/task-state.ts'
import type { Server } from '../../server.ts'
import { membershipsPage } from '../members/leaving.ts'
import type { AffectedUser } from './deletion-stages.ts'
import { checkNames, nameKey } from './unique-names.ts'
import { gone } from './user-rows.ts'
import { lockedUsers, putUsers } from './user-store.ts'
import { userSummariesOf } from './user-summaries.ts'
import {
  type Deactivation,
  deactivatingUsers,
  deletingUsers,
  type Reactivation,
  type Results,
  reactivatingUsers,
  type UserDeletion,
} from './user-tasks.ts'
import { userWire } from './user-wire.ts'

/** Most users have little data: the response for one user waits this long for the cleanup. */
const WAIT_MS = 1_000
const LOOK_MS = 10
/** Maximum channels per bus message to other nodes. */
const CIDS_AT_ONCE = 5_000

/** The result for each user, and the task that does the rest. */
export interface Changed {
  users: UserRow[]
  results: Results
  taskId: string
}

/**
 * Deactivates users until they are reactivated: their sockets close, they cannot connect and no query finds them; they
 * stay members [USR-12, USR-20].
 *
 * @throws ChatError InputError (4) — the user `created_by_id` does not exist
 */
export async function deactivateUsers(
  server: Server,
  app: string,
  ids: readonly string[],
  options: Deactivation,
): Promise<Changed> {
  return change(server, app, ids, deactivatingUsers.name, options, (user, at) => {
    if (user.deactivated_at !== null) throw new ChatError('InputError', `user ${user.id} is deactivated already`)
    const row = { ...user, deactivated_at: at, updated_at: at }
    return { row, at, ends: `user "${user.id}" is deactivated`, told: 'user.deactivated' }
  })
}

/**
 * Reactivates users, and restores what was deleted with them [USR-13].
 *
 * @throws ChatError DuplicateUsernameError (6) — another user has the requested name
 */
export async function reactivateUsers(
  server: Server,
  app: string,
  ids: readonly string[],
  { name, ...options }: Reactivation & { name?: string | undefined },
): Promise<Changed> {
  return change(server, app, ids, reactivatingUsers.name, options, (user, now) => {
    if (user.deactivated_at === null) throw new ChatError('InputError', `user ${user.id} is not deactivated`)
    const named = name === undefined ? {} : { name, name_key: nameKey(name) }
    const row = { ...user, ...named, deactivated_at: null, updated_at: now }
    return { row, at: user.deactivated_at, told: 'user.reactivated' }
  })
}

/**
 * Deletes users: at once they cannot connect and no query finds them; their data is deleted in pages [USR-6, USR-7,
 * USR-16, USR-17]. A deleted user can be deleted more thoroughly.
 *
 * @throws ChatError InputError (4) — the user `new_channel_owner_id` does not exist
 */
export async function deleteUsers(
  server: Server,
  app: string,
  ids: readonly string[],
  options: UserDeletion,
): Promise<Changed> {
  const heir = options.new_channel_owner_id
  if (heir !== undefined) {
    const user = await server.users.get(app, heir)
    if (!user || user.deleted_at !== null || ids.includes(heir))
      throw inputError('new_channel_owner_id', `could not find user ${heir}`)
  }
  const rank = ['soft', 'pruning', 'hard']
  return change(
    server,
    app,
    ids,
    deletingUsers.name,
    options,
    (user, at) => {
      if (user.deleted_how !== null && rank.indexOf(user.deleted_how) >= rank.indexOf(options.user))
        throw missing(user.id)
      const row = { ...user, ...gone(at, options.user) }
      return { row, at, ends: `user "${user.id}" is deleted`, event: deletedEvent(row, at, options) }
    },
    { deletedToo: true },
  )
}

/**
 * Restores soft-deleted users, without the data deleted with them [USR-11].
 *
 * @throws ChatError InputError (4) — one of them was not deleted, or not softly; then none is restored
 * @throws ChatError DuplicateUsernameError (6) — another user has taken the name of one
 */
export async function restoreUsers(server: Server, app: string, ids: readonly string[]): Promise<void> {
  await server.commit.write(app, [], async (batch) => {
    const known = await lockedUsers(batch.db, batch.dialect, app, ids)
    const lost = ids.find((id) => known.find((user) => user.id === id)?.deleted_how !== 'soft')
    if (lost !== undefined) throw inputError('user_ids', `user ${lost} was not deleted softly and cannot be restored`)
    const rows = known.map((user) => ({ ...user, deleted_at: null, deleted_how: null, updated_at: batch.now() }))
    await checkNames(server.apps.of(app), batch, rows, new Map())
    await store(batch, rows)
    batch.updatedUsers.push(...rows)
  })
}

/** For one user: throws the refusal, and waits a moment for the cleanup before the response. */
export async function settled(server: Server, app: string, { users, results, taskId }: Changed): Promise<UserRow> {
  const [user] = users
  if (!user) {
    const error = Object.values(results)[0]?.error ?? ''
    throw new ChatError(error.startsWith("Can't find") ? 'DoesNotExistError' : 'InputError', error)
  }
  const end = performance.now() + WAIT_MS
  while (!(await taskIsOver(server, app, taskId)) && performance.now() < end)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  return user
}

interface Change {
  row: UserRow
  /** The timestamp shared by everything that follows. */
  at: Micros
  /** The close reason of the user's sockets, if they close. */
  ends?: string
  event?: string
  /** Additional outbound events. */
  told?: 'user.deactivated' | 'user.reactivated'
}

/** Changes the users for whom it is possible, and leaves the rest of the work to a task. */
async function change(
  server: Server,
  app: string,
  ids: readonly string[],
  task: string,
  options: object,
  next: (user: UserRow, now: Micros) => Change,
  { deletedToo = false } = {},
): Promise<Changed> {
  const asked = [...new Set(ids)]
  const cids = new Map<string, string[]>()
  for (const id of asked) cids.set(id, await membershipsPage(server, app, id))
  return server.commit.write(app, [], async (batch) => {
    const known = new Map((await lockedUsers(batch.db, batch.dialect, app, asked)).map((user) => [user.id, user]))
    const outcomes: [id: string, outcome: Results[string]][] = []
    const changes: Change[] = []
    for (const id of asked)
      try {
        const user = known.get(id)
        if (!user || (user.deleted_at !== null && !deletedToo)) throw missing(id)
        changes.push(next(user, batch.now()))
        outcomes.push([id, { status: 'ok' }])
      } catch (error) {
        if (!(error instanceof ChatError)) throw error
        outcomes.push([id, { status: 'error', error: error.message }])
      }
    const results: Results = Object.fromEntries(outcomes)
    const users = changes.map(({ row }) => row)
    await checkNames(server.apps.of(app), batch, users, known)
    await store(batch, users)
    const people: AffectedUser[] = changes.map(({ row, at }) => ({ id: row.id, at }))
    const taskId = await server.tasks.begin(batch, app, task, { people, options, results })
    const by = (options as Deactivation).created_by_id || undefined
    const userSummaries = await userSummariesOf(server, app, by ? [by] : [])
    for (const { row, ends, event, told } of changes) {
      if (told)
        batch.publishOutbound(app, () =>
          JSON.stringify({
            type: told,
            created_at: isoOf(batch.now()),
            user: userWire(row, false),
            ...(by && { created_by: userSummaries.of(by), created_by_id: by }),
          }),
        )
      if (event === undefined) batch.updatedUsers.push(row)
      if (ends !== undefined) shutOut(batch, row, ends, event, event === undefined ? [] : cids.get(row.id)!)
    }
    return { users, results, taskId }
  })
}

async function store(batch: Batch, users: readonly UserRow[]) {
  await putUsers(batch.db, batch.dialect, users)
  for (const user of users) batch.changedUsers.add(`${user.app}|${user.id}`)
}

/** Closes a user's sockets on every node, after the event was published to all who know the user. */
function shutOut(
  batch: Batch,
  { app, id }: UserRow,
  reason: string,
  body: string | undefined,
  cids: readonly string[],
) {
  for (let from = 0; from === 0 || from < cids.length; from += CIDS_AT_ONCE)
    batch.endedUsers.push({
      app,
      id,
      reason,
      cids: cids.slice(from, from + CIDS_AT_ONCE),
      ...(body !== undefined && { body }),
    })
}

function deletedEvent(user: UserRow, at: Micros, { user: how, messages, conversations }: UserDeletion): string {
  return JSON.stringify({
    type: 'user.deleted',
    created_at: isoOf(at),
    user: userWire(user, false),
    mark_messages_deleted: messages !== undefined,
    hard_delete: how === 'hard',
    delete_conversation_channels: conversations !== undefined,
    delete_user: how,
    delete_messages: messages ?? '',
    delete_conversation: conversations ?? '',
  })
}

function missing(id: string): ChatError {
  return new ChatError('DoesNotExistError', `Can't find user with id ${id}`)
}
