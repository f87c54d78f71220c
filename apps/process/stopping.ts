import { setTimeout as pause } from 'node:timers/promises'

/**
 * Calls `stop` at the first signal, with an AbortSignal that the next one aborts: a second signal means to hurry. The
 * terminal and npm both pass on the same Ctrl+C, so signals within a second count as one.
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

/** Waits until the time is up, or `hurry` aborts. */
export async function drained(seconds: number, hurry: AbortSignal): Promise<void> {
  if (seconds > 0) await pause(seconds * 1_000, undefined, { signal: hurry }).catch(() => {})
}
