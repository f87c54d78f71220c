import type { Kysely } from 'kysely'
import { purgeDeparted } from '../chat/purge-departed.server.ts'
import { endChatOf } from '../chat/sync-users.server.ts'
import type { Tables } from '../database.server.ts'
import { holdOrganizations } from '../organizations/hold-organizations.server.ts'
import type { Product } from '../product.server.ts'
import type { Person } from './person.ts'

interface OrganizationName {
  id: string
  displayName: string
}

/** What blocks the deletion of an account, and what is deleted with it; each by name. */
export interface Farewell {
  /** Organizations with other members that this user alone owns. */
  ownedAlone: OrganizationName[]
  /** The remaining users would have no owner. */
  isLastOwner: boolean
  /** Organizations without another member. */
  goAlong: OrganizationName[]
}

/**
 * The consequences if the user deleted their account now.
 *
 * No organization may be left with members but without an owner. An organization without another member is deleted too,
 * unless no owner at all would be left: only owners create organizations and appoint owners, so the remaining users
 * would be stuck for good. The only user may always delete their account with everything; the product is then empty and
 * welcomes its first owner again.
 */
export async function farewellOf(kysely: Kysely<Tables>, personId: string): Promise<Farewell> {
  const memberships = await kysely
    .selectFrom('member')
    .innerJoin('organization', 'organization.id', 'member.organizationId')
    .select(['organization.id', 'organization.name as displayName', 'member.role'])
    .select(({ selectFrom }) => {
      const others = selectFrom('member as other')
        .whereRef('other.organizationId', '=', 'organization.id')
        .where('other.userId', '!=', personId)
        .select('other.id')
        .limit(1)
      return [others.as('other'), others.where('other.role', '=', 'owner').as('otherOwner')]
    })
    .where('member.userId', '=', personId)
    .orderBy('organization.name')
    .execute()
  const left = await kysely
    .selectNoFrom(({ selectFrom }) => [
      selectFrom('user').where('id', '!=', personId).select('id').limit(1).as('person'),
      selectFrom('member')
        .where('userId', '!=', personId)
        .where('role', '=', 'owner')
        .select('id')
        .limit(1)
        .as('owner'),
    ])
    .executeTakeFirstOrThrow()

  const named = ({ id, displayName }: OrganizationName) => ({ id, displayName })
  const owned = memberships.filter(({ role }) => role === 'owner')
  return {
    ownedAlone: owned.filter(({ other, otherOwner }) => other && !otherOwner).map(named),
    isLastOwner: owned.length > 0 && left.person !== null && left.owner === null,
    goAlong: memberships.filter(({ other }) => !other).map(named),
  }
}

/** Whether something blocks the deletion. */
export function isHeld({ ownedAlone, isLastOwner }: Farewell): boolean {
  return ownedAlone.length > 0 || isLastOwner
}

/**
 * Deletes a user's account and all user-owned data. The database cascades from the user's row: sessions, password,
 * memberships, picture, notifications, and the invitations they sent, which are only valid while the inviter may still
 * invite. Open invitations to their address stay; with one of them, or a new one, the address joins as a new user.
 *
 * Their chat messages stay, without their name. The same transaction notes the deletion, and the chat server is called
 * at once; while it does not respond the note stays, and the call is retried ({@link purgeDeparted}). So a deleted
 * account is gone everywhere, and no user waits for another server to delete theirs.
 *
 * @returns whether it was deleted; false while something blocks it, see {@link farewellOf}
 */
export async function deletePerson(product: Product, person: Person, now: Date): Promise<boolean> {
  const { id, email } = person
  const { kysely, type } = product.database
  const isGone = await kysely.transaction().execute(async (transaction) => {
    await holdOrganizations(transaction, type)
    const farewell = await farewellOf(transaction, id)
    if (isHeld(farewell)) return false
    const along = farewell.goAlong.map((organization) => organization.id)
    if (along.length > 0) await transaction.deleteFrom('organization').where('id', 'in', along).execute()
    // An accepted invitation shows how this address joined, and has no further use.
    await transaction.deleteFrom('invitation').where('email', '=', email).where('status', '=', 'accepted').execute()
    await transaction.deleteFrom('user').where('id', '=', id).execute()
    await transaction
      .insertInto('departure')
      .values({ id, at: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return true
  })
  if (!isGone) return false
  // An expired token sends open pages to sign-in; a closed connection alone would not.
  await endChatOf(product, person)
  await purgeDeparted(product)
  return true
}
