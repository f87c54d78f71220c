import { noteEndOfChat } from '../chat/revoke-chat.server.ts'
import { syncChatUsers } from '../chat/sync-users.server.ts'
import type { Product } from '../product.server.ts'
import { holdOrganizations } from './hold-organizations.server.ts'

/**
 * Deletes an organization with its memberships and invitations. Its members keep their accounts, and those with no
 * other organization lose chat access; the chat server is called afterwards, since they may be many.
 *
 * @returns whether it was deleted: the last one stays, because only owners create organizations
 */
export async function deleteOrganization(product: Product, id: string): Promise<boolean> {
  const { kysely, type } = product.database
  const memberIds = await kysely.transaction().execute(async (transaction) => {
    await holdOrganizations(transaction, type)
    const other = await transaction.selectFrom('organization').select('id').where('id', '!=', id).limit(1).execute()
    if (other.length === 0) return undefined
    await noteEndOfChat(transaction, type, { organizationId: id })
    const members = await transaction
      .deleteFrom('member')
      .where('organizationId', '=', id)
      .returning('userId')
      .execute()
    await transaction.deleteFrom('invitation').where('organizationId', '=', id).execute()
    await transaction.deleteFrom('organization').where('id', '=', id).execute()
    return members.map(({ userId }) => userId)
  })
  if (!memberIds) return false
  void syncChatUsers(product, memberIds)
  return true
}
