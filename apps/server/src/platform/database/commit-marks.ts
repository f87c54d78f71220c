import { type Kysely, sql } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Dialect } from './dialect.ts'
import type { Tables } from './tables.ts'

/** A node silent for this long is no longer checked. */
const FORGOTTEN_AFTER_MS = 3_600_000
/** So long marks are kept: longer than any node goes on checking for them. */
const KEPT_MICROS = 7 * 86_400_000_000
/** In place of a node: its number is when it was last noticed that the database had lost commits, in micros. */
const LOSS = 'loss'

/**
 * Notices that the database went back in time: that it lost commits it had confirmed, as after a failover to a replica
 * that was behind, or when a backup is put back under running nodes.
 *
 * Each commit of a node increments a number in the node's own row. A commit that does not find the previous number
 * knows that the previous commit is lost. The commits that other nodes reported are checked periodically, since a node
 * may be lost together with what it wrote.
 */
export class CommitMarks {
  #node: string
  #clock: Clock
  /** The number of the last commit that was confirmed, and the highest one that may be there. */
  #confirmed = 0
  #highest = 0
  /** The number is not compared with what is there, since the database is known to be another one. */
  #isReset = false
  /** How many databases there were before. */
  #age = 0
  #others = new Map<string, { number: number; lastReceivedAt: number }>()
  constructor(node: string, clock: Clock) {
    this.#node = node
    this.#clock = clock
  }

  /** The number of this node's last commit. */
  get number(): number {
    return this.#confirmed
  }

  /**
   * Leaves a mark, inside a transaction.
   *
   * @returns what to call when that is committed, or may be, and whether the database lacks an earlier commit
   */
  async leave(db: Kysely<Tables>): Promise<{ isLost: boolean; committed: () => void; unsure: () => void }> {
    const [node, number, at] = [this.#node, this.#highest + 1, this.#clock.micros()]
    const isFirst = this.#highest === 0 || this.#isReset
    const { numAffectedRows = 0n } = isFirst
      ? {}
      : await sql`update commit_marks set number = ${number}, at = ${at}
          where node = ${node} and number between ${this.#confirmed} and ${this.#highest}`.execute(db)
    const isFound = !isFirst && numAffectedRows > 0n
    if (!isFound)
      await sql`insert into commit_marks (node, number, at) values (${node}, ${number}, ${at})
        on conflict (node) do update set number = excluded.number, at = excluded.at`.execute(db)
    return {
      isLost: !isFirst && !isFound,
      committed: () => {
        this.#confirmed = number
        this.#highest = number
        this.#isReset = false
      },
      unsure: () => {
        this.#highest = number
      },
    }
  }

  /** Another node has committed so many times. */
  received(node: string, number: number) {
    const known = this.#others.get(node)?.number ?? 0
    this.#others.set(node, { number: Math.max(known, number), lastReceivedAt: this.#clock.elapsed() })
  }

  /** Whether the database lacks a commit that was already reported. */
  async isBehind(db: Kysely<Tables>, dialect: Dialect): Promise<boolean> {
    for (const [node, { lastReceivedAt }] of this.#others)
      if (this.#clock.elapsed() - lastReceivedAt > FORGOTTEN_AFTER_MS) this.#others.delete(node)
    const expected = new Map([...this.#others].map(([node, { number }]) => [node, number]))
    if (this.#confirmed > 0 && !this.#isReset) expected.set(this.#node, this.#confirmed)
    if (expected.size === 0) return false
    const age = this.#age
    const { rows } = await sql<{ node: string; number: number }>`select node, number from commit_marks
      where node ${dialect.among([...expected.keys()], 'text')}`.execute(db)
    // Another check noticed it meanwhile; the expected commit is known to be missing.
    if (age !== this.#age) return false
    const there = new Map(rows.map(({ node, number }) => [node, number]))
    return [...expected].some(([node, number]) => (there.get(node) ?? 0) < number)
  }

  /** The database is known to be another one; what was known of the one before does not count. */
  reset() {
    this.#isReset = true
    this.#age++
    this.#others.clear()
  }

  /** Notes that commits were lost, for those who ask later what they missed. */
  async noteLoss(db: Kysely<Tables>) {
    const at = this.#clock.micros()
    await sql`insert into commit_marks (node, number, at) values (${LOSS}, ${at}, ${at})
      on conflict (node) do update set number = excluded.number, at = excluded.at`.execute(db)
  }

  /**
   * Deletes the marks of nodes that ended long ago. One that runs may have had nothing to commit for weeks, and would
   * take its missing mark for a lost commit.
   */
  async purgeExpired(db: Kysely<Tables>, { name }: Dialect) {
    // A file has one server, which this one is.
    const isRunning = name === 'postgres' ? sql<boolean>`node in (select id from server_nodes)` : sql<boolean>`1 = 0`
    await sql`delete from commit_marks where at < ${this.#clock.micros() - KEPT_MICROS} and node not in (${this.#node}, ${LOSS})
      and not ${isRunning}`.execute(db)
  }
}

/** When it was last noticed that the database had lost commits, in micros; 0 where it never was. */
export async function lastLoss(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ number: number }>`select number from commit_marks where node = ${LOSS}`.execute(db)
  return rows[0]?.number ?? 0
}
