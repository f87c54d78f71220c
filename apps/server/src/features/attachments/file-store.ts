import { type Kysely, sql } from 'kysely'
import type { FileRow, FileVariantRow, Tables } from '../../platform/database/tables.ts'
import type { Micros } from '../../platform/micros.ts'

type Db = Kysely<Tables>

const IDS_AT_ONCE = 500

export function fileById(db: Db, id: string): Promise<FileRow | undefined> {
  return db.selectFrom('files').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function filesById(db: Db, ids: readonly string[]) {
  const found: { id: string; app: string }[] = []
  for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
    const page = ids.slice(from, from + IDS_AT_ONCE)
    found.push(...(await db.selectFrom('files').select(['id', 'app']).where('id', 'in', page).execute()))
  }
  return found
}

export async function addFile(db: Db, file: FileRow) {
  await db
    .insertInto('files')
    .values({ ...file, named_at: file.created_at })
    .execute()
}

export function filesOf(db: Db, app: string, userId: string, limit: number): Promise<FileRow[]> {
  return db
    .selectFrom('files')
    .selectAll()
    .where('app', '=', app)
    .where('user_id', '=', userId)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** The variants of a file: resized pictures, converted sound. */
export function variantsOf(db: Db, fileId: string): Promise<FileVariantRow[]> {
  return db.selectFrom('file_variants').selectAll().where('file_id', '=', fileId).execute()
}

export async function addVariant(db: Db, variant: FileVariantRow) {
  await db
    .insertInto('file_variants')
    .values(variant)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function deleteFileRows(db: Db, id: string) {
  await db.deleteFrom('file_variants').where('file_id', '=', id).execute()
  await db.deleteFrom('files').where('id', '=', id).execute()
}

/** A key that is created once and kept: the first caller creates it. */
export async function keptKey(db: Db, name: string, fresh: string): Promise<string> {
  await db
    .insertInto('keys')
    .values({ name, value: fresh })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await db.selectFrom('keys').select('value').where('name', '=', name).executeTakeFirstOrThrow()
  return row.value
}

export async function hasKey(db: Db, name: string): Promise<boolean> {
  return (await db.selectFrom('keys').select('name').where('name', '=', name).executeTakeFirst()) !== undefined
}

/** Takes the turn for periodic work if no other node took it first. */
export async function takeKeyTurn(db: Db, name: string, now: Micros, before: Micros): Promise<boolean> {
  const fresh = { name, value: String(now) }
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('keys')
    .values(fresh)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows) return true
  const { value } = await db.selectFrom('keys').select('value').where('name', '=', name).executeTakeFirstOrThrow()
  if (Number(value) > before) return false
  const { numUpdatedRows } = await db
    .updateTable('keys')
    .set({ value: String(now) })
    .where('name', '=', name)
    .where('value', '=', value)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Whether users of an app have uploaded files that still exist. */
export async function hasUploads(db: Db, app: string): Promise<boolean> {
  const row = await db
    .selectFrom('files')
    .select('id')
    .where('app', '=', app)
    .where('kind', 'in', ['file', 'image'])
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** @returns false if its size was another one */
export async function setFileSize(db: Db, id: string, { from, to }: { from: number; to: number }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('files')
    .set({ size: to })
    .where('id', '=', id)
    .where('size', '=', from)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Exports or imports older than a time. */
export function appFilesBefore(db: Db, kind: 'export' | 'import', before: Micros, limit: number) {
  return (
    db
      .selectFrom('files')
      .select(['app', 'id'])
      .where('created_at', '<', before)
      // The partial index covers these two kinds; the planner uses it for literals only.
      .where('kind', 'in', [sql.lit('export' as const), sql.lit('import' as const)])
      .where('kind', '=', kind)
      .limit(limit)
      .execute()
  )
}
