/** Users named by id or given as objects → ids. */
export function idsOf(users: readonly unknown[]): string[] {
  return users.map((user) =>
    typeof user === 'object' && user !== null && 'id' in user ? String(user.id) : String(user),
  )
}
