/** Long enough to be led from one page to the next. */
const SECONDS = 30

const NAME = 'parley.farewell'

/**
 * Has the page for strangers say once that the account is gone: it cannot know by itself, and nobody else may claim it.
 */
export function farewellSetCookie(publicUrl: string): string {
  const secure = publicUrl.startsWith('https:')
  return `${NAME}=1; Max-Age=${SECONDS}; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
}

export function isFarewell({ headers }: Request): boolean {
  return headers.get('cookie')?.includes(`${NAME}=1`) ?? false
}
