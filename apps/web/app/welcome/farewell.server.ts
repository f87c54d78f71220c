/** Long enough for one redirect. */
const SECONDS = 30

const NAME = 'parley.farewell'

/** Makes the public page confirm once that the account is deleted: a cookie, so that no link can claim it. */
export function farewellSetCookie(publicUrl: string): string {
  const secure = publicUrl.startsWith('https:')
  return `${NAME}=1; Max-Age=${SECONDS}; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
}

export function isFarewell({ headers }: Request): boolean {
  return headers.get('cookie')?.includes(`${NAME}=1`) ?? false
}
