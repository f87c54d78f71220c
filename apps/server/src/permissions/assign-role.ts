/**
 * The only way to a role: who gives it to whom, and whether they may [PERM-23]. Rows of members and of users take nothing
 * but a role that came through here, so no call forgets to ask.
 */
import type { App, RoleLevel } from '../apps/app.ts'
import { type ChatError, inputError } from '../chat-error.ts'
import type { AssignedRole } from '../database/tables.ts'
import { notGranted } from './demand-in-app.ts'

/** What everybody has who has nothing else: it gives no right that somebody would have to be asked for. */
export const MEMBER = 'channel_member' as AssignedRole
export const USER = 'user' as AssignedRole
/** Of somebody without a name; no grant lets them write. */
export const ANONYMOUS = 'anonymous' as AssignedRole
const MODERATOR = 'channel_moderator' as AssignedRole

/** Who gives roles in a channel: in one that is there, or in one they are about to make. */
export interface Assigner {
  app: App
  isServer: boolean
  can(permission: string): boolean
  refusal(permission: string): ChatError
}

/**
 * The role of somebody who becomes a member, or is invited. Who may change members makes moderators, whichever field
 * says so; every other role is the app's server's to give.
 *
 * @param field what names it, for the refusal
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
 * The role of moderators that are made, or of those that are unmade.
 *
 * @throws ChatError NotAllowedError (17)
 */
export function moderatorRole(by: Assigner, isMade: boolean): AssignedRole {
  if (!by.can('update-channel-members')) throw by.refusal('update-channel-members')
  return isMade ? MODERATOR : MEMBER
}

/**
 * The role that a member gets for the one they have: the app's server assigns them.
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
 * @param maySet  whether whoever asks may set roles of this user
 * @param has     what the user has; nothing while there is no such user
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

/** A role in a line of an import; the lines were checked before the first was brought in. */
export function roleOfImport(role: string): AssignedRole {
  return role as AssignedRole
}

/** A role as the app itself gives it: to a guest, or as its server says in a call of its own. */
export function roleByServer(app: App, role: string, level: RoleLevel, field: string): AssignedRole {
  return existing(app, role, level, field)
}

/** What a client hears that may not give a role in a channel of the type. */
export function refusedIn(user: { id: string; role: string } | undefined, type: string) {
  return (permission: string) => notGranted(user, permission, type)
}

function existing(app: App, role: string, level: RoleLevel, field: string): AssignedRole {
  if (app.hasRole(role, level)) return role as AssignedRole
  const what = level === 'channel' ? 'channel role' : 'role'
  throw inputError(field, `${what} ${role} does not exist`)
}
