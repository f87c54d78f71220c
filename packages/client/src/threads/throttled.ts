import { type Clock, pause } from '../clock.ts'

/**
 * A task that runs at once, but at most once per so many milliseconds: earlier calls wait for the next run and share
 * it.
 */
export function throttled(clock: Clock, ms: number, task: () => Promise<void>): () => Promise<void> {
  let mayRunAt = 0
  let waiting: Promise<void> | undefined
  return () => {
    // Never longer, even if the clock was set back.
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
