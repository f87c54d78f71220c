import { ChatError } from '../chat-error.ts'
import type { Clock } from '../clock.ts'
import { causeOf, skipsWebhooks, withoutCause } from '../http/request-info.ts'
import { Batch, type Cause, type OutboundQueue, type Write } from './batch.ts'
import type { CommitMarks } from './commit-marks.ts'
import type { Database } from './database.ts'

/** Writes one transaction takes at most, so that no caller waits for a long queue. */
const BATCH_MAX = 500
/** What goes along with others begins a transaction of its own after this long. */
const WAIT_MS = 10

/**
 * Commits the writes that arrived while the last commit ran together, in one transaction.
 *
 * One commit costs the same for one write and for a hundred, so the server commits once per ~1–2 ms of
 * arrivals instead of once per message. Within a channel the writes keep their order, their events are
 * numbered without a gap, and their times strictly increase. A call is answered, and its events are
 * published, only after the commit.
 */
export class GroupCommit {
  #database: Database
  #clock: Clock
  #listener: CommitListener
  #marks: CommitMarks | undefined
  #outboundQueue: OutboundQueue | undefined
  #queue: Job[] = []
  #running = false
  #writing: Promise<void> = Promise.resolve()
  #patient: NodeJS.Timeout | undefined
  #idle: (() => void)[] = []
  /**
   * @param outlet where events of some apps go besides their connections
   * @param marks  by which a database that lost commits is noticed
   */
  constructor(
    database: Database,
    clock: Clock,
    listener: CommitListener,
    outboundQueue?: OutboundQueue,
    marks?: CommitMarks,
  ) {
    this.#marks = marks
    this.#database = database
    this.#clock = clock
    this.#listener = listener
    this.#outboundQueue = outboundQueue
  }

  /**
   * Posts a message: no query of its own, all rows of a batch go in together.
   *
   * @throws ChatError InputError (4) — the id exists already
   */
  append<Result>(app: string, cid: string, messageId: string, run: (batch: Batch) => Result): Promise<Result> {
    return this.#enqueue({ app, cids: [cid], messageId, run, along: false })
  }

  /**
   * Any other write. The channels named are locked; what `run` throws undoes this write alone.
   *
   * @param alone  the shadow-banned user: the call is answered, and their own devices receive its events, as if it had been done, and
   *   it is undone
   */
  write<Result>(
    app: string,
    cids: readonly string[],
    run: (batch: Batch) => Promise<Result>,
    { alone }: { alone?: string | undefined } = {},
  ): Promise<Result> {
    return this.#enqueue({ app, cids, messageId: undefined, run, along: false, alone })
  }

  /**
   * A write that goes along with others: one that all clients cause at the same moment when they reconnect, whose
   * result no user waits for, and which a loss of power may undo.
   */
  writeAlong<Result>(app: string, run: (batch: Batch) => Promise<Result>): Promise<Result> {
    return this.#enqueue({ app, cids: [], messageId: undefined, run, along: true })
  }

  /** Writes that wait for a transaction. */
  get waiting(): number {
    return this.#queue.length
  }

  /** Resolves when what runs at this moment is over; what waits goes by what is known by then. */
  written(): Promise<void> {
    return this.#writing
  }

  /** Resolves when nothing is waiting or running. */
  drained(): Promise<void> {
    if (!this.#running && this.#queue.length === 0) return Promise.resolve()
    return new Promise((resolve) => this.#idle.push(resolve))
  }

  #enqueue<Result>(write: Write<Result>): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const context = { cause: causeOf(), skipWebhooks: skipsWebhooks() }
      this.#queue.push({ ...write, ...context, resolve: resolve as (result: unknown) => void, reject })
      if (this.#running) return
      if (write.along) this.#beginLater()
      else this.#begin()
    })
  }

  #begin() {
    clearTimeout(this.#patient)
    this.#patient = undefined
    if (this.#running) return
    this.#running = true
    // After the poll phase, so that every request read in this turn of the event loop comes along.
    withoutCause(() => setImmediate(() => void this.#drain()))
  }

  #beginLater() {
    withoutCause(() => {
      this.#patient ??= setTimeout(() => this.#begin(), WAIT_MS)
    })
  }

  async #drain() {
    do {
      this.#writing = this.#commit(this.#queue.splice(0, BATCH_MAX))
      await this.#writing
    } while (this.#queue.some(({ along }) => !along))
    this.#running = false
    if (this.#queue.length > 0) this.#beginLater()
    else for (const resolve of this.#idle.splice(0)) resolve()
  }

  async #commit(jobs: readonly Job[]) {
    const outcomes: { job: Job; result?: unknown; error?: unknown }[] = []
    let batch: Batch
    let isComplete = false
    let mark: Awaited<ReturnType<CommitMarks['leave']>> | undefined
    try {
      batch = await this.#database.write.transaction().execute(async (db) => {
        const batch = new Batch(db, this.#database, this.#clock, this.#outboundQueue)
        mark = await this.#marks?.leave(db)
        await batch.lock(jobs)
        const taken = await batch.takenMessageIds(jobs)
        for (const job of jobs) {
          try {
            outcomes.push({ job, result: await batch.run(job, taken) })
          } catch (error) {
            if (!(error instanceof ChatError)) throw error
            outcomes.push({ job, error })
          }
        }
        await batch.finish()
        isComplete = true
        return batch
      })
    } catch (error) {
      // Once all was written, only the commit itself can have failed. If the database gave no reason, it may have
      // committed, and a retry might write twice.
      if (isComplete && !isRefusal(error)) {
        mark?.unsure()
        this.#listener.unsure()
        for (const job of jobs) job.reject(error)
        return
      }
      // No job got as far as writing: each alone would wait just as long.
      if (error instanceof ChatError) {
        for (const job of jobs) job.reject(error)
        return
      }
      // A collision with another node, or a fault of one write: alone, each gets its own answer.
      if (jobs.length > 1) for (const job of jobs) await this.#commit([job])
      else if (isCollision(error) && !jobs[0]!.again) await this.#commit([{ ...jobs[0]!, again: true }])
      else jobs[0]!.reject(error)
      return
    }
    mark?.committed()
    if (mark?.isLost) this.#listener.rewound?.()
    // What is stored is published, even if it is unknown whether it is durable; its calls fail then.
    const unsure = await this.#database.settled({ lasting: jobs.some(({ along }) => !along) }).then(
      () => undefined,
      (error: unknown) => error,
    )
    this.#listener.committed(batch)
    for (const { job, result, error = unsure } of outcomes) error ? job.reject(error) : job.resolve(result)
  }
}

interface Job extends Write<unknown>, Cause {
  again?: boolean
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
}

/** Notified of how transactions ended, before their calls are answered. */
export interface CommitListener {
  /** It must not throw, for nothing is undone. */
  committed(batch: Batch): void
  /** The outcome is unknown: the database went away meanwhile. */
  unsure(): void
  /** The database lost earlier commits; called before `committed`. */
  rewound?(): void
}

/** Another node wrote the same row first: a taken key, a serialisation failure, a deadlock. */
function isCollision(error: unknown): boolean {
  const code = (error as { code?: unknown }).code
  return code === '23505' || code === '40001' || code === '40P01'
}

/** The database reported why it does not commit; otherwise its connection broke. */
function isRefusal(error: unknown): boolean {
  const { code, severity } = error as { code?: unknown; severity?: unknown }
  return code === 'ERR_SQLITE_ERROR' || severity === 'ERROR'
}
