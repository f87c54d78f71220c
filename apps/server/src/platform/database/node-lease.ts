import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { SettingError } from '../../../../process/settings.ts'
import type { Dialect } from './dialect.ts'
import type { Tables } from './tables.ts'

/** A node that renewed its lease this recently is running, by the database's clock. */
const LEASE_MICROS = 10_000_000
const RENEW_MS = 3_000
const LOOK_MS = 500
/** Rows of nodes that ended without a word go after this. */
const FORGOTTEN_MICROS = 86_400_000_000

interface Terms {
  node: string
  hasBus: boolean
  /** How long others are waited for, since they may be about to end. */
  waitMs: number
  /** Called once, with a sentence, if there are other nodes. */
  waiting(why: string): void
}

/**
 * A lease that shows other servers on the same PostgreSQL that this node runs, so that no two share it without a bus:
 * they would answer from their own caches, and would not publish each other's events. It is a row that is renewed, and
 * not a lock of the session, which a pooler would give to another client; the lease of a node that died expires after
 * ten seconds.
 */
export class NodeLease {
  #db: Kysely<Tables>
  #dialect: Dialect
  #terms: Terms
  #renewing: NodeJS.Timeout | undefined
  #renewed: Promise<void> = Promise.resolve()

  private constructor(db: Kysely<Tables>, dialect: Dialect, terms: Terms) {
    this.#db = db
    this.#dialect = dialect
    this.#terms = terms
  }

  /**
   * Comes before anything else is done with the database.
   *
   * @throws SettingError — there are others still, and not all of them have a bus
   */
  static async take(db: Kysely<Tables>, dialect: Dialect, terms: Terms): Promise<NodeLease> {
    const lease = new NodeLease(db, dialect, terms)
    await patiently(terms, () => lease.#claim())
    return lease
  }

  /** @param lost called when another node took over while this one could not renew its lease */
  renew(lost: (error: Error) => void) {
    this.#renewing = setInterval(() => {
      this.#renewed = this.#renew().then(
        (why) => {
          if (why !== undefined) lost(new SettingError(why))
        },
        // The database is away, and is asked again.
        () => {},
      )
    }, RENEW_MS)
    this.#renewing.unref()
  }

  /**
   * Resolves when all other nodes are reachable on the bus.
   *
   * @param reachable the nodes that are
   * @throws SettingError — some are not: they have another bus
   */
  async meet(reachable: () => readonly string[]) {
    await patiently(this.#terms, async () => {
      const known = new Set(reachable())
      const isAlone = (await this.#others()).every(({ id }) => known.has(id))
      return isAlone
        ? undefined
        : 'Another server uses the database of DATABASE_URL with another bus. Give all nodes the same BUS_URL.'
    })
  }

  async end() {
    clearInterval(this.#renewing)
    await this.#renewed
    await sql`delete from server_nodes where id = ${this.#terms.node}`.execute(this.#db).catch(() => {})
  }

  async #renew(): Promise<string | undefined> {
    const { numAffectedRows } = await sql`update server_nodes set until = ${now} + ${LEASE_MICROS}
      where id = ${this.#terms.node} and until > ${now}`.execute(this.#db)
    return numAffectedRows === 0n ? this.#claim() : undefined
  }

  /** @returns why it may not be had, if it may not */
  #claim(): Promise<string | undefined> {
    const { node, hasBus } = this.#terms
    return this.#db.transaction().execute(async (db) => {
      await this.#dialect.lockForMigration?.execute(db)
      await sql`create table if not exists server_nodes
        (id text primary key, has_bus integer not null, until bigint not null)`.execute(db)
      const others = await this.#others(db)
      if (others.length > 0 && !hasBus)
        return 'Another server uses the database of DATABASE_URL. Set the same BUS_URL for all nodes, or stop that one.'
      if (others.some(({ has_bus }) => has_bus === 0))
        return 'Another server without a BUS_URL uses the database of DATABASE_URL. Set the same one there, or stop it.'
      await sql`delete from server_nodes where until < ${now} - ${FORGOTTEN_MICROS}`.execute(db)
      await sql`insert into server_nodes (id, has_bus, until) values (${node}, ${hasBus ? 1 : 0}, ${now} + ${LEASE_MICROS})
        on conflict (id) do update set until = excluded.until`.execute(db)
      return undefined
    })
  }

  async #others(db = this.#db): Promise<{ id: string; has_bus: number }[]> {
    const { rows } = await sql<{ id: string; has_bus: number }>`select id, has_bus from server_nodes
      where id <> ${this.#terms.node} and until > ${now}`.execute(db)
    return rows
  }
}

const now = sql`(extract(epoch from clock_timestamp()) * 1000000)::bigint`

/** @throws SettingError — the obstacle is still there when the time is over */
async function patiently({ waitMs, waiting }: Terms, attempt: () => Promise<string | undefined>) {
  for (let waitedMs = 0; ; waitedMs += LOOK_MS) {
    const why = await attempt()
    if (why === undefined) return
    if (waitedMs >= waitMs) throw new SettingError(why)
    if (waitedMs === 0) waiting(`${why} Waiting for up to ${waitMs / 1000} s.`)
    await pause(LOOK_MS)
  }
}
