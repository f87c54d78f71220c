import type { Kysely } from 'kysely'
import type { AssignedRole, Tables } from '../../platform/database/tables.ts'

/** Whether a role is in use; checked when one is deleted, which is rare. */
export async function someUserHasRole(db: Kysely<Tables>, app: string, role: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('app', '=', app)
    .where('role', '=', role as AssignedRole)
    .where('deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
