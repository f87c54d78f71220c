import { type Clock, counting } from '../platform/clock.ts'

/** The real time, which a test can advance; timers that fall due on the way run at once. */
export class FakeClock implements Clock {
  #ahead = 0
  /** How far it was set, without any time going by. */
  #set = 0
  #stoppedAt: number | undefined
  #tickMs = 1
  #tasks = new Set<{ at: number; run: () => void; timer: NodeJS.Timeout }>()

  #micros = counting(() => this.now())

  micros() {
    return this.#stoppedAt === undefined ? this.#micros() : this.now() * 1000
  }

  now() {
    return (this.#stoppedAt ?? Math.floor(Date.now() / this.#tickMs) * this.#tickMs) + this.#ahead + this.#set
  }

  elapsed() {
    return this.now() - this.#set
  }

  /** Sets the clock, ahead or back; no timer runs for that. */
  isSet(ms: number) {
    this.#set += ms
  }

  /** From now on it is this time, and goes on by hand alone: two servers that do the same do it at the same moment. */
  stop(at: number) {
    this.#stoppedAt = at - this.#ahead - this.#set
  }

  goesOn() {
    this.#stoppedAt = undefined
  }

  /** Its hand moves every so many milliseconds: what happens in between happens in one, as on a machine that is quick. */
  ticksEvery(ms: number) {
    this.#tickMs = ms
  }

  after(ms: number, task: () => void) {
    const waiting = {
      at: this.elapsed() + ms,
      run: () => this.#run(waiting, task),
      timer: setTimeout(() => waiting.run(), ms),
    }
    waiting.timer.unref()
    this.#tasks.add(waiting)
    return () => {
      clearTimeout(waiting.timer)
      this.#tasks.delete(waiting)
    }
  }

  advance(ms: number) {
    this.#ahead += ms
    for (const waiting of [...this.#tasks].sort((a, b) => a.at - b.at)) if (waiting.at <= this.elapsed()) waiting.run()
  }

  #run(waiting: { timer: NodeJS.Timeout } & object, task: () => void) {
    clearTimeout(waiting.timer)
    if (this.#tasks.delete(waiting as never)) task()
  }
}
