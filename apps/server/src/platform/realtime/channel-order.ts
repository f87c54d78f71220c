import type { Clock } from '../clock.ts'
import type { Publication } from './publication.ts'

/** What came too early waits this long for the event before it; then the event log is asked. */
const GAP_WAIT_MS = 100
/** Events without a number that may wait for a gap; more of them go ahead. */
const BEHIND_MAX = 1_000

/** What the order of a channel must leave to others. */
interface Steps {
  deliver(publication: Publication): void
  /** What happened after an event, oldest first, without effects: from here on these have acted already. */
  lost(after: number): Promise<Publication[]>
  failed(error: unknown): void
}

/**
 * Puts the events of one channel in order: each is delivered once, and after the one before it. What comes too early
 * waits; what the bus lost is read from the event log.
 */
export class ChannelOrder {
  #clock: Clock
  #steps: Steps
  #newest: number | undefined
  /** Another node announced an event with this number; 0 if none did. */
  #expected = 0
  #early = new Map<number, Publication>()
  /** Events without a number, delivered after those that were published before them. */
  #behind: Publication[] = []
  /** What belongs to events that are still to come. */
  #held: (() => void)[] = []
  #isRepairing = false
  constructor(clock: Clock, steps: Steps) {
    this.#clock = clock
    this.#steps = steps
  }

  /** Number of the newest event delivered; undefined before the first. */
  get newest(): number | undefined {
    return this.#newest
  }

  /** What happened up to here is known, unless something was delivered before. */
  startAfter(seq: number | undefined) {
    this.#newest ??= seq
  }

  /** What happened so far is gone, and the numbers begin again. */
  reset() {
    this.#newest = undefined
    this.#expected = 0
    this.#early.clear()
    this.#behind = []
    this.#held = []
  }

  /** Whether the event with this number is still to come. */
  awaits(seq: number): boolean {
    return this.#newest !== undefined && this.#newest < seq
  }

  /** Takes an event in, from this node or another. */
  receive(publication: Publication) {
    const { seq } = publication
    if (seq === 0) {
      if (this.#early.size === 0 || this.#behind.length === BEHIND_MAX) this.#steps.deliver(publication)
      else this.#behind.push(publication)
      return
    }
    if (this.#newest !== undefined && seq <= this.#newest) return
    if (this.#newest !== undefined && seq > this.#newest + 1) {
      this.#early.set(seq, publication)
      return this.#repairSoon()
    }
    this.#deliverNext(publication)
    if (this.#early.size + this.#held.length > 0) this.#advance(seq)
  }

  /** An event has happened; should it not come soon, it is read from the log. */
  expect(seq: number) {
    if (!this.awaits(seq)) return
    this.#expected = Math.max(this.#expected, seq)
    this.#repairSoon()
  }

  /** Does something when the channel has gone on; whether it has gone far enough the step sees for itself. */
  hold(step: () => void) {
    this.#held.push(step)
    this.#repairSoon()
  }

  #deliverNext(publication: Publication) {
    this.#early.delete(publication.seq)
    this.#newest = publication.seq
    this.#steps.deliver(publication)
  }

  /** Delivers what waited: all up to `seq`, where nothing is missing any more, and what follows without a gap. */
  #advance(seq: number) {
    let known = seq
    for (const next of [...this.#early.values()].sort((a, b) => a.seq - b.seq)) {
      if (next.seq > known + 1) break
      known = Math.max(known, next.seq)
      this.#deliverNext(next)
    }
    for (const step of this.#held.splice(0)) step()
    if (this.#early.size > 0 || this.awaits(this.#expected)) return this.#repairSoon()
    for (const publication of this.#behind.splice(0)) this.#steps.deliver(publication)
  }

  #repairSoon() {
    if (this.#isRepairing) return
    this.#isRepairing = true
    this.#clock.after(GAP_WAIT_MS, () => {
      if (this.#early.size + this.#held.length > 0 || this.awaits(this.#expected)) void this.#repair()
      else this.#isRepairing = false
    })
  }

  async #repair() {
    const before = this.#newest ?? 0
    const expected = this.#expected
    let known = before
    try {
      const lost = await this.#steps.lost(before)
      const newest = this.#newest ?? 0
      known = Math.max(newest, lost.at(-1)?.seq ?? 0)
      for (const publication of lost)
        if (publication.seq > newest && !this.#early.has(publication.seq)) this.#early.set(publication.seq, publication)
      // The log has all that was expected when it was read.
      if (this.#expected === expected) this.#expected = 0
    } catch (error) {
      this.#steps.failed(error)
    } finally {
      this.#isRepairing = false
    }
    this.#advance(known)
  }
}
