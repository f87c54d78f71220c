import { randomUUID } from 'node:crypto'
import { ChatError } from '../chat-error.ts'
import type { Batch } from '../database/group-commit.ts'
import type { TaskRow } from '../database/tables.ts'
import type { Server } from '../server.ts'
import { addTask, claimTask, dropClaimed, dropTasksDoneBefore, tasksToDo, updateClaimed } from './task-store.ts'

/** Tasks a node works on at the same time: a long one must not hold up all others. */
const AT_ONCE = 4
/** Of those that mostly wait for other people's servers, which must not hold up the others. */
const OUTSIDE_AT_ONCE = 16
/** A runner that saved nothing for this long is taken for dead, and another node goes on. */
const CLAIM_MICROS = 60_000_000
/** Tries of a task that fails for no fault of its input. */
const TRIES = 3
const RETRY_MICROS = 10_000_000
/** Finished tasks are kept this long [administration.md 10.1]. */
const KEPT_MICROS = 7 * 86_400_000_000

/**
 * One kind of work that goes on after the answer.
 *
 * It works in pages: each page is one write, which saves with it where the next begins. Whatever stops it between
 * two pages, it goes on there, and no page is done twice.
 */
export interface TaskKind<Input = unknown, Progress = unknown> {
  name: string
  /** It waits for other people's servers, and leaves nothing behind when it is done: nobody asks for its result. */
  outside?: true
  /** Gives the task's result. */
  run(server: Server, task: Task<Input, Progress>): Promise<object>
}

/** A task that runs. */
export interface Task<Input, Progress> {
  readonly app: string
  readonly id: string
  readonly input: Input
  /** What was saved last; undefined at the very start. */
  readonly progress: Progress | undefined
  /** Aborted when the server ends: what is waited for need not come. */
  readonly ending: AbortSignal
  /**
   * Keeps, with the writes of a page, where the next one begins; to be called inside the page's write.
   * @throws Error when the server ends or another node has the task now: the page is undone
   */
  save(batch: Batch, progress: Progress): Promise<void>
}

/** Thrown into a page that must not be written. */
class Abandoned extends Error {}

/** Runs what goes on after the answer, on any node, each task on one node at a time. */
export class Tasks {
  #server: () => Server
  #kinds: ReadonlyMap<string, TaskKind>
  #failed: (error: unknown) => void
  #running = new Map<Promise<void>, TaskKind>()
  #looking: Promise<void> | undefined
  #lookAgain = false
  #ending = new AbortController()
  constructor(server: () => Server, kinds: readonly TaskKind[], failed: (error: unknown) => void) {
    this.#server = server
    this.#kinds = new Map(kinds.map((kind) => [kind.name, kind]))
    this.#failed = failed
  }

  /** Leaves work for after the commit; gives the task's id. */
  async begin(batch: Batch, app: string, kind: string, input: object): Promise<string> {
    const id = randomUUID()
    const now = batch.now()
    await addTask(batch.db, {
      ...{ app, id, kind, status: 'waiting', input_json: JSON.stringify(input) },
      ...{ progress_json: null, result_json: null, error_json: null, attempts: 0, claim: null, claimed_until: 0 },
      ...{ created_at: now, updated_at: now },
    })
    batch.hasTasks = true
    return id
  }

  /** Takes up what nobody works on: called after a commit that left a task, and every few seconds. */
  look() {
    this.#lookAgain = true
    if (this.#ending.signal.aborted) return
    this.#looking ??= this.#takeAll()
      .catch(this.#failed)
      .finally(() => {
        this.#looking = undefined
        if (this.#lookAgain) this.look()
      })
  }

  async sweep() {
    const { database, clock } = this.#server()
    await dropTasksDoneBefore(database.write, clock.now() * 1000 - KEPT_MICROS)
  }

  /** Lets the pages under way be undone; the tasks go on when a server starts. */
  async close() {
    this.#ending.abort()
    await this.#looking
    await Promise.all(this.#running.keys())
  }

  async #takeAll() {
    while (this.#lookAgain && !this.#ending.signal.aborted) {
      this.#lookAgain = false
      const [outside, own] = [true, false].map((isOutside) =>
        [...this.#kinds.values()].filter((kind) => (kind.outside === true) === isOutside),
      )
      await this.#take(own!, AT_ONCE)
      await this.#take(outside!, OUTSIDE_AT_ONCE)
    }
  }

  async #take(kinds: readonly TaskKind[], atOnce: number) {
    const { database, clock, commit } = this.#server()
    const running = [...this.#running.values()].filter((kind) => kinds.includes(kind))
    const free = atOnce - running.length
    // A kind this server does not know is left to a newer one beside it.
    if (free <= 0 || kinds.length === 0) return
    const names = kinds.map((kind) => kind.name)
    for (const row of await tasksToDo(database.read, names, clock.now() * 1000, free)) {
      const claim = randomUUID()
      const isOurs = await commit.write(row.app, [], (batch) =>
        claimTask(batch.db, row, claim, batch.now(), batch.now() + CLAIM_MICROS),
      )
      if (!isOurs) continue
      const running = this.#run({ ...row, claim, attempts: row.attempts + 1 })
        .catch(this.#failed)
        .finally(() => {
          this.#running.delete(running)
          this.look()
        })
      this.#running.set(running, this.#kinds.get(row.kind)!)
    }
  }

  async #run(row: TaskRow) {
    const server = this.#server()
    const kind = this.#kinds.get(row.kind)!
    const ending = this.#ending.signal
    const end = (change: Partial<TaskRow>) =>
      server.commit.write(row.app, [], (batch) =>
        updateClaimed(batch.db, row, { claim: null, claimed_until: 0, updated_at: batch.now(), ...change }),
      )
    try {
      // Another node may have founded it.
      await server.apps.byId(row.app)
      const result = await kind.run(server, {
        app: row.app,
        id: row.id,
        input: JSON.parse(row.input_json),
        progress: row.progress_json === null ? undefined : JSON.parse(row.progress_json),
        ending,
        async save(batch, progress) {
          if (ending.aborted) throw new Abandoned()
          const saved = { progress_json: JSON.stringify(progress), claimed_until: batch.now() + CLAIM_MICROS }
          // A page that worked makes good for a try that did not.
          if (!(await updateClaimed(batch.db, row, { ...saved, attempts: 1, updated_at: batch.now() })))
            throw new Abandoned()
        },
      })
      if (kind.outside) await server.commit.write(row.app, [], (batch) => dropClaimed(batch.db, row))
      else await end({ status: 'completed', result_json: JSON.stringify(result) })
    } catch (error) {
      if (error instanceof Abandoned) await end({})
      else if (error instanceof ChatError) await end(failure(error.kind, error.message))
      else {
        this.#failed(error)
        if (row.attempts >= TRIES) await end(failure('InternalSystemError', 'the task failed'))
        else await end({ claimed_until: server.clock.now() * 1000 + RETRY_MICROS * row.attempts })
      }
    }
  }
}

function failure(type: string, description: string): Partial<TaskRow> {
  return { status: 'failed', error_json: JSON.stringify({ type, description }) }
}
