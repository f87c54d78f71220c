/**
 * The machine's time, for tests that share a clock with what they cannot move: a process, a database, a browser. All that
 * they may know of it is that a moment has passed or is still to come, never which day or hour it is.
 */

export function now(): Date {
  return new Date()
}

export function ago(ms: number): Date {
  return new Date(Date.now() - ms)
}

export function fromNow(ms: number): Date {
  return new Date(Date.now() + ms)
}
