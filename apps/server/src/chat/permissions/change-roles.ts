import { ROLES_OF_ONES_OWN } from '@parley/protocol/limits'
import { ChatError, inputError } from '../../platform/chat-error.ts'
import type { Server } from '../../server.ts'
import type { App } from '../apps/app.ts'
import { changeApp } from '../apps/change-app.ts'
import { someChannelGrants } from '../channels/config-overrides.ts'
import { someUserHasRole } from '../users/user-roles.ts'
import { editGrants } from './edit-grants.ts'

const ROLE_NAME = /^[A-Za-z0-9_-]{1,128}$/

/** @throws ChatError InputError (4) — a malformed name, a role that exists, or one too many [PERM-18] */
export function createRole(server: Server, app: App, name: string): Promise<App> {
  if (!ROLE_NAME.test(name)) throw inputError('name', `"${name}" may hold letters, digits, "_" and "-" only`)
  return changeApp(server, app, async (change) => {
    const { roles } = change.app
    if (roles.has(name)) throw inputError('name', `role ${name} exists`)
    if ([...roles.values()].filter(({ custom }) => custom).length >= ROLES_OF_ONES_OWN)
      throw inputError('name', `an app has at most ${ROLES_OF_ONES_OWN} roles of its own`)
    await change.put('role', name, {})
  })
}

/**
 * Deletes an unused role; members who had it lose its rights [PERM-11].
 *
 * @throws ChatError InputError (4) — the role is built in, has grants, or is the role of a user
 */
export async function deleteRole(server: Server, app: App, name: string): Promise<void> {
  await changeApp(server, app, async (change) => {
    const role = change.app.roles.get(name)
    if (!role) throw new ChatError('DoesNotExistError', `Can't find role with name ${name}`)
    if (!role.custom) throw inputError('name', `role ${name} is built in and can't be deleted`)
    const scopes = [change.app.scope, ...[...change.app.types.values()].map((type) => type.scope)]
    if (scopes.some(({ grants }) => Object.hasOwn(grants, name) && grants[name]!.length > 0))
      throw inputError('name', `role ${name} is granted permissions; take them away first`)
    if (await someChannelGrants(change.db, change.app.id, name))
      throw inputError('name', `role ${name} is granted permissions in some channel; take them away first`)
    if (await someUserHasRole(change.db, change.app.id, name))
      throw inputError('name', `some user has the role ${name}`)
    await change.remove('role', name)
    await editGrants(change, (grant) => (grant[0] === name ? [] : [grant]))
  })
}
