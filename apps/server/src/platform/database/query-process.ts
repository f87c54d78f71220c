import { type ChildProcess, fork } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { queryTooSlow } from './query-timeout.ts'

/** An idle process ends after this long: it holds some 45 MB. */
const IDLE_MS = 60_000

/** A machine under load starts a process slowly; the deadline of a query begins after that. */
const START_MS = 30_000

/** A request to the process, one at a time; the process sends `ready` before. */
export interface QueryAsked {
  sql: string
  parameters: readonly unknown[]
}

/** What it answers: rows as lists, in the order of the columns; or why there are none. */
export type QueryAnswered = { columns: string[]; rows: unknown[][] } | { error: string; code?: string }

export class QueryFailed extends Error {
  override readonly name = 'QueryFailed'
}

/**
 * Runs queries on an SQLite file in a separate process, so that a slow one does not block the event loop. SQLite cannot
 * be interrupted from another thread, so a query that runs past its deadline is ended with its process: it only reads,
 * and SQLite frees the locks of a process that dies. The process starts with the first query.
 */
export class QueryProcess {
  #file: string
  #timeoutMs: number
  #child: ChildProcess | undefined
  #idle: NodeJS.Timeout | undefined

  constructor(file: string, timeoutMs: number) {
    this.#file = file
    this.#timeoutMs = timeoutMs
  }

  /**
   * One query; the one before it has ended.
   *
   * @throws ChatError RequestTimeoutError (23) — it took too long
   */
  async run(query: QueryAsked): Promise<{ columns: string[]; rows: unknown[][] }> {
    clearTimeout(this.#idle)
    try {
      // A process may end between two queries, as when the machine runs short of memory.
      const answer = (await this.#ask(query)) ?? (await this.#ask(query))
      if (!answer) throw new QueryFailed('the query process ended twice')
      if ('error' in answer) throw Object.assign(new QueryFailed(answer.error), { code: answer.code })
      return answer
    } finally {
      this.#idle = setTimeout(() => this.close(), IDLE_MS).unref()
    }
  }

  close() {
    clearTimeout(this.#idle)
    this.#child?.kill('SIGKILL')
    this.#child = undefined
  }

  /** @returns undefined when the process ended before it answered */
  #ask(query: QueryAsked): Promise<QueryAnswered | undefined> {
    return new Promise((resolve, reject) => {
      const { child, isNew } = this.#started()
      const tooLate = () => {
        end()
        this.close()
        reject(queryTooSlow(this.#timeoutMs))
      }
      let deadline = setTimeout(tooLate, isNew ? START_MS : this.#timeoutMs)
      const answered = (answer: QueryAnswered | 'ready') => {
        if (answer === 'ready') {
          clearTimeout(deadline)
          deadline = setTimeout(tooLate, this.#timeoutMs)
          return
        }
        end()
        resolve(answer)
      }
      const gone = () => {
        end()
        if (this.#child === child) this.#child = undefined
        resolve(undefined)
      }
      const end = () => {
        clearTimeout(deadline)
        child.off('message', answered).off('exit', gone).off('error', gone)
        child.unref()
        child.channel?.unref()
      }
      child.on('message', answered).once('exit', gone).once('error', gone)
      child.ref()
      child.channel?.ref()
      child.send(query, (error) => {
        if (error) gone()
      })
    })
  }

  #started(): { child: ChildProcess; isNew: boolean } {
    if (this.#child?.connected) return { child: this.#child, isNew: false }
    const child = fork(join(import.meta.dirname, 'query-process-main.ts'), [this.#file], {
      serialization: 'advanced',
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    child.on('error', () => {})
    try {
      // Calls and events come first where both share a core.
      if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
    } catch {
      // It has ended already, which its query learns.
    }
    this.#child = child
    return { child, isNew: true }
  }
}
