/** Two options are the same when they differ only in case and in the space around them [POL-34]. */
export function sameOption(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase()
}
