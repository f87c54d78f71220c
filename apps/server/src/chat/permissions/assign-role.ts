/**
 * The only way to assign a role: checks that the assigner may assign it to this user [PERM-23]. Member and user rows
 * accept only a role that came through here, so no caller can skip the check.
 */

import { type ChatError, inputError } from '../../platform/chat-error.ts'
import type { AssignedRole } from '../../platform/database/tables.ts'
import type { App, RoleLevel } from '../apps/app.ts'
import { notGranted } from './demand-in-app.ts'

/** The roles every user has by default: they give no right that needs a check. */
export const MEMBER = 'channel_member' as AssignedRole
export const USER = 'user' as AssignedRole
/** The anonymous role; no grant allows it to write. */
export const ANONYMOUS = 'anonymous' as AssignedRole
const MODERATOR = 'channel_moderator' as AssignedRole

/** The user who assigns roles in a channel, existing or about to be created. */
export interface Assigner {
  app: App
  isServer: boolean
  can(permission: string): boolean
  refusal(permission: string): ChatError
}

/**
 * The role of a new member or invitee. Callers who may change members make moderators, whichever field requests it;
 * only the app's server assigns any other role.
 *
 * @param field the request field, for the error message
 * @throws ChatError InputError (4) — there is no such role; NotAllowedError (17)
 */
export function roleOfNewcomer(by: Assigner, role: string | undefined, field: string): AssignedRole {
  if (role === undefined || role === MEMBER) return MEMBER
  const named = existing(by.app, role, 'channel', field)
  const permission = named === MODERATOR ? 'update-channel-members' : 'assign-channel-role'
  if (!by.isServer && !(named === MODERATOR && by.can(permission))) throw by.refusal(permission)
  return named
}

/**
 * The role when a member is promoted to moderator, or demoted.
 *
 * @throws ChatError NotAllowedError (17)
 */
export function moderatorRole(by: Assigner, isMade: boolean): AssignedRole {
  if (!by.can('update-channel-members')) throw by.refusal('update-channel-members')
  return isMade ? MODERATOR : MEMBER
}

/**
 * The new role of a member: only the app's server assigns it.
 *
 * @throws ChatError InputError (4) — there is no such role; NotAllowedError (17)
 */
export function roleOfMember(by: Assigner, role: unknown, field: string): AssignedRole {
  if (!by.isServer) throw by.refusal('assign-channel-role')
  return existing(by.app, String(role), 'channel', field)
}

/**
 * The role of a user.
 *
 * @param maySet  whether the caller may set roles of this user
 * @param has     the user's current role; undefined for a new user
 * @throws ChatError InputError (4) — there is no such role; NotAllowedError (17)
 */
export function roleOfUser(
  app: App,
  asked: string | undefined,
  has: AssignedRole | undefined,
  { maySet, refusal }: { maySet: boolean; refusal: () => ChatError },
): AssignedRole {
  if (asked === undefined || asked === (has ?? USER)) return has ?? USER
  if (!maySet) throw refusal()
  return existing(app, asked, 'user', 'role')
}

/** A role in an import line; all lines are checked before the first is imported. */
export function roleOfImport(role: string): AssignedRole {
  return role as AssignedRole
}

/** A role the app itself assigns: to a guest, or to a user the app's server names. */
export function roleByServer(app: App, role: string, level: RoleLevel, field: string): AssignedRole {
  return existing(app, role, level, field)
}

/** The error for a client that may not assign a role in a channel of the type. */
export function refusedIn(user: { id: string; role: string } | undefined, type: string) {
  return (permission: string) => notGranted(user, permission, type)
}

function existing(app: App, role: string, level: RoleLevel, field: string): AssignedRole {
  if (app.hasRole(role, level)) return role as AssignedRole
  const what = level === 'channel' ? 'channel role' : 'role'
  throw inputError(field, `${what} ${role} does not exist`)
}
