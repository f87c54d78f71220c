import type { Server } from '../../server.ts'
import { cidsOfMember, pairsOfMember } from './member-store.ts'

/** All members of a channel that is deleted. */
export { deleteMembersOf } from './member-store.ts'

/** Some of the channels a user is a member of. */
export function membershipsPage({ database }: Server, app: string, userId: string, limit?: number): Promise<string[]> {
  return cidsOfMember(database.read, app, userId, limit)
}

/** Some of the two-member channels of which the user is a member. */
export function conversationsOf({ database }: Server, app: string, userId: string, limit: number): Promise<string[]> {
  return pairsOfMember(database.read, app, userId, limit)
}
