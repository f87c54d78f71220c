/** Roles and permissions; only for the application's own server [PERM-14, PERM-15, administration.md 3]. */
import type { CreatePermissionRequest, Permission, Role, UpdatePermissionRequest } from '@parley/protocol/permissions'
import type { Calling } from '../calling.ts'
import type { Answer, CallOptions } from '../shapes.ts'

export function listPermissions(
  client: Calling,
  call: CallOptions = {},
): Promise<Answer<{ permissions: Permission[] }>> {
  return client.request('GET', '/permissions', call)
}

export function getPermission(
  client: Calling,
  id: string,
  call: CallOptions = {},
): Promise<Answer<{ permission: Permission }>> {
  return client.request('GET', permissionPath(id), call)
}

export function createPermission(
  client: Calling,
  permission: CreatePermissionRequest,
  call: CallOptions = {},
): Promise<Answer<{ permission?: Permission }>> {
  return client.request('POST', '/permissions', { body: permission, ...call })
}

export function updatePermission(
  client: Calling,
  id: string,
  permission: UpdatePermissionRequest,
  call: CallOptions = {},
): Promise<Answer<{ permission?: Permission }>> {
  return client.request('PUT', permissionPath(id), { body: permission, ...call })
}

export function deletePermission(client: Calling, id: string, call: CallOptions = {}): Promise<Answer> {
  return client.request('DELETE', permissionPath(id), call)
}

export function listRoles(client: Calling, call: CallOptions = {}): Promise<Answer<{ roles: Role[] }>> {
  return client.request('GET', '/roles', call)
}

export function createRole(client: Calling, name: string, call: CallOptions = {}): Promise<Answer<{ role: Role }>> {
  return client.request('POST', '/roles', { body: { name }, ...call })
}

export function deleteRole(client: Calling, name: string, call: CallOptions = {}): Promise<Answer> {
  return client.request('DELETE', `/roles/${encodeURIComponent(name)}`, call)
}

function permissionPath(id: string): string {
  return `/permissions/${encodeURIComponent(id)}`
}
