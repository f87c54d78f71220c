/** The text of a badge for a count: undefined at 0, and "99+" above 99 [WID-34]. */
export function badge(count: number): string | undefined {
  if (count <= 0) return undefined
  return count > 99 ? '99+' : String(count)
}
