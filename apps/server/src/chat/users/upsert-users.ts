import { isDeepStrictEqual } from 'node:util'
import { USER_ID_CHARS } from '@parley/protocol/limits'
import { UserRequest } from '@parley/protocol/users'
import type { PartialUpdate } from '@parley/protocol/wire'
import { ChatError, inputError } from '../../platform/chat-error.ts'
import { checkPaths, cleared, customOf, patched, patchedWithin } from '../../platform/custom-data.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import { Validator } from '../../platform/http/validate.ts'
import { microsOf } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import type { Caller } from '../api/caller.ts'
import type { App } from '../apps/app.ts'
import { countByRank } from '../messages/restricted-by-role.ts'
import { roleByServer, roleOfUser } from '../permissions/assign-role.ts'
import { isOfOwnTeams, teamsOf } from './teams.ts'
import { checkNames, nameKey } from './unique-names.ts'
import { lockedUsers, putUsers } from './user-store.ts'
import { fullUserWire } from './user-wire.ts'

const ID = /^[A-Za-z0-9@_-]+$/

/** User fields that are not custom data; read-only ones are ignored. */
export const userFields: ReadonlySet<string> = new Set(
  `id role name image language invisible teams teams_role privacy_settings created_at updated_at last_active online
   banned ban_expires shadow_banned bypass_moderation deleted_at deactivated_at revoke_tokens_issued_before mutes channel_mutes devices
   unread_count unread_channels unread_threads total_unread_count total_unread_count_by_team blocked_user_ids
   avg_response_time latest_hidden_channels push_preferences`.split(/\s+/),
)

/** The fields that decide a user's rights. */
const ranks = ['role', 'teams_json', 'teams_role_json'] as const

/** The user fields a request may change. */
interface Rights {
  /** Only the app's server sets revocations. */
  server: boolean
  changes: boolean
  setsRoles: boolean
  setsTeams: boolean
}

/** The fields a caller may change of an existing user, or of a new one with these teams [administration.md 3.6]. */
function rightsOf(caller: Caller, { id, teams }: UserRequest, known: UserRow | undefined): Rights {
  const { app, server, user } = caller
  const owns = id === user?.id
  const sameTeam = owns || isOfOwnTeams(caller, known ? teamsOf(known) : (teams ?? []))
  const may = (permission: string) => server || app.allows(user, permission, owns, sameTeam)
  return {
    server,
    changes: may('update-user'),
    setsRoles: may('update-user-role'),
    setsTeams: may('update-user-teams'),
  }
}

/** Profile fields may be restricted by the app; privacy settings for reading and typing belong to the user. */
function rightsToPatch(caller: Caller, patch: { id: string } & PartialUpdate, known: UserRow | undefined): Rights {
  const { id, set = {}, unset = [] } = patch
  const paths = [...Object.keys(set), ...unset]
  const isOwnPrivacy =
    id === caller.user?.id && paths.length > 0 && paths.every((path) => path.split('.')[0] === 'privacy_settings')
  const rights = rightsOf(caller, { id }, known)
  return { ...rights, changes: rights.changes || isOwnPrivacy }
}

/** The fields a connecting user may send about itself. */
const ownRights: Rights = { server: false, changes: true, setsRoles: false, setsTeams: false }

/**
 * Creates or replaces users: custom fields that are not sent are removed; role, teams, privacy, language and invisible
 * stay [USR-4, messaging.md 3.2]. All or nothing.
 *
 * @throws ChatError InputError (4) — an invalid id or field; NotAllowedError (17) — another user
 */
export async function upsertUsers(server: Server, caller: Caller, users: readonly UserRequest[]): Promise<UserRow[]> {
  for (const user of users) checkUserId(user.id)
  return write(server, caller.app.id, users, (request, known, now) => {
    const rights = rightsOf(caller, request, known)
    checkUser(caller.app, request, rights)
    checkTeams(request, known, rights)
    return merged(caller.app, known, request, customOf(request, userFields), now, rights)
  })
}

/** Merges the user object a client sends on connecting; equal values change nothing [messaging.md 2.1]. */
export async function mergeUser(server: Server, app: string, details: UserRequest, role = 'user'): Promise<UserRow> {
  const known = await server.users.get(app, details.id)
  if (!known || saysNew(known, details)) return (await mergeUsers(server, app, [details], () => role))[0]!
  checkUser(server.apps.of(app), details, ownRights)
  return known
}

async function mergeUsers(
  server: Server,
  app: string,
  users: readonly UserRequest[],
  roleOf: (user: UserRequest) => string,
): Promise<UserRow[]> {
  for (const user of users) checkUser(server.apps.of(app), user, ownRights)
  return write(server, app, users, (user, before, now) => {
    const { role: _, teams: __, teams_role: ___, ...own } = user
    const custom = { ...(before && JSON.parse(before.data)), ...customOf(own as UserRequest, userFields) }
    const known = server.apps.of(app)
    const next = merged(known, before, { ...own, id: user.id }, custom, now, ownRights)
    if (!before) return { ...next, role: roleByServer(known, roleOf(user), 'user', 'role') }
    const name = own.name ?? before.name
    return { ...next, name, name_key: nameKey(name), image: own.image ?? before.image }
  })
}

/** The acting user of a server-side call: created, or updated from the object sent. Equal values change nothing. */
export async function describedUser(server: Server, app: string, said: { id: string }): Promise<UserRow> {
  checkRequest.check(said)
  return mergeUser(server, app, said, roleSaid(said))
}

/** The same for several, by id; one write at most. */
export async function describedUsers(
  server: Server,
  app: string,
  said: readonly { id: string }[],
): Promise<Map<string, UserRow>> {
  for (const user of said) checkRequest.check(user)
  const ids = said.map(({ id }) => id)
  const known = await server.users.getAll(app, ids)
  const fresh = said.filter((user) => !known.has(user.id) || saysNew(known.get(user.id)!, user))
  const written = fresh.length > 0 ? await mergeUsers(server, app, fresh, roleSaid) : []
  return new Map([...known, ...written.map((user) => [user.id, user] as const)])
}

/** Built-in fields that are merged; a null name or image is ignored. */
const merging: ReadonlySet<string> = new Set(['name', 'image', 'language', 'invisible', 'privacy_settings'])

/** Whether the request changes the user; a deleted user never changes. */
function saysNew(known: UserRow, said: { id: string }): boolean {
  if (known.deleted_at !== null) return false
  const shown = fullUserWire(known, true) as Record<string, unknown>
  return Object.entries(said).some(([field, value]) => {
    if (userFields.has(field) && (!merging.has(field) || value === null)) return false
    return !isDeepStrictEqual(shown[field], value)
  })
}

function roleSaid(said: { id: string }): string {
  return (said as UserRequest).role ?? 'user'
}

/**
 * Changes single fields of users that exist [USR-5].
 *
 * @throws ChatError DoesNotExistError (16) — a user that does not exist
 */
export async function patchUsers(
  server: Server,
  caller: Caller,
  patches: readonly ({ id: string } & PartialUpdate)[],
): Promise<UserRow[]> {
  const known = await server.users.getAll(
    caller.app.id,
    patches.map((patch) => patch.id),
  )
  for (const { id, set = {}, unset = [] } of patches) {
    if (!rightsToPatch(caller, { id, set, unset }, known.get(id)).changes) throw notYours(id)
    if (known.get(id)?.deleted_at !== null) throw new ChatError('DoesNotExistError', `Can't find user with id ${id}`)
    const request = { ...set, ...ownFieldsOf(known.get(id)!, { set, unset }), id }
    checkRequest.check(request)
  }
  return write(server, caller.app.id, patches, ({ id, set = {}, unset = [] }, before, now) => {
    const isCustom = (path: string) => !userFields.has(path.split('.')[0]!)
    const custom = patched(JSON.parse(before!.data), {
      set: Object.fromEntries(Object.entries(set).filter(([path]) => isCustom(path))),
      unset: unset.filter(isCustom),
    })
    const own = ownFieldsOf(before!, { set, unset })
    const said: Record<string, unknown> = { ...set, ...own }
    const request: UserRequest = { name: before!.name, image: before!.image, ...said, id }
    const rights = rightsToPatch(caller, { id, set, unset }, before)
    checkUser(caller.app, request, rights)
    checkTeams(request, before, rights)
    const next = merged(caller.app, before, request, custom, now, rights)
    // Nested fields set here are complete objects; set as a whole they are merged.
    if ('privacy_settings' in own)
      next.privacy_json = own.privacy_settings ? JSON.stringify(own.privacy_settings) : null
    if (rights.server && 'revoke_tokens_issued_before' in said)
      next.revoke_before = revocation(said.revoke_tokens_issued_before)
    return next
  })
}

/** The value of built-in fields that a partial update clears or sets in part. */
function ownFieldsOf(user: UserRow, patch: PartialUpdate): Record<string, unknown> {
  checkPaths(patch)
  const objects = {
    privacy_settings: JSON.parse(user.privacy_json ?? '{}'),
    teams_role: JSON.parse(user.teams_role_json ?? '{}'),
  }
  return { ...cleared(emptyFields, patch), ...patchedWithin(objects, userFields, patch) }
}

/** The value of a built-in field after it is cleared; a role can only be changed. */
const emptyFields = {
  name: null,
  image: null,
  language: '',
  invisible: false,
  teams: [],
  teams_role: {},
  privacy_settings: undefined,
  revoke_tokens_issued_before: null,
}

const checkRequest = new Validator(UserRequest)

/** A blank string is not a time; null undoes a revocation [AUTH-13]. */
function revocation(value: unknown): number | null {
  if (value === null) return null
  const at = typeof value === 'string' ? microsOf(value) : undefined
  if (at === undefined) throw inputError('revoke_tokens_issued_before', 'revoke_tokens_issued_before is not a time')
  return at
}

/** @throws ChatError InputError (4) */
export function checkUserId(id: string, field = 'id') {
  if (!ID.test(id) || id.length > USER_ID_CHARS)
    throw inputError(
      field,
      `user id "${id}" must have 1 to ${USER_ID_CHARS} of the characters A-Z, a-z, 0-9, @, _ and -`,
    )
}

function checkUser(app: App, user: UserRequest, rights: Rights) {
  checkUserId(user.id)
  if (!rights.changes) throw notYours(user.id)
  if (!rights.setsRoles) return
  for (const role of Object.values(user.teams_role ?? {})) roleByServer(app, role, 'user', 'teams_role')
}

/** Only the server assigns teams and team roles; sending the current values is allowed [messaging.md 3.1]. */
function checkTeams(request: UserRequest, known: UserRow | undefined, { setsRoles, setsTeams }: Rights) {
  const isNew = (asked: unknown, has: unknown) => asked !== undefined && JSON.stringify(asked) !== JSON.stringify(has)
  const has = (json: string | null | undefined, otherwise: unknown) => (json ? JSON.parse(json) : otherwise)
  if (
    (!setsTeams && isNew(request.teams, has(known?.teams_json, []))) ||
    (!(setsRoles && setsTeams) && isNew(request.teams_role, has(known?.teams_role_json, {})))
  )
    throw notYours(request.id)
}

function notYours(id: string): ChatError {
  return new ChatError('NotAllowedError', `updating user ${id} is not allowed`)
}

function merged(
  app: App,
  known: UserRow | undefined,
  request: UserRequest,
  custom: object,
  now: number,
  { setsRoles, setsTeams }: Rights,
): UserRow {
  const json = (value: unknown, before: string | null | undefined) =>
    value === undefined ? (before ?? null) : JSON.stringify(value)
  return {
    app: '',
    id: request.id,
    role: roleOfUser(app, request.role, known?.role, { maySet: setsRoles, refusal: () => notYours(request.id) }),
    name: request.name ?? null,
    name_key: nameKey(request.name ?? null),
    image: request.image ?? null,
    language: request.language ?? known?.language ?? '',
    invisible: request.invisible === undefined ? (known?.invisible ?? 0) : request.invisible ? 1 : 0,
    teams_json: json(setsTeams ? request.teams : undefined, known?.teams_json),
    teams_role_json: json(setsRoles && setsTeams ? request.teams_role : undefined, known?.teams_role_json),
    privacy_json: privacyOf(request, known),
    data: JSON.stringify(custom),
    created_at: known?.created_at ?? now,
    updated_at: now,
    last_active: known?.last_active ?? null,
    deactivated_at: known?.deactivated_at ?? null,
    deleted_at: known?.deleted_at ?? null,
    deleted_how: known?.deleted_how ?? null,
    revoke_before: known?.revoke_before ?? null,
    banned: known?.banned ?? 0,
    shadow_banned: known?.shadow_banned ?? 0,
    ban_expires: known?.ban_expires ?? null,
    bypass_moderation: known?.bypass_moderation ?? 0,
    answers: known?.answers ?? 0,
    answer_micros: known?.answer_micros ?? 0,
  }
}

/** Settings merge part by part. */
function privacyOf({ privacy_settings }: UserRequest, known: UserRow | undefined): string | null {
  const before = known?.privacy_json ?? null
  if (!privacy_settings) return before
  return JSON.stringify({ ...(before && JSON.parse(before)), ...privacy_settings })
}

/** Writes users in one transaction, each change on top of the previous one, and publishes it to those who know them. */
function write<Change extends { id: string }>(
  server: Server,
  app: string,
  changes: readonly Change[],
  next: (change: Change, known: UserRow | undefined, now: number) => UserRow,
): Promise<UserRow[]> {
  return server.commit.write(app, [], async (batch: Batch) => {
    const ids = changes.map((change) => change.id)
    const known = new Map((await lockedUsers(batch.db, batch.dialect, app, ids)).map((user) => [user.id, user]))
    const now = batch.now()
    const changed = new Map<string, UserRow>()
    for (const { deleted_at, id } of known.values())
      if (deleted_at !== null) throw inputError('id', `user ${id} was deleted; restore it first`)
    for (const change of changes)
      changed.set(change.id, { ...next(change, changed.get(change.id) ?? known.get(change.id), now), app })
    const users = [...changed.values()]
    await checkNames(server.apps.of(app), batch, users, known)
    await putUsers(batch.db, batch.dialect, users)
    const ranked: { before: UserRow; after: UserRow }[] = []
    for (const user of users) {
      batch.changedUsers.add(`${app}|${user.id}`)
      const before = known.get(user.id)
      if (!before) continue
      batch.updatedUsers.push(user)
      if (before.invisible !== user.invisible || !isDeepStrictEqual(statusOf(before), statusOf(user)))
        batch.veiledUsers.add(user)
      if (ranks.some((rank) => before[rank] !== user[rank])) ranked.push({ before, after: user })
    }
    for (const { after } of ranked) batch.rankedUsers.add(after)
    await countByRank(server, batch, ranked)
    return users
  })
}

/** The user's status, in a custom field; followers of the user's presence receive it. */
function statusOf({ data }: UserRow): unknown {
  return JSON.parse(data).status
}
