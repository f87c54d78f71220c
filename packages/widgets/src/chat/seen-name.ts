/** A name as far as there is something of it to be seen: one of spaces and invisible signs alone is none. */
export function seenName(name: string | undefined): string | undefined {
  return name && /[^\p{C}\p{Z}\p{M}]/u.test(name) ? name : undefined
}

/** What somebody is called: by their name, or by their id where there is nothing of a name to be seen. */
export function personName({ id, name }: { id: string; name?: string | undefined }): string {
  return seenName(name) ?? id
}

/** What somebody is called of whom no more may be known than their id. */
export function nameOfUser({ user, user_id = '' }: { user?: { id: string; name?: string } | null; user_id?: string }) {
  return user ? personName(user) : user_id
}
