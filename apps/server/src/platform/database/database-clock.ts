import { performance } from 'node:perf_hooks'
import { sql } from 'kysely'
import { type Clock, counting, every } from '../clock.ts'
import type { Database } from './database.ts'

/** How often the database is asked what time it is. */
const MEASURE_MS = 10_000
/** Of this many answers at the start the one that took least is believed. */
const FIRST_MEASURES = 4
/** A difference above this is no drift: one of the clocks was set, or the machine slept. */
const JUMP_MS = 1_000

/**
 * The time of the database, which all nodes have in common, on a node whose own clock may be minutes off. It is asked
 * for now and then and goes on by what the processor counts, so that setting the machine's clock does nothing. A small
 * difference is made up for over the next ten seconds: time neither leaps nor runs backwards.
 */
export class DatabaseClock implements Clock {
  /** What was measured last: the time at a moment, and how much it was off, which is being made up for. */
  #known = { at: 0, time: 0, off: 0 }
  #ask: () => Promise<number>
  #after: Clock['after']
  readonly elapsed: () => number
  #micros = counting(() => this.now())
  #stop = () => {}

  /**
   * @param ask the time of the database, in milliseconds since 1970
   * @param elapsed milliseconds since any moment; monotonic
   */
  constructor(ask: () => Promise<number>, after: Clock['after'], elapsed = () => performance.now()) {
    this.#ask = ask
    this.#after = after
    this.elapsed = elapsed
  }

  static async of(database: Database, after: Clock['after']): Promise<DatabaseClock> {
    const clock = new DatabaseClock(async () => {
      const { rows } = await sql<{ now: number }>`select
        (extract(epoch from clock_timestamp()) * 1000)::float8 as now`.execute(database.read)
      return rows[0]!.now
    }, after)
    await clock.start()
    return clock
  }

  /** @throws the database's error when it cannot be asked */
  async start() {
    const answers = []
    for (let i = 0; i < FIRST_MEASURES; i++) answers.push(await this.#measured())
    const best = answers.reduce((a, b) => (b.took < a.took ? b : a))
    this.#known = { at: best.at, time: best.time, off: 0 }
    // Where it is away the clock goes on as it did.
    this.#stop = every({ after: this.#after } as Clock, MEASURE_MS, () => void this.measure().catch(() => {}))
  }

  close() {
    this.#stop()
  }

  now() {
    return Math.floor(this.#exact(this.elapsed()))
  }

  micros() {
    return this.#micros()
  }

  after(ms: number, task: () => void) {
    return this.#after(ms, task)
  }

  /** Measures the offset again, and uses the result. */
  async measure() {
    const { at, time, took } = await this.#measured()
    const here = this.#exact(at)
    const off = time - here
    if (Math.abs(off) > JUMP_MS + took) this.#known = { at, time, off: 0 }
    // A difference smaller than the round trip means nothing.
    else if (Math.abs(off) > took / 2) this.#known = { at, time: here, off }
  }

  #exact(moment: number): number {
    const { at, time, off } = this.#known
    const passed = moment - at
    return time + passed + off * Math.max(0, Math.min(1, passed / MEASURE_MS))
  }

  async #measured() {
    const asked = this.elapsed()
    const time = await this.#ask()
    const answered = this.elapsed()
    return { at: (asked + answered) / 2, time, took: answered - asked }
  }
}
