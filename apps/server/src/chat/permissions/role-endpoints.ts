import { CreateRoleRequest, type Role, RoleAnswer, RolesAnswer, SearchRolesQuery } from '@parley/protocol/permissions'
import { Done } from '@parley/protocol/wire'
import { inputError } from '../../platform/chat-error.ts'
import { whole } from '../../platform/http/whole-number.ts'
import { isoOf } from '../../platform/micros.ts'
import { type Endpoint, endpoint } from '../api/endpoint.ts'
import type { App } from '../apps/app.ts'
import { createRole, deleteRole } from './change-roles.ts'
import { APP_SCOPE } from './default-grants.ts'

/** As many as an app may have, those that are built in among them. */
const ROLES_PAGE_MAX = 100
const ROLES_PAGE = 25

const list = endpoint(
  { name: 'ListRoles', method: 'GET', path: '/roles', answer: RolesAnswer, serverOnly: true },
  async ({ caller }) => ({ roles: [...caller.app.roles.keys()].map((name) => roleWire(caller.app, name)) }),
)

const search = endpoint(
  {
    name: 'SearchRoles',
    method: 'GET',
    path: '/roles/search',
    query: SearchRolesQuery,
    answer: RolesAnswer,
    serverOnly: true,
  },
  async ({ caller: { app }, query }) => {
    const limit = whole('limit', query.limit, ROLES_PAGE, 1, ROLES_PAGE_MAX)
    const begun = query.query.trim().toLowerCase()
    if (begun === '') throw inputError('query', 'query must not be empty')
    const names = [...app.roles.keys()]
      .filter((name) => [name, ...name.split(/[_-]/)].some((word) => word.toLowerCase().startsWith(begun)))
      .filter((name) => query.name_gt === undefined || name > query.name_gt)
      .sort((a, b) => (a < b ? -1 : 1))
    return { roles: names.slice(0, limit).map((name) => roleWire(app, name)) }
  },
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

export const roleEndpoints: Endpoint[] = [list, search, create, remove]
