import type { CreatePermissionRequest, Permission, UpdatePermissionRequest } from '@parley/protocol/permissions'
import { ChatError, inputError } from '../../platform/chat-error.ts'
import type { Server } from '../../server.ts'
import type { App } from '../apps/app.ts'
import { changeApp } from '../apps/change-app.ts'
import { checkCondition } from './condition.ts'
import { editGrants } from './edit-grants.ts'
import { actionNamed, builtInPermission, kebab } from './permissions.ts'

const PERMISSION_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/

/** @throws ChatError InputError (4) — an id that is taken or malformed, an action that does not exist [PERM-20] */
export async function createPermission(
  server: Server,
  app: App,
  request: CreatePermissionRequest,
): Promise<Permission> {
  const id = request.id || kebab(request.name)
  if (!PERMISSION_ID.test(id)) throw inputError('id', `"${id}" is no id of a permission`)
  const permission = permissionFrom(id, request.action, request.name, request)
  await changeApp(server, app, async (change) => {
    if (builtInPermission(id) || change.app.permissions.has(id)) throw inputError('id', `permission ${id} exists`)
    await change.put('permission', id, permission)
  })
  return permission
}

/** @throws ChatError DoesNotExistError (16); InputError (4) — it is built in [PERM-20] */
export async function updatePermission(
  server: Server,
  app: App,
  id: string,
  request: UpdatePermissionRequest,
): Promise<Permission> {
  let permission: Permission | undefined
  await changeApp(server, app, async (change) => {
    const before = ownPermission(change.app, id)
    const { action = before.action, name = before.name } = request
    permission = permissionFrom(id, action, name, { ...before, ...request })
    await change.put('permission', id, permission)
  })
  return permission!
}

/**
 * Deletes a permission, and revokes it from all roles that were granted it.
 *
 * @returns the deleted permission
 * @throws ChatError DoesNotExistError (16); InputError (4) — it is built in [PERM-20]
 */
export async function deletePermission(server: Server, app: App, id: string): Promise<Permission> {
  let permission: Permission | undefined
  await changeApp(server, app, async (change) => {
    permission = ownPermission(change.app, id)
    await change.remove('permission', id)
    await editGrants(change, ([role, ids]) => [[role, ids.filter((one) => one !== id)]])
  })
  return permission!
}

/** @throws ChatError DoesNotExistError (16) */
export function permissionOf(app: App, id: string): Permission {
  const permission = app.permissions.get(id) ?? builtInPermission(id)
  if (!permission) throw new ChatError('DoesNotExistError', `Can't find permission with id ${id}`)
  return permission
}

function ownPermission(app: App, id: string): Permission {
  const permission = permissionOf(app, id)
  if (!permission.custom) throw inputError('id', `permission ${id} is built in and can't be changed`)
  return permission
}

function permissionFrom(
  id: string,
  actionName: string,
  name: string,
  { description = '', owner = false, same_team = true, condition = null }: UpdatePermissionRequest,
): Permission {
  const action = actionNamed(actionName)
  if (!action) throw inputError('action', `action ${actionName} does not exist`)
  if (condition) checkCondition(condition as Record<string, unknown>)
  return {
    id,
    name,
    description,
    action: action.name,
    owner,
    same_team,
    condition,
    custom: true,
    level: action.level,
    tags: [],
    owner_resource: action.resource,
  }
}
