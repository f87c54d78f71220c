import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from './database.server.ts'
import { databaseMillis } from './database-time.server.ts'

/** What somebody may do so many times at once, and once more with each pause that has passed since. */
export interface RateLimit {
  name: string
  atOnce: number
  pauseMs: number
}

/** How far behind the first try the time of another may be: tries overtake each other. */
const SKEW_MS = 1_000

/**
 * Spends one time of an allowance. It is kept in the database, for all nodes of the product and over a restart; of many
 * who try at the same moment no more succeed than it has left.
 *
 * @param whose  whom or what it is counted for; stands nowhere in clear
 * @param times  how many at once, all of them or none
 * @param now    in place of the database's time, for stories
 * @returns whether there was so much left
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

/** Gives back what was spent a moment ago, for what does not count after all. */
export async function giveBack({ kysely }: Database, rateLimit: RateLimit, whose: string): Promise<void> {
  await kysely
    .updateTable('allowance')
    .set(({ eb }) => ({ spentUntil: eb('spentUntil', '-', rateLimit.pauseMs) }))
    .where('id', '=', idOf(rateLimit, whose))
    .execute()
}

/** Forgets those of which nothing is spent any more. */
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
