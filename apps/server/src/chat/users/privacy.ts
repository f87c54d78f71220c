import type { UserRow } from '../../platform/database/tables.ts'

/** What a user may hide from all other users: read receipts, delivery receipts, and typing. */
type Private = 'read_receipts' | 'delivery_receipts' | 'typing_indicators'

export function hides(user: Pick<UserRow, 'privacy_json'> | undefined, what: Private): boolean {
  return user?.privacy_json != null && JSON.parse(user.privacy_json)[what]?.enabled === false
}
