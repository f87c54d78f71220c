import type { Kysely } from 'kysely'
import type { MemberRow, Tables } from '../database/tables.ts'
import { membersWithRoles } from './member-store.ts'

/** Members who have a role beyond that of any user or member, by user id: those who may have rights of their own. */
export async function staffOf(db: Kysely<Tables>, app: string, cid: string): Promise<Map<string, MemberRow>> {
  const rows = await membersWithRoles(db, app, cid)
  return new Map(rows.map((member) => [member.user_id, member]))
}
