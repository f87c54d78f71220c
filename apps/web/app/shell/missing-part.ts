/** So often a page begins anew by itself at most, that one whose part is missing for good does not do nothing else. */
const PAUSE_MS = 30_000
const BEGUN = 'parley-begun-anew'

/**
 * Whether something could not be fetched: what a page says, or a part of its program. Chromium, Firefox and Safari each
 * say it in their own words.
 */
export function isFetchFailure(error: unknown): boolean {
  return error instanceof Error && /failed to fetch|networkerror|load failed/i.test(error.message)
}

/** A part is asked for once; only a page that begins anew asks for it again. */
export function isPartMissing(error: unknown): boolean {
  return error instanceof Error && /dynamically imported|module script|preload/i.test(error.message)
}

/** Begins the page anew as soon as the server answers. What was being written is kept. */
export async function beginAnew(): Promise<void> {
  const { ok } = await fetch('/health')
  if (ok) location.reload()
}

/**
 * A new build takes the parts away that a page of the old one has not fetched yet; the page goes over to the new one.
 */
export function reloadOnNewBuild(): void {
  addEventListener('vite:preloadError', () => {
    if (Date.now() - Number(sessionStorage.getItem(BEGUN)) < PAUSE_MS) return
    sessionStorage.setItem(BEGUN, String(Date.now()))
    // Without an answer the page stays, and says so.
    beginAnew().catch(() => sessionStorage.removeItem(BEGUN))
  })
}
