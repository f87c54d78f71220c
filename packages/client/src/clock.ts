/** The one door to time. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Runs the task once, `ms` from now. @returns the function that calls it off */
  after(ms: number, task: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, task) {
    const timer = setTimeout(task, ms)
    return () => clearTimeout(timer)
  },
}
