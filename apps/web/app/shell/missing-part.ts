import { remember, remembered } from '../ui/browser-memory.ts'

/**
 * The least time between two automatic reloads, so that a chunk that is missing for good does not cause a reload loop.
 */
const PAUSE_MS = 30_000
const BEGUN = 'parley-begun-anew'

/** Whether a fetch failed, of data or of a chunk. Chromium, Firefox and Safari have different messages. */
export function isFetchFailure(error: unknown): boolean {
  return error instanceof Error && /failed to fetch|networkerror|load failed/i.test(error.message)
}

/** Browsers do not retry a failed import; only a reload does. */
export function isPartMissing(error: unknown): boolean {
  return error instanceof Error && /dynamically imported|module script|preload/i.test(error.message)
}

/** Reloads the page as soon as the server responds. Unsent input is kept. */
export async function beginAnew(): Promise<void> {
  const { ok } = await fetch('/health')
  if (ok) location.reload()
}

/**
 * A new build removes chunks that a page of the old build has not loaded yet; the page then reloads into the new build.
 */
export function reloadOnNewBuild(): void {
  addEventListener('vite:preloadError', () => {
    if (Date.now() - (Number(remembered(BEGUN, 'tab')) || 0) < PAUSE_MS) return
    remember(BEGUN, Date.now(), 'tab')
    // Without a response the page stays, and shows the error.
    beginAnew().catch(() => remember(BEGUN, undefined, 'tab'))
  })
}
