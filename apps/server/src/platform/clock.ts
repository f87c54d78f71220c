import type { Micros } from './micros.ts'

/** The only source of time; tests replace it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Now as well; no two moments of this process are the same, and the later one is the greater. */
  micros(): Micros
  /** Milliseconds since some moment, to measure durations. Setting the system clock does not change it. */
  elapsed(): number
  /** Runs `task` once after `ms`; the returned function calls it off. */
  after(ms: number, task: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  micros: counting(() => Date.now()),
  elapsed: () => performance.now(),
  after(ms, task) {
    const timer = setTimeout(task, ms)
    timer.unref()
    return () => clearTimeout(timer)
  },
}

/** A time set back by more than this is followed: counting on would take too long. */
const SET_BACK_MICROS = 1_000_000

/**
 * Counts microseconds within a millisecond: many events happen in one, and a later one must not get an earlier time.
 */
export function counting(now: () => number): () => Micros {
  let last = 0
  return () => {
    const at = now() * 1000
    last = at > last || at < last - SET_BACK_MICROS ? at : last + 1
    return last
  }
}

/** What was promised, if it comes within `ms`, else the promise of it. */
export async function inTime<Result>(
  clock: Clock,
  ms: number,
  promised: Promise<Result>,
): Promise<{ now: Result } | { later: Promise<Result> }> {
  let cancel = () => {}
  const timeout = new Promise<'late'>((resolve) => {
    cancel = clock.after(ms, () => resolve('late'))
  })
  try {
    const first = await Promise.race([promised.then((now) => ({ now })), timeout])
    return first === 'late' ? { later: promised } : first
  } finally {
    cancel()
  }
}

/** Runs `task` every `ms` until the returned function is called. */
export function every(clock: Clock, ms: number, task: () => void): () => void {
  let cancel = clock.after(ms, tick)
  function tick() {
    cancel = clock.after(ms, tick)
    task()
  }
  return () => cancel()
}

/** Resolves after `ms`, or at once when the signal aborts. */
export function pause(clock: Clock, ms: number, hurried: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (hurried.aborted) return resolve()
    const cancel = clock.after(ms, over)
    hurried.addEventListener('abort', over, { once: true })
    function over() {
      cancel()
      hurried.removeEventListener('abort', over)
      resolve()
    }
  })
}
