import type { UserRow } from '../database/tables.ts'

/** What a user may keep from everybody else: how far they have read, what has reached them, and that they write. */
type Private = 'read_receipts' | 'delivery_receipts' | 'typing_indicators'

export function hides(user: Pick<UserRow, 'privacy_json'> | undefined, what: Private): boolean {
  return user?.privacy_json != null && JSON.parse(user.privacy_json)[what]?.enabled === false
}
