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

type Names = Pick<Person, 'givenName' | 'familyName'>

/** Chinese characters, which may be written with Japanese letters: 山田, 井ノ上, 佐々木. */
const HAN =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}々ー]*\p{Script=Han}[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}々ー]*$/u
const HANGUL = /^\p{Script=Hangul}+$/u

/**
 * The full name, the same for every reader: in the order that is usual in its own script, 山田 太郎 and 홍길동 but
 * Taro Yamada.
 */
export function fullName({ givenName, familyName }: Names): string {
  if (HANGUL.test(familyName) && HANGUL.test(givenName)) return `${familyName}${givenName}`
  return (hasFamilyFirst({ familyName }) ? `${familyName} ${givenName}` : `${givenName} ${familyName}`).trim()
}

/** The name in a greeting: the given name, or the whole name where the given name alone would be too familiar. */
export function greetedAs(names: Names): string {
  return hasFamilyFirst(names) ? fullName(names) : names.givenName
}

/** A foreign name in Katakana has the given name first. */
function hasFamilyFirst({ familyName }: Pick<Names, 'familyName'>): boolean {
  return HANGUL.test(familyName) || HAN.test(familyName)
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
