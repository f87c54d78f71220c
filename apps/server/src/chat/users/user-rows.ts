import type { UserRow } from '../../platform/database/tables.ts'
import type { Micros } from '../../platform/micros.ts'
import { USER } from '../permissions/assign-role.ts'

/** The personal fields of a user: cleared when the data is erased, too. */
const noPerson = {
  name: null,
  name_key: null,
  image: null,
  language: '',
  teams_json: null,
  teams_role_json: null,
  privacy_json: null,
  data: '{}',
  last_active: null,
  answers: 0,
  answer_micros: 0,
} as const satisfies Partial<UserRow>

/** A user without a profile. */
export const emptyUser: Omit<UserRow, 'app' | 'id'> = {
  ...noPerson,
  role: USER,
  invisible: 0,
  created_at: 0,
  updated_at: 0,
  deactivated_at: null,
  deleted_at: null,
  deleted_how: null,
  revoke_before: null,
  banned: 0,
  shadow_banned: 0,
  ban_expires: null,
  bypass_moderation: 0,
}

/** The changes to the row of a deleted user [messaging.md 3.4]; the row of a hard-deleted user is removed last. */
export function gone(at: Micros, how: 'soft' | 'pruning' | 'hard'): Partial<UserRow> {
  return { ...(how !== 'soft' && noPerson), deleted_at: at, deleted_how: how, updated_at: at }
}
