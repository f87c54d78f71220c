/** A name if any of it is visible: one of spaces and invisible characters counts as none. */
export function seenName(name: string | undefined): string | undefined {
  return name && /[^\p{C}\p{Z}\p{M}]/u.test(name) ? name : undefined
}

/** The display name of a user: their name, or their id if no character of the name is visible. */
export function personName({ id, name }: { id: string; name?: string | undefined }): string {
  return seenName(name) ?? id
}

/** The display name of a user of whom only the id may be known. */
export function nameOfUser({ user, user_id = '' }: { user?: { id: string; name?: string } | null; user_id?: string }) {
  return user ? personName(user) : user_id
}
