import { MESSAGE_ENTITY } from '@parley/protocol/review'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../../platform/database/dialect.ts'
import type { PageQuery } from '../../platform/database/keyset.ts'
import type { BouncedMessageRow, ReviewActionRow, ReviewItemRow, Tables } from '../../platform/database/tables.ts'
import type { Micros } from '../../platform/micros.ts'

type Db = Kysely<Tables>

export function itemBySubject(db: Db, app: string, subject: string): Promise<ReviewItemRow | undefined> {
  return db
    .selectFrom('review_items')
    .selectAll()
    .where('app', '=', app)
    .where('subject', '=', subject)
    .executeTakeFirst()
}

/** The item of a subject, locked until the write is done. */
export async function heldItem(
  db: Db,
  dialect: Dialect,
  app: string,
  subject: string,
): Promise<ReviewItemRow | undefined> {
  const { rows } = await sql<ReviewItemRow>`select * from review_items where app = ${app} and subject = ${subject}
    ${dialect.forUpdate}`.execute(db)
  return rows[0]
}

export function itemById(db: Db, app: string, id: string): Promise<ReviewItemRow | undefined> {
  return db.selectFrom('review_items').selectAll().where('app', '=', app).where('id', '=', id).executeTakeFirst()
}

export async function insertItem(db: Db, item: ReviewItemRow) {
  await db.insertInto('review_items').values(item).execute()
}

export async function updateItem(db: Db, app: string, id: string, change: Partial<ReviewItemRow>) {
  await db.updateTable('review_items').set(change).where('app', '=', app).where('id', '=', id).execute()
}

/** The items matching a filter on the row `q`. */
export async function findItems(db: Db, app: string, { where, keys, page }: PageQuery): Promise<ReviewItemRow[]> {
  const { rows } = await sql<ReviewItemRow>`select q.* ${keys} from review_items q where q.app = ${app} and ${where}
    ${page}`.execute(db)
  return rows
}

/** How many items match a filter, and how many of them are reviewed; counts no further than the newest `limit`. */
export async function countItems(
  db: Db,
  app: string,
  where: RawBuilder<boolean>,
  limit: number,
): Promise<{ total: number; reviewed: number }> {
  const { rows } = await sql<{ total: number; reviewed: number }>`select count(*) as total,
    count(t.reviewed_at) as reviewed from (select q.reviewed_at from review_items q where q.app = ${app} and ${where}
    order by q.created_at desc limit ${limit}) t`.execute(db)
  return { total: Number(rows[0]!.total), reviewed: Number(rows[0]!.reviewed) }
}

/** Locks items for a moderator for a while. */
export async function assignItems(
  db: Db,
  dialect: Dialect,
  app: string,
  ids: readonly string[],
  to: string,
  until: Micros,
) {
  await sql`update review_items set assigned_to = ${to}, assigned_until = ${until} where app = ${app}
    and id ${dialect.among(ids, 'text')}`.execute(db)
}

export async function unassignItems(db: Db, app: string, from: string) {
  await db
    .updateTable('review_items')
    .set({ assigned_to: null, assigned_until: null })
    .where('app', '=', app)
    .where('assigned_to', '=', from)
    .execute()
}

/** Unreviewed items of a user's content, without the user's own item; oldest first. */
export async function openItemsOf(db: Db, app: string, creatorId: string, limit: number): Promise<ReviewItemRow[]> {
  return db
    .selectFrom('review_items')
    .selectAll()
    .where('app', '=', app)
    .where('creator_id', '=', creatorId)
    .where('reviewed_at', 'is', null)
    .orderBy('created_at')
    .limit(limit)
    .execute()
}

export async function markItems(
  db: Db,
  dialect: Dialect,
  app: string,
  ids: readonly string[],
  { at, by, action }: { at: Micros; by: string | null; action: string },
) {
  await sql`update review_items set reviewed_at = ${at}, reviewed_by = ${by}, latest_action = ${action},
    updated_at = ${at} where app = ${app} and id ${dialect.among(ids, 'text')}`.execute(db)
}

export async function insertAction(db: Db, action: ReviewActionRow) {
  await db.insertInto('review_actions').values(action).execute()
}

/** The newest actions on each of these items. */
export async function actionsOfItems(
  db: Db,
  dialect: Dialect,
  app: string,
  itemIds: readonly string[],
  perItem: number,
): Promise<ReviewActionRow[]> {
  const { rows } = await sql<ReviewActionRow>`select * from (select a.*,
      row_number() over (partition by a.item_id order by a.created_at desc, a.id) as place
    from review_actions a where a.app = ${app} and a.item_id ${dialect.among(itemIds, 'text')}) t
    where t.place <= ${perItem} order by t.item_id, t.place`.execute(db)
  return rows
}

/** The actions matching a filter on the row `a`. */
export async function findActions(db: Db, app: string, { where, keys, page }: PageQuery): Promise<ReviewActionRow[]> {
  const { rows } = await sql<ReviewActionRow>`select a.* ${keys} from review_actions a where a.app = ${app}
    and ${where} ${page}`.execute(db)
  return rows
}

/** How much content of each of these users was reported, and how much of it moderators removed. */
export async function recordsOf(
  db: Db,
  dialect: Dialect,
  app: string,
  userIds: readonly string[],
  removing: readonly string[],
): Promise<{ flagged: Map<string, number>; deleted: Map<string, number> }> {
  const among = dialect.among(userIds, 'text')
  const flagged = await sql<{ id: string; n: number }>`select creator_id as id, count(*) as n from review_items
    where app = ${app} and creator_id ${among} group by creator_id`.execute(db)
  const deleted = await sql<{ id: string; n: number }>`select target_user_id as id, count(*) as n from review_actions
    where app = ${app} and target_user_id ${among} and type ${dialect.among(removing, 'text')}
    group by target_user_id`.execute(db)
  const byId = (rows: readonly { id: string; n: number }[]) => new Map(rows.map(({ id, n }) => [id, Number(n)]))
  return { flagged: byId(flagged.rows), deleted: byId(deleted.rows) }
}

/** Deletes items and their actions. */
export async function deleteItems(db: Db, dialect: Dialect, app: string, ids: readonly string[]) {
  const among = dialect.among(ids, 'text')
  await sql`delete from review_actions where app = ${app} and item_id ${among}`.execute(db)
  await sql`delete from review_items where app = ${app} and id ${among}`.execute(db)
}

/** The items of these subjects. */
export async function itemsBySubjects(
  db: Db,
  dialect: Dialect,
  app: string,
  subjects: readonly string[],
): Promise<ReviewItemRow[]> {
  const { rows } = await sql<ReviewItemRow>`select * from review_items where app = ${app}
    and subject ${dialect.among(subjects, 'text')}`.execute(db)
  return rows
}

/** A page of the items about messages sent in a channel before a time. */
export async function itemsInChannel(
  db: Db,
  app: string,
  cid: string,
  before: Micros,
  limit: number,
): Promise<ReviewItemRow[]> {
  return (
    db
      .selectFrom('review_items')
      .selectAll()
      .where('app', '=', app)
      .where('cid', '=', cid)
      // A message with the same timestamp may have been sent afterwards, and is still there.
      .where('created_at', '<=', before)
      .where(sql<boolean>`not exists (select 1 from messages m where m.app = review_items.app
      and m.id = review_items.entity_id)`)
      .limit(limit)
      .execute()
  )
}

/** A page of the items about a user's messages. */
export async function messageItemsOf(
  db: Db,
  app: string,
  creatorId: string,
  cid: string | undefined,
  limit: number,
): Promise<ReviewItemRow[]> {
  return db
    .selectFrom('review_items')
    .selectAll()
    .where('app', '=', app)
    .where('creator_id', '=', creatorId)
    .where('entity_type', '=', MESSAGE_ENTITY)
    .$if(cid !== undefined, (query) => query.where('cid', '=', cid!))
    .limit(limit)
    .execute()
}

/** Records that a message bounced; false if it did so before. */
export async function noteBounce(db: Db, bounce: BouncedMessageRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('bounced_messages')
    .values(bounce)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function deleteBouncesBefore(db: Db, before: Micros) {
  await db.deleteFrom('bounced_messages').where('at', '<', before).execute()
}
