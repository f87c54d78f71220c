import {
  CreatePermissionRequest,
  type Permission,
  PermissionAnswer,
  PermissionsAnswer,
  UpdatePermissionRequest,
} from '@parley/protocol/permissions'
import type { App } from '../apps/app.ts'
import { ChatError, inputError } from '../chat-error.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { createPermission, deletePermission, updatePermission } from './change-permissions.ts'
import { builtInPermission, builtInPermissions } from './permissions.ts'

const list = endpoint(
  { name: 'ListPermissions', method: 'GET', path: '/permissions', answer: PermissionsAnswer, serverOnly: true },
  async ({ caller }) => ({ permissions: [...builtInPermissions(), ...caller.app.permissions.values()] }),
)

const get = endpoint(
  { name: 'GetPermission', method: 'GET', path: '/permissions/:id', answer: PermissionAnswer, serverOnly: true },
  async ({ caller, params }) => ({ permission: permissionOf(caller.app, params.id!) }),
)

const create = endpoint(
  {
    name: 'CreatePermission',
    method: 'POST',
    path: '/permissions',
    body: CreatePermissionRequest,
    answer: PermissionAnswer,
    serverOnly: true,
    status: 201,
  },
  async ({ caller, body }, server) => ({ permission: await createPermission(server, caller.app, body) }),
)

const update = endpoint(
  {
    name: 'UpdatePermission',
    method: 'PUT',
    path: '/permissions/:id',
    body: UpdatePermissionRequest,
    answer: PermissionAnswer,
    serverOnly: true,
  },
  async ({ caller, params, body }, server) => {
    const { id } = ownPermission(caller.app, params.id!)
    return { permission: await updatePermission(server, caller.app, id, body) }
  },
)

const remove = endpoint(
  {
    name: 'DeletePermission',
    method: 'DELETE',
    path: '/permissions/:id',
    answer: PermissionAnswer,
    serverOnly: true,
  },
  async ({ caller, params }, server) => {
    const permission = ownPermission(caller.app, params.id!)
    await deletePermission(server, caller.app, permission.id)
    return { permission }
  },
)

/** @throws ChatError DoesNotExistError (16) */
function permissionOf(app: App, id: string): Permission {
  const permission = app.permissions.get(id) ?? builtInPermission(id)
  if (!permission) throw new ChatError('DoesNotExistError', `Can't find permission with id ${id}`)
  return permission
}

/** @throws ChatError InputError (4) — it is built in [PERM-20] */
function ownPermission(app: App, id: string): Permission {
  const permission = permissionOf(app, id)
  if (!permission.custom) throw inputError('id', `permission ${id} is built in and can't be changed`)
  return permission
}

export const permissionEndpoints: Endpoint[] = [list, get, create, update, remove]
