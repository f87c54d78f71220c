import { CreateRoleRequest, type Role, RoleAnswer, RolesAnswer } from '@parley/protocol/permissions'
import { Done } from '@parley/protocol/wire'
import { isoOf } from '../../platform/micros.ts'
import { type Endpoint, endpoint } from '../api/endpoint.ts'
import type { App } from '../apps/app.ts'
import { createRole, deleteRole } from './change-roles.ts'
import { APP_SCOPE } from './default-grants.ts'

const list = endpoint(
  { name: 'ListRoles', method: 'GET', path: '/roles', answer: RolesAnswer, serverOnly: true },
  async ({ caller }) => ({ roles: [...caller.app.roles.keys()].map((name) => roleWire(caller.app, name)) }),
)

const create = endpoint(
  {
    name: 'CreateRole',
    method: 'POST',
    path: '/roles',
    body: CreateRoleRequest,
    answer: RoleAnswer,
    serverOnly: true,
    status: 201,
  },
  async ({ caller, body }, server) => {
    const app = await createRole(server, caller.app, body.name)
    return { role: roleWire(app, body.name) }
  },
)

const remove = endpoint(
  { name: 'DeleteRole', method: 'DELETE', path: '/roles/:name', answer: Done, serverOnly: true },
  async ({ caller, params }, server) => {
    await deleteRole(server, caller.app, params.name!)
    return {}
  },
)

function roleWire(app: App, name: string): Role {
  const { custom, createdAt, updatedAt } = app.roles.get(name)!
  const scopes = [
    [APP_SCOPE, app.scope] as const,
    ...[...app.types.values()].map((type) => [type.name, type.scope] as const),
  ]
  return {
    name,
    custom,
    scopes: scopes.flatMap(([scope, { grants }]) =>
      Object.hasOwn(grants, name) && grants[name]!.length > 0 ? [scope] : [],
    ),
    created_at: isoOf(createdAt),
    updated_at: isoOf(updatedAt),
  }
}

export const roleEndpoints: Endpoint[] = [list, create, remove]
