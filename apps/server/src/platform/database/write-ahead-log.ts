import { once } from 'node:events'
import { type FileHandle, open } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import type { Sqlite } from './dialect.ts'

/** Pages in the log that are not yet in the file, from which on they are moved there. */
const MOVED_FROM = 1_000
/** From this many pages on, writes wait until the log is checkpointed and restarts: a long log makes reading slow. */
const WAITED_FROM = 8_000

/**
 * The log that SQLite writes before its file. A commit only writes to it; waiting for the disk, and checkpointing, is
 * done outside the event loop, which a slow disk would otherwise block [0019].
 */
export class WriteAheadLog {
  #path: string
  #counts: () => { log: number; checkpointed: number }
  #file: FileHandle | undefined
  #worker: Worker | undefined
  #moving: PromiseWithResolvers<void> | undefined

  /** @param writer the connection that writes; it must neither sync its commits nor move them by itself */
  constructor(path: string, writer: Sqlite) {
    this.#path = path
    const counts = writer.prepare('pragma wal_checkpoint(noop)')
    this.#counts = () => counts.all([])[0] as { log: number; checkpointed: number }
  }

  /** Called after each commit; resolves when it is on the disk, if it must be, and rejects when that is unknown. */
  async settled({ lasting }: { lasting: boolean }) {
    if (lasting) {
      this.#file ??= await open(`${this.#path}-wal`, 'r+')
      await this.#file.datasync()
    }
    const { log, checkpointed } = this.#counted()
    if (log - checkpointed < MOVED_FROM) return
    const moved = this.#move()
    if (log >= WAITED_FROM) await moved.then(() => this.#move())
  }

  async close() {
    await this.#moving?.promise
    if (this.#worker) {
      this.#worker.ref()
      this.#worker.postMessage('end')
      await once(this.#worker, 'exit')
    }
    await this.#file?.close()
  }

  /** If another program is about to change the file, this is unknown; it is moved with a later commit. */
  #counted() {
    try {
      return this.#counts()
    } catch {
      return { log: 0, checkpointed: 0 }
    }
  }

  /** Moves what is in the log now, or lets the move end that is under way. */
  #move(): Promise<void> {
    if (!this.#moving) {
      this.#moving = Promise.withResolvers()
      this.#worker ??= this.#start()
      this.#worker.postMessage('move')
    }
    return this.#moving.promise
  }

  #start(): Worker {
    const worker = new Worker(new URL('./checkpoints.ts', import.meta.url), { workerData: this.#path })
    worker.unref()
    worker.on('message', () => this.#moved())
    // Nothing is lost: what was not moved is in the log still, and a later commit has it tried again.
    worker.on('error', () => {})
    worker.on('exit', () => {
      this.#worker = undefined
      this.#moved()
    })
    return worker
  }

  #moved() {
    this.#moving?.resolve()
    this.#moving = undefined
  }
}
