import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import type { Database, Tables } from '../database.server.ts'
import { nameKey } from './name-key.ts'
import { fullName, type Person, personOf, type Theme } from './person.ts'

const columns = ['id', 'email', 'givenName', 'familyName', 'image', 'language', 'theme'] as const

export async function personWithId({ kysely }: Database, id: string): Promise<Person | undefined> {
  const row = await kysely
    .selectFrom('user')
    .select(columns)
    .select((its) => hasChat(its).as('chatAccess'))
    .where('id', '=', id)
    .executeTakeFirst()
  return row && personOf(row)
}

export async function personWithEmail({ kysely }: Database, email: string): Promise<Person | undefined> {
  const row = await kysely
    .selectFrom('user')
    .select(columns)
    .select((its) => hasChat(its).as('chatAccess'))
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst()
  return row && personOf(row)
}

/**
 * Whether a user has chat access from one of their organizations.
 *
 * @see docs/decisions/0026-each-organization-gives-chat.md
 */
export function hasChat({ exists, selectFrom }: ExpressionBuilder<Tables, 'user'>) {
  return exists(
    selectFrom('member as belonging')
      .select('belonging.id')
      .whereRef('belonging.userId', '=', 'user.id')
      .where('belonging.chatAccess', '=', sql<boolean>`true`),
  )
}

/** Whether there is any user. */
export async function hasPeople(kysely: Kysely<Tables>): Promise<boolean> {
  return (await kysely.selectFrom('user').select('id').limit(1).executeTakeFirst()) !== undefined
}

export interface Profile {
  givenName: string
  familyName: string
  language: string | null
  theme: Theme
}

export async function saveProfile({ kysely }: Database, id: string, profile: Profile): Promise<void> {
  await kysely
    .updateTable('user')
    .set({
      ...profile,
      name: fullName(profile),
      nameKey: nameKey(profile.familyName, profile.givenName),
      updatedAt: new Date(),
    })
    .where('id', '=', id)
    .execute()
}

/** Absent values stay as they are. */
export async function saveLooks(
  { kysely }: Database,
  id: string,
  looks: Partial<Pick<Profile, 'language' | 'theme'>>,
): Promise<void> {
  await kysely
    .updateTable('user')
    .set({ ...looks, updatedAt: new Date() })
    .where('id', '=', id)
    .execute()
}
