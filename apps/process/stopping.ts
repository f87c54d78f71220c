import { setTimeout as pause } from 'node:timers/promises'

/**
 * Calls `stop` at the first signal, with a signal of its own that is aborted by the next one: whoever asks twice is in a
 * hurry. The terminal and npm pass on the same Ctrl+C, so what comes within a second is one.
 */
export function onStopSignal(stop: (hurry: AbortSignal) => void): void {
  const hurry = new AbortController()
  let asked: number | undefined
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (asked === undefined) stop(hurry.signal)
      else if (performance.now() - asked > SAME_SIGNAL_MS) hurry.abort()
      asked ??= performance.now()
    })
}

const SAME_SIGNAL_MS = 1_000

/** Waits until time is up, or somebody is in a hurry. */
export async function drained(seconds: number, hurry: AbortSignal): Promise<void> {
  if (seconds > 0) await pause(seconds * 1_000, undefined, { signal: hurry }).catch(() => {})
}
