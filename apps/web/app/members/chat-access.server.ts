import { noteEndOfChat } from '../chat/revoke-chat.server.ts'
import type { Database } from '../database.server.ts'
import { holdOrganizations } from '../organizations/hold-organizations.server.ts'

/**
 * Moves chat access from users to memberships. A membership that has its own value keeps it, so this may run repeatedly
 * and on several servers at once.
 */
export async function moveChatAccess({ kysely }: Database): Promise<void> {
  await kysely
    .updateTable('member')
    .set(({ selectFrom }) => ({
      chatAccess: selectFrom('user').select('user.chatAccess').whereRef('user.id', '=', 'member.userId'),
    }))
    .where('chatAccess', 'is', null)
    .execute()
}

/** Switches chat access on or off for one membership; chat ends when no membership gives access any more. */
export async function saveChatAccess(
  { kysely, type }: Database,
  { memberId, organizationId }: { memberId: string; organizationId: string },
  chatAccess: boolean,
): Promise<void> {
  await kysely.transaction().execute(async (transaction) => {
    // Two organizations that remove it at once would each rely on the other.
    await holdOrganizations(transaction, type)
    if (!chatAccess) await noteEndOfChat(transaction, type, { organizationId, memberId })
    await transaction.updateTable('member').set({ chatAccess }).where('id', '=', memberId).execute()
  })
}
