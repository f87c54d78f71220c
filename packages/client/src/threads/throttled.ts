import { type Clock, pause } from '../clock.ts'

/**
 * A task that runs at once when it is asked for, but at most once per so many milliseconds: who asks sooner waits for
 * the next run and shares it.
 */
export function throttled(clock: Clock, ms: number, task: () => Promise<void>): () => Promise<void> {
  let mayRunAt = 0
  let waiting: Promise<void> | undefined
  return () => {
    // No longer, though somebody has set the clock back.
    const waitMs = Math.min(mayRunAt - clock.now(), ms)
    if (waitMs <= 0) {
      mayRunAt = clock.now() + ms
      return task()
    }
    waiting ??= pause(clock, waitMs).then(() => {
      waiting = undefined
      mayRunAt = clock.now() + ms
      return task()
    })
    return waiting
  }
}
