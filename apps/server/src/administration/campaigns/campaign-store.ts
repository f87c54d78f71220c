import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../../platform/database/dialect.ts'
import type { PageQuery } from '../../platform/database/keyset.ts'
import type { CampaignRow, CampaignTargetRow, Tables } from '../../platform/database/tables.ts'

type Db = Kysely<Tables>

export function campaignById(db: Db, app: string, id: string): Promise<CampaignRow | undefined> {
  return db.selectFrom('campaigns').selectAll().where('app', '=', app).where('id', '=', id).executeTakeFirst()
}

/** The campaign, locked until the write is done. */
export async function heldCampaign(
  db: Db,
  dialect: Dialect,
  app: string,
  id: string,
): Promise<CampaignRow | undefined> {
  const { rows } = await sql<CampaignRow>`select * from campaigns where app = ${app} and id = ${id}
    ${dialect.forUpdate}`.execute(db)
  return rows[0]
}

/** False if the id is taken. */
export async function addCampaign(db: Db, row: CampaignRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('campaigns')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function setCampaign(db: Db, { app, id, key: _, ...row }: CampaignRow) {
  await db.updateTable('campaigns').set(row).where('app', '=', app).where('id', '=', id).execute()
}

export async function deleteCampaignRow(db: Db, { app, id }: CampaignRow) {
  await db.deleteFrom('campaigns').where('app', '=', app).where('id', '=', id).execute()
}

export async function findCampaigns(db: Db, app: string, { where, keys, page }: PageQuery): Promise<CampaignRow[]> {
  const { rows } = await sql<CampaignRow>`select k.* ${keys} from campaigns k where k.app = ${app} and ${where}
    ${page}`.execute(db)
  return rows
}

/** The id of a scheduled or running campaign that targets a segment. */
export async function campaignTo(
  db: Db,
  dialect: Dialect,
  app: string,
  segmentId: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`select k.id from campaigns k where k.app = ${app}
    and k.status in ('scheduled', 'in_progress') and exists (select 1 from ${dialect.jsonTexts('k.segment_ids_json')} s
      where s.value = ${segmentId}) limit 1`.execute(db)
  return rows[0]?.id
}

/** The counters of a page of sending. */
export type Came = Pick<CampaignRow, 'done' | 'users_sent' | 'channels_created' | 'messages_sent'>

export async function addCame(db: Db, app: string, run: string, id: string, came: Came) {
  await db
    .updateTable('campaigns')
    .set((value) => ({
      done: value('done', '+', came.done),
      users_sent: value('users_sent', '+', came.users_sent),
      channels_created: value('channels_created', '+', came.channels_created),
      messages_sent: value('messages_sent', '+', came.messages_sent),
    }))
    .where('app', '=', app)
    .where('id', '=', id)
    .where('run', '=', run)
    .execute()
}

export async function setUsersRead(db: Db, app: string, run: string, id: string, users_read: number) {
  await db
    .updateTable('campaigns')
    .set({ users_read })
    .where('app', '=', app)
    .where('id', '=', id)
    .where('run', '=', run)
    .execute()
}

/** Adds targets to a run, without duplicates. */
export async function addRunTargets(db: Db, dialect: Dialect, app: string, run: string, ids: readonly string[]) {
  // SQLite parses `on conflict` after a select as a join unless the select has a condition.
  await sql`insert into campaign_targets (app, run, target_id, made)
    select ${app}, ${run}, value, 0 from ${dialect.list(ids, 'text')} where 1 = 1 on conflict do nothing`.execute(db)
}

/** Stores the number of gathered targets. */
export async function setTargetCount(db: Db, app: string, run: string, id: string) {
  await sql`update campaigns set targets = (select count(*) from campaign_targets where app = ${app} and run = ${run})
    where app = ${app} and id = ${id}`.execute(db)
}

/** The next targets of a run, ordered by id. */
export function runTargets(
  db: Db,
  app: string,
  run: string,
  after: string,
  limit: number,
): Promise<CampaignTargetRow[]> {
  return db
    .selectFrom('campaign_targets')
    .selectAll()
    .where('app', '=', app)
    .where('run', '=', run)
    .where('target_id', '>', after)
    .orderBy('target_id')
    .limit(limit)
    .execute()
}

/** Records that a channel was made for a target. */
export async function markMade(db: Db, { app, run, target_id }: CampaignTargetRow) {
  await db
    .updateTable('campaign_targets')
    .set({ made: 1 })
    .where('app', '=', app)
    .where('run', '=', run)
    .where('target_id', '=', target_id)
    .execute()
}

/** Stores the messages of a page. */
export async function setSent(db: Db, dialect: Dialect, rows: readonly CampaignTargetRow[]) {
  await dialect.updateRows(db, 'campaign_targets', ['app', 'run', 'target_id'], ['message_id'], rows)
}

/** Deletes a page of a run's targets; returns how many. */
export async function deleteRunPage(
  db: Db,
  dialect: Dialect,
  app: string,
  run: string,
  limit: number,
): Promise<number> {
  const rows = await runTargets(db, app, run, '', limit)
  const ids = rows.map((row) => row.target_id)
  await sql`delete from campaign_targets where app = ${app} and run = ${run}
    and target_id ${dialect.among(ids, 'text')}`.execute(db)
  return ids.length
}

/** How many of the users have read the message sent to them. */
export async function countReaders(
  db: Db,
  dialect: Dialect,
  app: string,
  sent: readonly { target_id: string; message_id: string }[],
): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${pairsOf(dialect, sent)} k
    join messages g on g.app = ${app} and g.id = k.b
    join reads r on r.app = g.app and r.cid = g.cid and r.user_id = k.a and r.last_read >= g.created_at`.execute(db)
  return Number(rows[0]!.count)
}

/** How many members of the channels, without the sender, have read the message sent there. */
export async function countReadersIn(
  db: Db,
  dialect: Dialect,
  app: string,
  senderId: string,
  sent: readonly { target_id: string; message_id: string }[],
): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${pairsOf(dialect, sent)} k
    join messages g on g.app = ${app} and g.id = k.b
    join reads r on r.app = g.app and r.cid = k.a and r.user_id <> ${senderId}
      and r.last_read >= g.created_at`.execute(db)
  return Number(rows[0]!.count)
}

function pairsOf(dialect: Dialect, sent: readonly { target_id: string; message_id: string }[]) {
  const [targets, messages] = [sent.map((row) => row.target_id), sent.map((row) => row.message_id)]
  return sql`(select a, b from ${dialect.pairs(targets, messages)})`
}
