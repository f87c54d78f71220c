import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'

/** Statements that are under way on one connection while another could take them. */
const TOGETHER = 16

/**
 * Connections to PostgreSQL that several statements share: those of one turn are pipelined, without waiting for
 * answers. A dozen small ones take half as long as on a connection each. Only for single statements: other callers'
 * statements would mix with those of a transaction.
 */
export class SharedConnections implements PostgresPool {
  readonly options = {}
  #make: () => pg.Client
  #max: number
  #connections = new Set<SharedConnection>()
  #current: SharedConnection | undefined

  /** @param make a client with `pipeline` on, which is not connected yet */
  constructor(make: () => pg.Client, max: number) {
    this.#make = make
    this.#max = max
  }

  async connect(): Promise<PostgresPoolClient> {
    const connection = this.#pick()
    connection.underWay += 1
    await connection.opened
    return connection as unknown as PostgresPoolClient
  }

  async end() {
    await Promise.all([...this.#connections].map((connection) => connection.end()))
  }

  /** The one that the other statements of this turn go to, or else one with little to do. */
  #pick(): SharedConnection {
    if (this.#current && this.#current.underWay < TOGETHER) return this.#current
    const picked = this.#leastBusy()
    this.#current = picked
    picked.hold()
    // In a microtask, a tick is what comes after all microtasks: by then the turn has asked all it wants to know.
    queueMicrotask(() =>
      process.nextTick(() => {
        picked.letGo()
        if (this.#current === picked) this.#current = undefined
      }),
    )
    return picked
  }

  #leastBusy(): SharedConnection {
    const [least] = [...this.#connections].sort((a, b) => a.underWay - b.underWay)
    if (least && (least.underWay === 0 || this.#connections.size >= this.#max)) return least
    // One that breaks is replaced at the next use; the statements that hit a broken one report it.
    const opened = new SharedConnection(this.#make(), () => this.#connections.delete(opened))
    this.#connections.add(opened)
    return opened
  }
}

class SharedConnection {
  readonly opened: Promise<unknown>
  underWay = 0
  #client: pg.Client

  constructor(client: pg.Client, gone: () => void) {
    this.#client = client
    client.on('error', gone)
    client.on('end', gone)
    this.opened = client.connect()
    this.opened.catch(gone)
  }

  query(text: string, values: unknown[]) {
    return this.#client.query(text, values)
  }

  release() {
    this.underWay -= 1
  }

  hold() {
    this.#client.connection.stream.cork()
  }

  letGo() {
    this.#client.connection.stream.uncork()
  }

  end() {
    return this.#client.end()
  }
}
