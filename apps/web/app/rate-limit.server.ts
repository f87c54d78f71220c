import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from './database.server.ts'
import { databaseMillis } from './database-time.server.ts'

/** Allows `atOnce` uses at once, and one more after each pause. */
export interface RateLimit {
  name: string
  atOnce: number
  pauseMs: number
}

/** How far the time of a concurrent attempt may lie behind the first: attempts overtake each other. */
const SKEW_MS = 1_000

/**
 * Consumes uses of a rate limiter. Its state is in the database, shared by all nodes and kept over a restart;
 * concurrent calls never exceed the limit.
 *
 * @param whose  the key it counts for; stored only as a hash
 * @param times  how many uses, all of them or none
 * @param now    replaces the database's time in tests
 * @returns whether that many were left
 */
export async function spend(
  database: Database,
  rateLimit: RateLimit,
  whose: string,
  times = 1,
  now?: Date,
): Promise<boolean> {
  const { atOnce, pauseMs } = rateLimit
  if (times > atOnce) return false
  const cost = times * pauseMs
  const spentUntil = sql.ref<number>('allowance.spentUntil')
  const time = databaseMillis(database.type, now)
  const next = sql<number>`(case when ${spentUntil} > ${time} then ${spentUntil} else ${time} end + ${cost})`
  const spent = await database.kysely
    .insertInto('allowance')
    .values({ id: idOf(rateLimit, whose), spentUntil: sql<number>`${time} + ${cost}` })
    .onConflict((known) =>
      known
        .column('id')
        .doUpdateSet({ spentUntil: next })
        .where(sql<boolean>`${next} <= ${time} + ${atOnce * pauseMs + SKEW_MS}`),
    )
    .returning('id')
    .executeTakeFirst()
  return spent !== undefined
}

/** Returns a use that was just consumed, for something that does not count after all. */
export async function giveBack({ kysely }: Database, rateLimit: RateLimit, whose: string): Promise<void> {
  await kysely
    .updateTable('allowance')
    .set(({ eb }) => ({ spentUntil: eb('spentUntil', '-', rateLimit.pauseMs) }))
    .where('id', '=', idOf(rateLimit, whose))
    .execute()
}

/** Deletes rate limiters that are fully available again. */
export async function purgeUnusedRateLimits(database: Database, now?: Date): Promise<void> {
  try {
    await database.kysely
      .deleteFrom('allowance')
      .where('spentUntil', '<=', databaseMillis(database.type, now))
      .execute()
  } catch (error) {
    console.error('Allowances could not be forgotten; they are forgotten later.', error)
  }
}

function idOf({ name }: RateLimit, whose: string): string {
  return createHash('sha256').update(`${name}:${whose}`).digest('base64url')
}
