import type { UserRow } from '../database.server.ts'

export const themes = ['light', 'dark', 'system'] as const
export type Theme = (typeof themes)[number]

/** A person who can sign in. */
export interface Person {
  id: string
  email: string
  givenName: string
  familyName: string
  image: string | null
  /** Two letters, or null while none was chosen. */
  language: string | null
  theme: Theme
  /** Whether chat is available to this person [APP-5]. */
  chatAccess: boolean
}

/** The name in the order the person's product shows it everywhere. */
export function fullName({ givenName, familyName }: Pick<Person, 'givenName' | 'familyName'>): string {
  return `${givenName} ${familyName}`.trim()
}

/** A row as either database gives it: SQLite keeps flags as 0 and 1. */
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
