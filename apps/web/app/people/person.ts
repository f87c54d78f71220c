import type { UserRow } from '../database.server.ts'

export const themes = ['light', 'dark', 'system'] as const
export type Theme = (typeof themes)[number]

/** A user, who can sign in. */
export interface Person {
  id: string
  email: string
  givenName: string
  familyName: string
  image: string | null
  /** Two letters, or null while none is chosen. */
  language: string | null
  theme: Theme
  /** Whether this user has chat access [APP-5]. */
  chatAccess: boolean
}

/** The full name, in the same order everywhere. */
export function fullName({ givenName, familyName }: Pick<Person, 'givenName' | 'familyName'>): string {
  return `${givenName} ${familyName}`.trim()
}

/** A row of either database: SQLite stores flags as 0 and 1. */
export function personOf(
  row: Pick<UserRow, 'id' | 'email' | 'givenName' | 'familyName' | 'image' | 'language' | 'theme'> & {
    chatAccess: unknown
  },
): Person {
  return {
    id: row.id,
    email: row.email,
    givenName: row.givenName,
    familyName: row.familyName,
    image: row.image,
    language: row.language,
    theme: themes.find((theme) => theme === row.theme) ?? 'system',
    chatAccess: Boolean(row.chatAccess),
  }
}
