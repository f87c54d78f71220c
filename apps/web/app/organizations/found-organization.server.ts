import { randomUUID } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import type { Database, Tables } from '../database.server.ts'
import { hashPassword, insertPerson } from '../people/new-person.server.ts'
import type { PersonFields } from '../people/person-fields.ts'
import { hasPeople } from '../people/person-store.server.ts'
import type { Product } from '../product.server.ts'

/** An arbitrary number that no other advisory lock uses. */
const FIRST_OWNER_LOCK = 7_301_944

/**
 * Creates the first organization of an empty product, and its owner. Of several concurrent calls one succeeds.
 *
 * @returns whether it was empty, so that the owner can sign in now
 */
export async function foundFirst(
  { auth, database }: Product,
  { organizationName, ...owner }: PersonFields & { organizationName: string },
  now: Date,
): Promise<boolean> {
  if (await hasPeople(database.kysely)) return false
  const passwordHash = await hashPassword(auth, owner.password)
  return database.kysely.transaction().execute(async (transaction) => {
    await lockFounding(database, transaction)
    if (await hasPeople(transaction)) return false
    const ownerId = await insertPerson(transaction, owner, passwordHash, now)
    await insertOrganization(transaction, { name: organizationName, ownerId }, now)
    return true
  })
}

/** Locks out other first owners until the transaction ends. */
export async function lockFounding({ type }: Pick<Database, 'type'>, transaction: Transaction<Tables>): Promise<void> {
  // SQLite has a single writer.
  if (type === 'postgres') await sql`select pg_advisory_xact_lock(${FIRST_OWNER_LOCK})`.execute(transaction)
}

/** Creates another organization, owned by the caller. Returns its id. */
export function foundOrganization(
  { kysely }: Database,
  organization: { name: string; ownerId: string },
  now: Date,
): Promise<string> {
  return kysely.transaction().execute((transaction) => insertOrganization(transaction, organization, now))
}

async function insertOrganization(
  transaction: Transaction<Tables>,
  { name, ownerId }: { name: string; ownerId: string },
  now: Date,
): Promise<string> {
  const id = randomUUID()
  const createdAt = now
  await transaction
    .insertInto('organization')
    .values({ id, name, slug: id, logo: null, metadata: null, createdAt })
    .execute()
  await transaction
    .insertInto('member')
    .values({ id: randomUUID(), organizationId: id, userId: ownerId, role: 'owner', chatAccess: true, createdAt })
    .execute()
  return id
}
