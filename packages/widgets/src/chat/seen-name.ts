/** A name as far as there is something of it to be seen: one of spaces and invisible signs alone is none. */
export function seenName(name: string | undefined): string | undefined {
  return name && /[^\p{C}\p{Z}\p{M}]/u.test(name) ? name : undefined
}
