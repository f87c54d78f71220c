import { randomUUID } from 'node:crypto'
import type { Transaction } from 'kysely'
import { syncChatUser } from '../chat/sync-users.server.ts'
import type { Tables } from '../database.server.ts'
import { hashPassword, insertPerson } from '../people/new-person.server.ts'
import type { Person } from '../people/person.ts'
import type { PersonFields } from '../people/person-fields.ts'
import { personWithEmail } from '../people/person-store.server.ts'
import type { Product } from '../product.server.ts'
import { type OpenInvitation, takeInvitation } from './invitation-store.server.ts'

/** Lets a user with an account join. Returns whether the invitation was for them and still valid. */
export async function joinByInvitation(
  product: Product,
  invitation: OpenInvitation,
  person: Person,
  now: Date,
): Promise<boolean> {
  if (person.email !== invitation.email) return false
  const { kysely, type } = product.database
  const joined = await kysely.transaction().execute(async (transaction) => {
    if (!(await takeInvitation(transaction, type, invitation, now))) return false
    await insertMember(transaction, invitation, person.id, now)
    return true
  })
  if (joined) await syncChatUser(product, person.id)
  return joined
}

/** Creates an account for a new user who joins. Returns whether the invitation was still valid and the address free. */
export async function signUpByInvitation(
  { auth, database }: Product,
  invitation: OpenInvitation,
  fields: Omit<PersonFields, 'email'>,
  now: Date,
): Promise<boolean> {
  if (await personWithEmail(database, invitation.email)) return false
  const passwordHash = await hashPassword(auth, fields.password)
  try {
    return await database.kysely.transaction().execute(async (transaction) => {
      if (!(await takeInvitation(transaction, database.type, invitation, now))) return false
      const id = await insertPerson(transaction, { ...fields, email: invitation.email }, passwordHash, now)
      await insertMember(transaction, invitation, id, now)
      return true
    })
  } catch (error) {
    // The link of another organization may have been used at the same moment.
    if (await personWithEmail(database, invitation.email)) return false
    throw error
  }
}

async function insertMember(
  transaction: Transaction<Tables>,
  { organization, role }: OpenInvitation,
  userId: string,
  now: Date,
): Promise<void> {
  // They may have become a member in another way since.
  const known = await transaction
    .selectFrom('member')
    .select('id')
    .where('organizationId', '=', organization.id)
    .where('userId', '=', userId)
    .executeTakeFirst()
  if (known) return
  await transaction
    .insertInto('member')
    .values({ id: randomUUID(), organizationId: organization.id, userId, role, chatAccess: true, createdAt: now })
    .execute()
}
