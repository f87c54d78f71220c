import {
  CreatePermissionRequest,
  PermissionAnswer,
  PermissionsAnswer,
  UpdatePermissionRequest,
} from '@parley/protocol/permissions'
import { type Endpoint, endpoint } from '../api/endpoint.ts'
import { createPermission, deletePermission, permissionOf, updatePermission } from './change-permissions.ts'
import { builtInPermissions } from './permissions.ts'

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
  async ({ caller, params, body }, server) => ({
    permission: await updatePermission(server, caller.app, params.id!, body),
  }),
)

const remove = endpoint(
  {
    name: 'DeletePermission',
    method: 'DELETE',
    path: '/permissions/:id',
    answer: PermissionAnswer,
    serverOnly: true,
  },
  async ({ caller, params }, server) => ({ permission: await deletePermission(server, caller.app, params.id!) }),
)

export const permissionEndpoints: Endpoint[] = [list, get, create, update, remove]
