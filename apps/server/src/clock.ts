/** The one door to time; tests hold the key. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Runs `task` once after `ms`; the returned function calls it off. */
  after(ms: number, task: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, task) {
    const timer = setTimeout(task, ms)
    timer.unref()
    return () => clearTimeout(timer)
  },
}

/** Runs `task` every `ms` until the returned function is called. */
export function every(clock: Clock, ms: number, task: () => void): () => void {
  let callOff = clock.after(ms, tick)
  function tick() {
    callOff = clock.after(ms, tick)
    task()
  }
  return () => callOff()
}
