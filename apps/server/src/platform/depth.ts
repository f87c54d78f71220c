/** Maximum nesting of a caller's JSON. SQLite reads no more than 1,000 levels, and then fails whole queries. */
export const JSON_DEPTH = 100

/** Looks no further down than it must. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  for (const item of Object.values(value)) if (isDeeperThan(levels - 1, item)) return true
  return false
}
