import type { Kysely } from 'kysely'
import type { MemberRow, Tables } from '../../platform/database/tables.ts'
import { membersWithRoles } from './member-store.ts'

/** Members with a role other than the defaults, by user id: they may have additional rights. */
export async function staffOf(db: Kysely<Tables>, app: string, cid: string): Promise<Map<string, MemberRow>> {
  const rows = await membersWithRoles(db, app, cid)
  return new Map(rows.map((member) => [member.user_id, member]))
}
