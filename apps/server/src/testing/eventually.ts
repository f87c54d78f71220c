/** How long a test waits for a fact before it fails. */
const TIMEOUT_MS = 25_000

/** Waits for a fact without an event; checks again after other work had its turn. */
export async function eventually(fact: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = performance.now() + TIMEOUT_MS
  while (!(await fact())) {
    if (performance.now() > end) throw new Error(`waited in vain until ${what}`)
    await new Promise((resolve) => setImmediate(resolve))
  }
}
