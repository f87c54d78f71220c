import type { Clock } from '../clock.ts'

/** The real time, which a story can move on by hand; what falls due on the way happens at once. */
export class StoryClock implements Clock {
  #ahead = 0
  #tasks = new Set<{ at: number; run: () => void; timer: NodeJS.Timeout }>()

  now() {
    return Date.now() + this.#ahead
  }

  after(ms: number, task: () => void) {
    const waiting = {
      at: this.now() + ms,
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
    for (const waiting of [...this.#tasks].sort((a, b) => a.at - b.at)) if (waiting.at <= this.now()) waiting.run()
  }

  #run(waiting: { timer: NodeJS.Timeout } & object, task: () => void) {
    clearTimeout(waiting.timer)
    if (this.#tasks.delete(waiting as never)) task()
  }
}
