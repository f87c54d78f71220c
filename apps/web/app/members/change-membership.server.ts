import { noteEndOfChat } from '../chat/revoke-chat.server.ts'
import type { Database } from '../database.server.ts'
import { holdOrganizations } from '../organizations/hold-organizations.server.ts'
import type { Role } from '../organizations/organization-store.server.ts'

/**
 * Gives a member another role, or without one removes them from the organization.
 *
 * @returns whether it was done: the only owner of an organization stays its owner
 */
export function changeMembership(
  { kysely, type }: Database,
  { memberId, organizationId }: { memberId: string; organizationId: string },
  role?: Role,
): Promise<boolean> {
  return kysely.transaction().execute(async (transaction) => {
    await holdOrganizations(transaction, type)
    const owners = await transaction
      .selectFrom('member')
      .select('id')
      .where('organizationId', '=', organizationId)
      .where('role', '=', 'owner')
      .execute()
    if (role !== 'owner' && owners.length === 1 && owners[0]!.id === memberId) return false
    if (role) await transaction.updateTable('member').set({ role }).where('id', '=', memberId).execute()
    else {
      await noteEndOfChat(transaction, type, { organizationId, memberId })
      await transaction.deleteFrom('member').where('id', '=', memberId).execute()
    }
    return true
  })
}
