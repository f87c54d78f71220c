import Type, { type Static } from 'typebox'
import { answer, NonEmpty, Time } from './wire.ts'

/** What a role may do: an action, and what must hold for it [administration.md 3.3]. */
export const Permission = Type.Object({
  /** What is granted, for example `create-message-owner`. */
  id: Type.String(),
  /** For readers: `Create Message in Owned Channel`. */
  name: Type.String(),
  description: Type.String(),
  /** For example `CreateMessage`. */
  action: Type.String(),
  /** Whether only the owner of the resource may. */
  owner: Type.Boolean(),
  /** Whether user and resource must share a team, in apps that have teams. */
  same_team: Type.Boolean(),
  /** A filter over `$subject.<field>` and `$resource.<field>`. */
  condition: Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()]),
  custom: Type.Boolean(),
  level: Type.Enum(['app', 'channel']),
  tags: Type.Array(Type.String()),
  /** Whose owner counts: the channel's creator, a message's author, … */
  owner_resource: Type.Optional(Type.String()),
})
export type Permission = Static<typeof Permission>

export const PermissionAnswer = answer({ permission: Permission })
export const PermissionsAnswer = answer({ permissions: Type.Array(Permission) })

const changeable = {
  description: Type.Optional(Type.String()),
  owner: Type.Optional(Type.Boolean()),
  same_team: Type.Optional(Type.Boolean()),
  condition: Type.Optional(Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()])),
}
export const CreatePermissionRequest = Type.Object({
  id: Type.Optional(NonEmpty),
  name: Type.String(),
  action: Type.String(),
  ...changeable,
})
export type CreatePermissionRequest = Static<typeof CreatePermissionRequest>
export const UpdatePermissionRequest = Type.Object({
  name: Type.Optional(Type.String()),
  action: Type.Optional(Type.String()),
  ...changeable,
})
export type UpdatePermissionRequest = Static<typeof UpdatePermissionRequest>

/** A name that grants are given to; users have one, members another [administration.md 3.2]. */
export const Role = Type.Object({
  name: Type.String(),
  custom: Type.Boolean(),
  /** Where it is granted something: `.app` and names of channel types. */
  scopes: Type.Array(Type.String()),
  created_at: Time,
  updated_at: Time,
})
export type Role = Static<typeof Role>

export const CreateRoleRequest = Type.Object({ name: Type.String() })
export const RoleAnswer = answer({ role: Role })
export const RolesAnswer = answer({ roles: Type.Array(Role) })
/** `limit` is a number as text. */
export const SearchRolesQuery = Type.Object({
  query: Type.String({ description: 'the beginning of a name or of a word in it' }),
  limit: Type.Optional(Type.String()),
  name_gt: Type.Optional(Type.String({ description: 'the last name of the page before' })),
})

/** Role → ids of permissions. */
export const Grants = Type.Record(Type.String(), Type.Array(Type.String()))
export type Grants = Static<typeof Grants>
