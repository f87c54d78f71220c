import type { Kysely } from 'kysely'
import { purgeDeparted } from '../chat/forget-departed.server.ts'
import { endChatOf } from '../chat/sync-users.server.ts'
import type { Tables } from '../database.server.ts'
import { holdOrganizations } from '../organizations/hold-organizations.server.ts'
import type { Product } from '../product.server.ts'
import type { Person } from './person.ts'

interface OrganizationName {
  id: string
  displayName: string
}

/** What keeps somebody from deleting their account, and what goes along with it; each by name. */
export interface Farewell {
  /** Organizations with other members, none of whom owns them. */
  ownedAlone: OrganizationName[]
  /** Nobody who would be left owns an organization. */
  isLastOwner: boolean
  /** Organizations without another member. */
  goAlong: OrganizationName[]
}

/**
 * What it would mean if somebody deleted their account now.
 *
 * Whoever goes leaves no organization behind that has members and no owner. An organization without another member goes
 * along, as long as somebody is left who owns one: only owners found organizations and make owners, so people without
 * any would be shut in for good. Whoever is the only person of all leaves nobody behind and may go with all there is;
 * the product is empty then and welcomes its first owner, as at the very beginning.
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

/** Whether somebody has to see to something else before they may go. */
export function isHeld({ ownedAlone, isLastOwner }: Farewell): boolean {
  return ownedAlone.length > 0 || isLastOwner
}

/**
 * Deletes a person's account and everything that is theirs alone. With the row of the person the database drops
 * whatever refers to it: sessions, password, memberships, picture, notifications, and the invitations they made, which
 * hold only while whoever made them may still invite. Invitations for their address that nobody has taken yet stay; by
 * one of them, or a new one, the address comes back as a new person.
 *
 * What they wrote in chat stays where it is, without their name. That they are gone is noted in the same transaction,
 * and the chat server is told at once; while it does not answer the note stays, and it is told later
 * ({@link forgetDeparted}). So an account that is gone is gone everywhere, and nobody has to wait for another server to
 * be rid of theirs.
 *
 * @returns whether they are gone; not while something holds them, see {@link farewellOf}
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
    // One that was taken tells where this address came from, and is of no use any more.
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
  // Open pages are led out by a token that has run out, and not merely cut off.
  await endChatOf(product, person)
  await purgeDeparted(product)
  return true
}
