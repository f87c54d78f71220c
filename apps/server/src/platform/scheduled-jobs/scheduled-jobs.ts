import type { Server } from '../../server.ts'
import type { Batch } from '../database/batch.ts'
import type { ScheduledJobRow } from '../database/tables.ts'
import type { Micros } from '../micros.ts'
import { addJob, deleteJob, jobsDueBy, putJob, takeJob } from './scheduled-job-store.ts'

/** Rows one look reads; while there are more, the next look follows at once. */
const AT_ONCE = 100
/** What failed for a fault of ours is tried again after this long, so that it holds up nothing else. */
const RETRY_MICROS = 60_000_000

/** One kind of thing that happens at a set time: a reminder, the end of a pin. */
export interface ScheduledJobKind {
  name: string
  /** Runs inside the write that takes it off the list, with its channel locked; what is gone meanwhile is no error. */
  happen(server: Server, batch: Batch, due: ScheduledJobRow): Promise<void>
}

/** Leaves something for a set time. It survives a restart and happens once, on whichever node looks first. */
export async function scheduleJob(
  batch: Batch,
  kind: ScheduledJobKind,
  { app, cid }: { app: string; cid: string },
  id: string,
  at: Micros,
) {
  await putJob(batch.db, { app, kind: kind.name, id, cid, at })
}

/** The same, where it is not set for any time yet. */
export async function scheduleJobOnce(
  batch: Batch,
  kind: ScheduledJobKind,
  { app, cid }: { app: string; cid: string },
  id: string,
  at: Micros,
) {
  await addJob(batch.db, { app, kind: kind.name, id, cid, at })
}

export async function cancel(batch: Batch, kind: ScheduledJobKind, { app }: { app: string }, id: string) {
  await deleteJob(batch.db, app, kind.name, id)
}

/**
 * Runs scheduled jobs at their time. All kinds share one table and one query, however many jobs wait; no job has a timer
 * of its own.
 */
export class ScheduledJobs {
  #server: () => Server
  #kinds: ReadonlyMap<string, ScheduledJobKind>
  #failed: (error: unknown) => void
  #looking: Promise<void> | undefined
  #ending = false
  constructor(server: () => Server, kinds: readonly ScheduledJobKind[], failed: (error: unknown) => void) {
    this.#server = server
    this.#kinds = new Map(kinds.map((kind) => [kind.name, kind]))
    this.#failed = failed
  }

  /** Called by the clock; a look that still runs is enough. */
  look() {
    if (this.#ending) return
    this.#looking ??= this.#lookAtAll()
      .catch(this.#failed)
      .finally(() => {
        this.#looking = undefined
      })
  }

  async close() {
    this.#ending = true
    await this.#looking
  }

  async #lookAtAll() {
    for (;;) {
      const { database, clock } = this.#server()
      const rows = await jobsDueBy(database.read, clock.micros(), AT_ONCE)
      for (const row of rows) {
        if (this.#ending) return
        await this.#settle(row)
      }
      if (rows.length < AT_ONCE) return
    }
  }

  async #settle(row: ScheduledJobRow) {
    const server = this.#server()
    try {
      const kind = this.#kinds.get(row.kind)
      if (!kind) throw new Error(`Nothing is known of what is due as ${row.kind}.`)
      // What happens may ask for the app's settings.
      await server.apps.byId(row.app)
      await server.commit.write(row.app, [row.cid], async (batch) => {
        if (await takeJob(batch.db, row)) await kind.happen(server, batch, row)
      })
    } catch (error) {
      this.#failed(error)
      await server.commit.write(row.app, [], async (batch) => {
        if (await takeJob(batch.db, row)) await putJob(batch.db, { ...row, at: batch.now() + RETRY_MICROS })
      })
    }
  }
}
