import { randomUUID } from 'node:crypto'
import type { Server } from '../../server.ts'
import { ChatError } from '../chat-error.ts'
import type { Batch } from '../database/batch.ts'
import type { TaskRow } from '../database/tables.ts'
import {
  addTask,
  claimTask,
  dropClaimed,
  dropTasksDoneBefore,
  freeTasks,
  partitionsToDo,
  taskById,
  tasksToDo,
  updateClaimed,
  updateOpen,
} from './task-store.ts'

/** Tasks a node works on at the same time: a long one must not hold up all others. */
const AT_ONCE = 4
/** Of those that mostly wait for other people's servers, which must not hold up the others. */
const OUTBOUND_AT_ONCE = 32
/** A runner that saved nothing for this long is taken for dead, and another node goes on. */
const CLAIM_MICROS = 60_000_000
/** Tries of a task that fails for no fault of its input. */
const TRIES = 3
const RETRY_MICROS = 10_000_000
/** Finished tasks are kept this long [administration.md 10.1]. */
const KEPT_DAYS = 7
const DAY_MICROS = 86_400_000_000

/**
 * One kind of work that goes on after the answer.
 *
 * It works in pages: each page is one write, which saves with it where the next begins. Whatever stops it between
 * two pages, it goes on there, and no page is done twice.
 */
export interface TaskKind<Input = unknown, Progress = unknown> {
  name: string
  /** It waits for other servers, and its result is not kept. */
  outbound?: true
  /** For which of several that may be slow a task of an app is, where that matters. */
  whom?(input: Input): string
  /** Days for which its result is kept, where that is longer than usual. */
  keptDays?: number
  /** Gives the task's result. */
  run(server: Server, task: Task<Input, Progress>): Promise<object>
  /** The result as an API answer; without this, unchanged. */
  shown?(server: Server, app: string, result: object): object
  /** Goes along with the write that gives the task up for good. */
  failed?(
    server: Server,
    batch: Batch,
    task: Omit<Task<Input, Progress>, 'save' | 'leave' | 'ending'>,
    why: Failure,
  ): Promise<void>
}

/** Why a task came to nothing. */
export interface Failure {
  type: string
  description: string
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
  /** Ends for now, as the server does, and keeps what is done of a page that cannot be undone. */
  leave(progress: Progress): Promise<never>
}

/** Thrown into a page that must not be written. */
class Abandoned extends Error {}

/** Runs what goes on after the answer, on any node, each task on one node at a time. */
export class Tasks {
  #server: () => Server
  #kinds: ReadonlyMap<string, TaskKind>
  #failed: (error: unknown) => void
  #node: string
  /** Tasks under way, with their partitions. */
  #running = new Map<Promise<void>, string>()
  /** The partition that had its turn last. */
  #last = ''
  #looking: Promise<void> | undefined
  #lookAgain = false
  #ending = new AbortController()
  /** @param node what others know this node by */
  constructor(
    server: () => Server,
    kinds: readonly TaskKind[],
    failed: (error: unknown) => void,
    node: string = randomUUID(),
  ) {
    this.#node = node
    this.#server = server
    this.#kinds = new Map(kinds.map((kind) => [kind.name, kind]))
    this.#failed = failed
  }

  /** Leaves work for after the commit; gives the task's id. */
  async begin(batch: Batch, app: string, kind: string, input: object): Promise<string> {
    const id = randomUUID()
    const now = batch.now()
    await addTask(batch.db, {
      app,
      id,
      kind,
      lane: [kind, app, this.#kinds.get(kind)?.whom?.(input) ?? ''].join(' ').trimEnd(),
      status: 'waiting',
      input_json: JSON.stringify(input),
      progress_json: null,
      result_json: null,
      error_json: null,
      attempts: 0,
      claim: null,
      claimed_until: 0,
      created_at: now,
      updated_at: now,
    })
    batch.hasTasks = true
    return id
  }

  /** Claims free tasks: called after a commit that enqueued a task, and every few seconds. */
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

  /**
   * Claims at once the tasks of a node that is gone.
   *
   * @param node one of several; without it all earlier ones, as this node is alone
   */
  async relieve(node?: string) {
    await freeTasks(this.#server().database.write, node)
    this.look()
  }

  /**
   * Cancels a task; the node that works on it notices with the next page.
   *
   * @returns its outcome by then: its result, or its progress
   */
  cancel(app: string, id: string, why: Failure): Promise<{ result: unknown; progress: unknown }> {
    const { commit } = this.#server()
    return commit.write(app, [], async (batch) => {
      const change = { ...failedFor(why), ...freed(batch) }
      if (await updateOpen(batch.db, { app, id }, change)) await this.#publishFailed(batch, app, id, why)
      const row = await taskById(batch.db, app, id)
      return { result: row?.result_json ? JSON.parse(row.result_json) : undefined, progress: row && progressOf(row) }
    })
  }

  async sweep() {
    const { database, clock } = this.#server()
    const now = clock.micros()
    const lasting = [...this.#kinds.values()].filter(({ keptDays }) => keptDays !== undefined)
    for (const { name, keptDays = 0 } of lasting)
      await dropTasksDoneBefore(database.write, now - keptDays * DAY_MICROS, { of: name })
    const names = lasting.map(({ name }) => name)
    await dropTasksDoneBefore(database.write, now - KEPT_DAYS * DAY_MICROS, { notOf: names })
  }

  /** The result of a task as an API answer. */
  shown({ app, kind, result_json }: Pick<TaskRow, 'app' | 'kind' | 'result_json'>): object | undefined {
    if (result_json === null) return undefined
    const result = JSON.parse(result_json)
    return this.#kinds.get(kind)?.shown?.(this.#server(), app, result) ?? result
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
      // Databases may sort texts differently, and a partition could be passed over for ever.
      const open = (await partitionsToDo(this.#server().database.read)).sort()
      const lanes = Map.groupBy(open, (lane) => lane > this.#last)
      // The partition that had its turn last comes last.
      for (const lane of [...(lanes.get(true) ?? []), ...(lanes.get(false) ?? [])]) await this.#take(lane)
    }
  }

  /**
   * A partition takes no more places than it leaves free: however slow its tasks are, other partitions have their turn.
   */
  async #take(lane: string) {
    const { database, clock, commit } = this.#server()
    const isOutbound = this.#isOutbound(lane)
    const alike = [...this.#running.values()].filter((other) => this.#isOutbound(other) === isOutbound)
    const own = alike.filter((other) => other === lane)
    const free = (isOutbound ? OUTBOUND_AT_ONCE : AT_ONCE) - alike.length
    const places = Math.ceil((free - own.length) / 2)
    if (places <= 0) return
    // A kind this server does not know is left to a newer one beside it.
    for (const row of await tasksToDo(database.read, lane, [...this.#kinds.keys()], clock.micros(), places)) {
      const claim = `${this.#node} ${randomUUID()}`
      const isOurs = await commit.write(row.app, [], (batch) =>
        claimTask(batch.db, row, claim, batch.now(), batch.now() + CLAIM_MICROS),
      )
      if (!isOurs) continue
      this.#last = lane
      const running = this.#run({ ...row, claim, attempts: row.attempts + 1 })
        .catch(this.#failed)
        .finally(() => {
          this.#running.delete(running)
          this.look()
        })
      this.#running.set(running, lane)
    }
  }

  #isOutbound(lane: string): boolean {
    return this.#kinds.get(lane.split(' ', 1)[0]!)?.outbound === true
  }

  async #publishFailed(batch: Batch, app: string, id: string, why: Failure) {
    const row = (await taskById(batch.db, app, id))!
    const { failed } = this.#kinds.get(row.kind) ?? {}
    await failed?.(
      this.#server(),
      batch,
      { app, id, input: JSON.parse(row.input_json), progress: progressOf(row) },
      why,
    )
  }

  async #run(row: TaskRow) {
    const server = this.#server()
    const kind = this.#kinds.get(row.kind)!
    const ending = this.#ending.signal
    const input = JSON.parse(row.input_json)
    const end = (change: Partial<TaskRow>, besides?: (batch: Batch) => Promise<void>) =>
      server.commit.write(row.app, [], async (batch) => {
        if (await updateClaimed(batch.db, row, { ...freed(batch), ...change })) await besides?.(batch)
      })
    const fail = (type: string, description: string) => {
      const why = { type, description }
      return end(failedFor(why), (batch) => this.#publishFailed(batch, row.app, row.id, why))
    }
    const giveUp = () => fail('InternalSystemError', 'the task failed')
    if (row.attempts > TRIES) {
      this.#failed(new Error(`Task ${row.id} of kind ${row.kind} got no further in ${TRIES} servers, which died.`))
      return giveUp()
    }
    try {
      // Another node may have founded it.
      await server.apps.byId(row.app)
      const result = await kind.run(server, {
        app: row.app,
        id: row.id,
        input,
        progress: progressOf(row),
        ending,
        async save(batch, next) {
          if (ending.aborted) throw new Abandoned()
          const saved = { progress_json: JSON.stringify(next), claimed_until: batch.now() + CLAIM_MICROS }
          // A page that worked makes good for a try that did not.
          if (!(await updateClaimed(batch.db, row, { ...saved, attempts: 1, updated_at: batch.now() })))
            throw new Abandoned()
        },
        async leave(progress) {
          const left = { progress_json: JSON.stringify(progress) }
          await server.commit.write(row.app, [], (batch) => updateClaimed(batch.db, row, left))
          throw new Abandoned()
        },
      })
      if (kind.outbound) await server.commit.write(row.app, [], (batch) => dropClaimed(batch.db, row))
      else await end({ status: 'completed', result_json: JSON.stringify(result) })
    } catch (error) {
      // A cancelled attempt does not count.
      if (error instanceof Abandoned) await end({ attempts: 0 })
      else if (error instanceof ChatError) await fail(error.kind, error.message)
      else {
        this.#failed(error)
        // As it is stored: a page that worked made good for earlier tries, one that was undone did not.
        const { attempts } = (await taskById(server.database.read, row.app, row.id)) ?? row
        if (attempts >= TRIES) await giveUp()
        else await end({ claimed_until: server.clock.micros() + RETRY_MICROS * attempts })
      }
    }
  }
}

function progressOf({ progress_json }: TaskRow): unknown {
  return progress_json === null ? undefined : JSON.parse(progress_json)
}

function failedFor(why: Failure) {
  return { status: 'failed' as const, error_json: JSON.stringify(why) }
}

/** Frees the task. */
function freed(batch: Batch) {
  return { claim: null, claimed_until: 0, updated_at: batch.now() }
}
