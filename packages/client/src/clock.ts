/** The only access to time. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Runs the task once, `ms` from now. @returns the function that cancels it */
  after(ms: number, task: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, task) {
    const timer = setTimeout(task, ms)
    return () => clearTimeout(timer)
  },
}

export function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.after(ms, resolve))
}
