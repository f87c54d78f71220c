import { noteEndOfChat } from '../chat/shut-out.server.ts'
import type { Database } from '../database.server.ts'
import { holdOrganizations } from '../organizations/hold-organizations.server.ts'

/**
 * Gives every membership the chat access its person had when there was one for each person. Those that have one keep it,
 * so it does not matter how often, or on how many servers at once, this runs.
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

/** Switches chat on or off for somebody as a member of one organization; chat ends with the last one that gives it. */
export async function saveChatAccess(
  { kysely, type }: Database,
  { memberId, organizationId }: { memberId: string; organizationId: string },
  chatAccess: boolean,
): Promise<void> {
  await kysely.transaction().execute(async (transaction) => {
    // Of two organizations that take it at once each would count on the other.
    await holdOrganizations(transaction, type)
    if (!chatAccess) await noteEndOfChat(transaction, type, { organizationId, memberId })
    await transaction.updateTable('member').set({ chatAccess }).where('id', '=', memberId).execute()
  })
}
