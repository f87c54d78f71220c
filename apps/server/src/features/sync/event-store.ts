import { SYNC_EVENTS_MAX } from '@parley/protocol/limits'
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../../platform/database/dialect.ts'
import { listHolds } from '../../platform/database/list-holds.ts'
import type { EventRow, Tables } from '../../platform/database/tables.ts'
import type { Micros } from '../../platform/micros.ts'

type Db = Kysely<Tables>

/** A user's visible events in channels after a time, oldest first; one more than the sync limit. */
export async function eventsSince(
  db: Db,
  dialect: Dialect,
  app: string,
  cids: readonly string[],
  userId: string,
  since: Micros,
): Promise<EventRow[]> {
  if (cids.length === 0) return []
  const { rows } = await sql<EventRow>`select * from events where app = ${app} and at > ${since}
    and cid ${dialect.among(cids, 'text')} and (user_id is null or user_id = ${userId})
    and (users_json is null or ${listHolds('users_json', sql`cast(${userId} as text)`)})
    and (except_id is null or except_id <> ${userId})
    order by at, cid, seq limit ${SYNC_EVENTS_MAX + 1}`.execute(db)
  return rows
}

/** A channel's events after a sequence number, oldest first, for a node that missed some. */
export async function eventsAfter(db: Db, app: string, cid: string, seq: number): Promise<EventRow[]> {
  const newest = await newestSeq(db, app, cid)
  const missed = newest - seq
  if (missed <= 0) return []
  // They are in the range up to the newest, which is contiguous; not every number is kept, and later events follow
  // them.
  const { rows } = await sql<EventRow>`select * from events where app = ${app} and cid = ${cid} and seq > ${seq}
    and at >= coalesce((select at from events where app = ${app} and cid = ${cid} and seq <= ${newest}
      order by at desc, seq desc limit 1 offset ${missed - 1}), 0)
    order by at, seq limit ${SYNC_EVENTS_MAX}`.execute(db)
  return rows
}

/**
 * Messages posted between two times in channels of these types, oldest first; found by time alone, so the cost depends
 * only on the activity in between.
 */
export async function postsBetween(
  db: Db,
  dialect: Dialect,
  app: string,
  types: readonly string[],
  { from, to }: { from: Micros; to: Micros },
  limit: number,
): Promise<Pick<EventRow, 'cid' | 'at'>[]> {
  const ofTypes = types.map((type) => sql`substr(cid, 1, ${sql.lit(type.length + 1)}) = ${`${type}:`}`)
  const { rows } = await sql<Pick<EventRow, 'cid' | 'at'>>`select cid, at from events
    where at > ${from} and at <= ${to} and ${dialect.unindexed(sql.ref('app'))} = ${app} and type = 'message.new'
    and (${sql.join(ofTypes, sql` or `)}) order by at limit ${limit}`.execute(db)
  return rows
}

/** Purges a batch of a channel's events from before a time; returns how many. */
export async function dropSaid(db: Db, app: string, cid: string, before: Micros, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from events where app = ${app} and cid = ${cid} and (at, seq) in (
    select at, seq from events where app = ${app} and cid = ${cid} and at < ${before}
    and (type like 'message.%' or type like 'reaction.%' or type like 'thread.%' or type like 'draft.%'
      or type like 'user.%') order by at, seq limit ${limit})`.execute(db)
  return Number(numAffectedRows)
}

/** The time of the last event of a page after a time; undefined when fewer are left. */
export async function endOfPage(
  db: Db,
  app: string,
  cid: string,
  after: Micros,
  limit: number,
): Promise<Micros | undefined> {
  const { rows } = await sql<{ at: Micros }>`select at from events where app = ${app} and cid = ${cid} and at > ${after}
    order by at limit 1 offset ${limit - 1}`.execute(db)
  return rows[0]?.at
}

/** Purges the events between two times that contain a user as an object, or an object with one of these ids. */
export async function dropEventsNaming(
  db: Db,
  dialect: Dialect,
  { app, cid, userId, ids }: { app: string; cid: string; userId: string; ids: readonly string[] },
  { after, to }: { after: Micros; to: Micros },
) {
  // As `userWire` writes it; the ids of channels and messages come before other keys.
  const name = sql`${`"id":${JSON.stringify(userId)},"role":`}`
  await sql`delete from events where app = ${app} and cid = ${cid} and at > ${after} and at <= ${to}
    and (${dialect.hasInside(sql.ref('body'), name)} or user_id = ${userId}
    or exists (select 1 from ${dialect.list(ids, 'text')}
      where ${dialect.hasInside(sql.ref('body'), sql`'"id":"' || value || '"'`)}))`.execute(db)
}

async function newestSeq(db: Db, app: string, cid: string): Promise<number> {
  const { rows } = await sql<{ seq: number }>`select seq from events where app = ${app} and cid = ${cid}
    order by at desc, seq desc limit 1`.execute(db)
  return rows[0]?.seq ?? 0
}

export async function dropEventsBefore(db: Db, at: Micros) {
  await db.deleteFrom('events').where('at', '<', at).execute()
}
