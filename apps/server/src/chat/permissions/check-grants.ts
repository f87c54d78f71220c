import type { Grants } from '@parley/protocol/permissions'
import { inputError } from '../../platform/chat-error.ts'
import type { App } from '../apps/app.ts'
import { builtInPermission } from './permissions.ts'

/** @throws ChatError InputError (4) — a role or a permission that does not exist [administration.md 3.4] */
export function checkGrants(app: App, grants: Grants, { modifiers = false } = {}) {
  for (const [role, ids] of Object.entries(grants)) {
    if (!app.roles.has(role)) throw inputError(`grants.${role}`, `role ${role} does not exist`)
    for (const given of ids) {
      const id = modifiers && given.startsWith('!') ? given.slice(1) : given
      if (!app.permissions.has(id) && !builtInPermission(id))
        throw inputError(`grants.${role}`, `permission ${id} does not exist`)
    }
  }
}

/** The current grant changes, with those of some roles replaced; null resets all changes. */
export function mergedGrants(
  changed: Readonly<Record<string, readonly string[]>> | undefined,
  grants: Grants | null | undefined,
): Readonly<Record<string, readonly string[]>> | undefined {
  if (grants === null) return undefined
  return grants ? Object.fromEntries([...Object.entries(changed ?? {}), ...Object.entries(grants)]) : changed
}
