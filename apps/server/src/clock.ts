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

/** What was promised, if it comes within `ms`, else the promise of it. */
export async function inTime<Result>(
  clock: Clock,
  ms: number,
  promised: Promise<Result>,
): Promise<{ now: Result } | { later: Promise<Result> }> {
  let callOff = () => {}
  const patience = new Promise<'late'>((resolve) => {
    callOff = clock.after(ms, () => resolve('late'))
  })
  try {
    const first = await Promise.race([promised.then((now) => ({ now })), patience])
    return first === 'late' ? { later: promised } : first
  } finally {
    callOff()
  }
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
