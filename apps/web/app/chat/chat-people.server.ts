import type { Database } from '../database.server.ts'
import type { ChatPerson } from './chat-service.server.ts'

/** A user that chat knows, or would know if they had chat access. */
export interface ChatMember extends ChatPerson {
  /** All their organizations, with or without chat access. */
  belongsTo: readonly string[]
  chatAccess: boolean
}

/** These users in the shape that the chat server gets, with all their organizations; unknown ids are left out. */
export async function chatPeopleOf({ kysely }: Database, ids: readonly string[]): Promise<ChatMember[]> {
  const rows = await kysely
    .selectFrom('user')
    .leftJoin('member', 'member.userId', 'user.id')
    .leftJoin('organization', 'organization.id', 'member.organizationId')
    .select(['user.id', 'user.givenName', 'user.familyName', 'user.image', 'user.language'])
    .select(['organization.id as organizationId', 'organization.name as organizationName', 'member.chatAccess'])
    .where('user.id', 'in', ids)
    .orderBy('organization.name')
    .execute()
  return [...Map.groupBy(rows, ({ id }) => id).values()].map((memberships) => {
    const { organizationId: _, organizationName: __, chatAccess: ___, ...person } = memberships[0]!
    const organizationIds = memberships.flatMap(
      ({ organizationId, chatAccess }) => (chatAccess && organizationId) || [],
    )
    return {
      ...person,
      chatAccess: organizationIds.length > 0,
      organization: memberships.flatMap(({ organizationName }) => organizationName ?? []).join(', '),
      organizationIds,
      belongsTo: memberships.flatMap(({ organizationId }) => organizationId ?? []),
    }
  })
}
