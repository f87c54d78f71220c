/** How long a story waits for a fact before it fails. */
const PATIENCE_MS = 25_000

/** Waits for a fact that nobody announces; looks again as soon as other things had their turn. */
export async function eventually(fact: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = performance.now() + PATIENCE_MS
  while (!(await fact())) {
    if (performance.now() > end) throw new Error(`waited in vain until ${what}`)
    await new Promise((resolve) => setImmediate(resolve))
  }
}
