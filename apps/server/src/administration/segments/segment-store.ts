import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../../platform/database/dialect.ts'
import type { PageQuery } from '../../platform/database/keyset.ts'
import type { SegmentRow, SegmentTargetRow, Tables } from '../../platform/database/tables.ts'

type Db = Kysely<Tables>
type Name = Pick<SegmentRow, 'app' | 'id'>

export function segmentById(db: Db, app: string, id: string): Promise<SegmentRow | undefined> {
  return db.selectFrom('segments').selectAll().where('app', '=', app).where('id', '=', id).executeTakeFirst()
}

/** The segment, locked until the write is done. */
export async function heldSegment(db: Db, dialect: Dialect, { app, id }: Name): Promise<SegmentRow | undefined> {
  const { rows } = await sql<SegmentRow>`select * from segments where app = ${app} and id = ${id}
    ${dialect.forUpdate}`.execute(db)
  return rows[0]
}

/** The existing ones of the segments. */
export async function segmentsByIds(
  db: Db,
  dialect: Dialect,
  app: string,
  ids: readonly string[],
): Promise<SegmentRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<SegmentRow>`select * from segments where app = ${app}
    and id ${dialect.among(ids, 'text')}`.execute(db)
  return rows
}

/** The existing ones of the segments, which cannot be deleted until the write is done. */
export async function heldSegments(db: Db, dialect: Dialect, app: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: string }>`select id from segments where app = ${app}
    and id ${dialect.among(ids, 'text')} order by id ${dialect.forUpdate}`.execute(db)
  return rows.map(({ id }) => id)
}

/** The segments a user was added to by hand, locked until the write is done. */
export async function heldSegmentsWith(db: Db, dialect: Dialect, app: string, userId: string): Promise<SegmentRow[]> {
  const { rows } = await sql<SegmentRow>`select s.* from segments s where s.app = ${app} and s.type = 'user'
    and exists (select 1 from segment_targets t where t.app = s.app and t.segment = s.key and t.target_id = ${userId})
    order by s.id ${dialect.forUpdate}`.execute(db)
  return rows
}

/** False if the id is taken. */
export async function addSegment(db: Db, row: SegmentRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('segments')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function setSegment(db: Db, row: SegmentRow) {
  const { app, id, name, description, filter_json, size, task_id, updated_at } = row
  await db
    .updateTable('segments')
    .set({ name, description, filter_json, size, task_id, updated_at })
    .where('app', '=', app)
    .where('id', '=', id)
    .execute()
}

/** Stores a count, unless a newer count was started. */
export async function setCount(db: Db, app: string, taskId: string, id: string, size: number) {
  await db
    .updateTable('segments')
    .set({ size, task_id: null })
    .where('app', '=', app)
    .where('id', '=', id)
    .where('task_id', '=', taskId)
    .execute()
}

export async function changeSize(db: Db, { app, id }: Name, by: number, at: number) {
  await db
    .updateTable('segments')
    .set((value) => ({ size: value('size', '+', by), updated_at: at }))
    .where('app', '=', app)
    .where('id', '=', id)
    .execute()
}

/** Returns the deleted row. */
export function deleteSegmentRow(db: Db, { app, id }: Name): Promise<SegmentRow | undefined> {
  return db.deleteFrom('segments').where('app', '=', app).where('id', '=', id).returningAll().executeTakeFirst()
}

export async function findSegments(db: Db, app: string, { where, keys, page }: PageQuery): Promise<SegmentRow[]> {
  const { rows } = await sql<SegmentRow>`select s.* ${keys} from segments s where s.app = ${app} and ${where}
    ${page}`.execute(db)
  return rows
}

/** Adds targets, without duplicates; returns how many are new. */
export async function addTargets(
  db: Db,
  dialect: Dialect,
  { app, key }: SegmentRow,
  ids: readonly string[],
  at: number,
): Promise<number> {
  // SQLite parses `on conflict` after a select as a join unless the select has a condition.
  const { rows } = await sql`insert into segment_targets (app, segment, target_id, created_at)
    select ${app}, ${key}, value, cast(${at} as bigint) from ${dialect.list(ids, 'text')} where 1 = 1
    on conflict do nothing returning target_id`.execute(db)
  return rows.length
}

/** Returns how many were deleted. */
export async function deleteTargets(
  db: Db,
  dialect: Dialect,
  { app, key }: SegmentRow,
  ids: readonly string[],
): Promise<number> {
  const { rows } = await sql`delete from segment_targets where app = ${app} and segment = ${key}
    and target_id ${dialect.among(ids, 'text')} returning target_id`.execute(db)
  return rows.length
}

/** Deletes a page of targets; returns how many. */
export async function deleteTargetsPage(
  db: Db,
  dialect: Dialect,
  app: string,
  key: string,
  limit: number,
): Promise<number> {
  const { rows } = await sql<{ target_id: string }>`select target_id from segment_targets
    where app = ${app} and segment = ${key} limit ${limit}`.execute(db)
  const ids = rows.map((row) => row.target_id)
  await sql`delete from segment_targets where app = ${app} and segment = ${key}
    and target_id ${dialect.among(ids, 'text')}`.execute(db)
  return ids.length
}

/** Columns of a table `t` of targets. */
export type Target = Pick<SegmentTargetRow, 'target_id' | 'created_at'>

export async function findTargets(
  db: Db,
  source: RawBuilder<Target>,
  { where, keys, page }: PageQuery,
): Promise<Target[]> {
  const { rows } = await sql<Target>`select t.* ${keys} from ${source} t where ${where} ${page}`.execute(db)
  return rows
}

/** How many targets follow one, up to a limit, and the last of them. */
export async function countAfter(
  db: Db,
  source: RawBuilder<Target>,
  after: string,
  limit: number,
): Promise<{ count: number; last: string | null }> {
  const { rows } = await sql<{ count: number; last: string | null }>`select count(*) as count, max(p.target_id) as last
    from (select t.target_id from ${source} t where t.target_id > ${after} order by t.target_id limit ${limit}) p`.execute(
    db,
  )
  return { count: Number(rows[0]!.count), last: rows[0]!.last }
}
