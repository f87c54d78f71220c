import type { Clock } from '../clock.ts'

/** A clock that a test advances. Tasks run in the order of their time, then of their setting. */
export class FakeClock implements Clock {
  #now: number
  #due: { at: number; task: () => void }[] = []
  constructor(now: string | number = '2026-01-05T09:00:00.000Z') {
    this.#now = new Date(now).getTime()
  }

  now() {
    return this.#now
  }

  after(ms: number, task: () => void) {
    const entry = { at: this.#now + ms, task }
    this.#due.push(entry)
    this.#due.sort((a, b) => a.at - b.at)
    return () => {
      this.#due = this.#due.filter((other) => other !== entry)
    }
  }

  advance(ms: number) {
    const until = this.#now + ms
    for (let next = this.#due[0]; next && next.at <= until; next = this.#due[0]) {
      this.#due.shift()
      this.#now = next.at
      next.task()
    }
    this.#now = until
  }

  /** Moves the wall clock by this much; pending tasks keep their remaining wait. */
  isSet(byMs: number) {
    this.#now += byMs
    for (const entry of this.#due) entry.at += byMs
  }

  /** How long until each pending task, in milliseconds. */
  get waits() {
    return this.#due.map(({ at }) => at - this.#now)
  }
}
