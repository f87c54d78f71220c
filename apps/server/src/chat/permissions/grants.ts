/**
 * Permission checks: roles, their grants, and the conditions of those grants.
 * @see administration.md 3.6
 */
import type { Permission } from '@parley/protocol/permissions'
import { type Facts, holds } from './condition.ts'
import type { Grants } from './default-grants.ts'
import { builtInPermission, kebab } from './permissions.ts'

/** How a role has an action; combinations are bit masks. */
const FULL = 1
const OWNER = 2
const FULL_ANY_TEAM = 4
const OWNER_ANY_TEAM = 8

/** Whatever its grants, an anonymous user can only read. */
const ANONYMOUS = 'anonymous'

/** The context of a check. */
export interface Circumstances {
  /** Whether the user owns the resource. */
  owns: boolean
  /** Whether user and resource share a team; true in an app without teams. */
  sameTeam: boolean
  /** The input of conditions; loaded only when a condition needs it. */
  facts: () => Facts
}

interface Granted {
  /** Action → bits. */
  actions: Map<string, number>
  /** Action → permissions with a condition. */
  conditional: Map<string, Permission[]>
}

/** The compiled grants of one scope. */
export class Scope {
  readonly grants: Grants
  #roles = new Map<string, Granted>()
  /** @param own custom permissions of the app, by id */
  constructor(grants: Grants, own: ReadonlyMap<string, Permission>) {
    this.grants = grants
    for (const [role, ids] of Object.entries(grants)) this.#roles.set(role, granted(role, ids, own))
  }

  /**
   * Whether one of the roles has the action.
   *
   * @param permission an action's plain id, `create-message`
   */
  allows(roles: readonly (string | undefined)[], permission: string, circumstances: Circumstances): boolean {
    const { owns, sameTeam } = circumstances
    const enough = FULL_ANY_TEAM | (sameTeam ? FULL : 0) | (owns ? OWNER_ANY_TEAM : 0) | (owns && sameTeam ? OWNER : 0)
    for (const role of roles) {
      const has = role === undefined ? undefined : this.#roles.get(role)
      if (!has) continue
      if ((has.actions.get(permission) ?? 0) & enough) return true
      for (const { owner, same_team, condition } of has.conditional.get(permission) ?? [])
        if (
          (owns || !owner) &&
          (sameTeam || !same_team) &&
          holds(condition as Record<string, unknown>, circumstances.facts())
        )
          return true
    }
    return false
  }
}

function granted(role: string, ids: readonly string[], own: ReadonlyMap<string, Permission>): Granted {
  const actions = new Map<string, number>()
  const conditional = new Map<string, Permission[]>()
  for (const id of ids) {
    const permission = own.get(id) ?? builtInPermission(id)
    if (!permission) continue
    const action = kebab(permission.action)
    if (role === ANONYMOUS && !action.startsWith('read-')) continue
    if (permission.condition) {
      conditional.set(action, [...(conditional.get(action) ?? []), permission])
      continue
    }
    const bit = permission.owner
      ? permission.same_team
        ? OWNER
        : OWNER_ANY_TEAM
      : permission.same_team
        ? FULL
        : FULL_ANY_TEAM
    actions.set(action, (actions.get(action) ?? 0) | bit)
  }
  return { actions, conditional }
}

/** Grants with a channel's modifiers applied: `x` adds, `!x` removes; removing wins [administration.md 3.4]. */
export function modified(grants: Grants, modifiers: Grants): Grants {
  const result = new Map(Object.entries(grants))
  for (const [role, changes] of Object.entries(modifiers)) {
    const gone = new Set(changes.flatMap((change) => (change.startsWith('!') ? [change.slice(1)] : [])))
    const added = changes.filter((change) => !change.startsWith('!'))
    result.set(
      role,
      [...(result.get(role) ?? []), ...added].filter((id) => !gone.has(id)),
    )
  }
  return Object.fromEntries(result)
}
