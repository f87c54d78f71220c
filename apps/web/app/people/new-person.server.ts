import { randomUUID } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { Tables } from '../database.server.ts'
import type { Auth } from '../session/auth.server.ts'
import { nameKey } from './name-key.ts'
import { fullName } from './person.ts'
import type { PersonFields } from './person-fields.ts'

/** The only kind of account: an e-mail address and a password. */
const PASSWORD_PROVIDER = 'credential'

/** Slow on purpose, so call it before the transaction that saves the user. */
export async function hashPassword(auth: Auth, password: string): Promise<string> {
  return (await auth.$context).password.hash(password)
}

/** Saves a new user, who can sign in from then on. Returns their id. */
export async function insertPerson(
  transaction: Transaction<Tables>,
  { givenName, familyName, email }: Omit<PersonFields, 'password'>,
  passwordHash: string,
  now: Date,
): Promise<string> {
  const id = randomUUID()
  const dates = { createdAt: now, updatedAt: now }
  const name = fullName({ givenName, familyName })
  const key = nameKey(familyName, givenName)
  const rest = { image: null, language: null, theme: 'system', chatAccess: true, emailVerified: false }
  await transaction
    .insertInto('user')
    .values({ id, name, email, givenName, familyName, nameKey: key, ...rest, ...dates })
    .execute()
  await transaction
    .insertInto('account')
    .values({
      ...dates,
      id: randomUUID(),
      accountId: id,
      providerId: PASSWORD_PROVIDER,
      userId: id,
      password: passwordHash,
    })
    .execute()
  return id
}
