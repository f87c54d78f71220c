import { sql } from 'kysely'
import { type Clock, inTime } from '../clock.ts'
import type { Database } from '../database/database.ts'

/** A database that says nothing for so long is taken for away; those who ask us wait no shorter, as a rule. */
const PATIENCE_MS = 2_000

/** Whether calls can be answered at all, for whoever decides where calls are sent. */
export class Health {
  #database: Database
  #clock: Clock
  #asked: Promise<boolean> | undefined
  constructor(database: Database, clock: Clock) {
    this.#database = database
    this.#clock = clock
  }

  /** However many want to know, the database is asked by one of them. */
  isGood(): Promise<boolean> {
    this.#asked ??= this.#ask().finally(() => {
      this.#asked = undefined
    })
    return this.#asked
  }

  async #ask(): Promise<boolean> {
    const answered = sql`select 1`.execute(this.#database.read).then(
      () => true,
      () => false,
    )
    const outcome = await inTime(this.#clock, PATIENCE_MS, answered)
    return 'now' in outcome && outcome.now
  }
}
