/**
 * The machine's time, for tests that share a clock with a process, a database or a browser that they cannot control.
 * They may only use it to tell whether a moment has passed, never which day or hour it is.
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
