import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../database/dialect.ts'
import type { FlagReportRow, FlagRow, Tables } from '../database/tables.ts'
import type { Micros } from '../micros.ts'

type Db = Kysely<Tables>

export function flagOf(db: Db, app: string, subject: string, userId: string): Promise<FlagRow | undefined> {
  return db
    .selectFrom('flags')
    .selectAll()
    .where('app', '=', app)
    .where('subject', '=', subject)
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

export async function insertFlag(db: Db, flag: FlagRow) {
  await db.insertInto('flags').values(flag).execute()
}

export async function deleteFlag(db: Db, { app, subject, user_id }: FlagRow) {
  await db
    .deleteFrom('flags')
    .where('app', '=', app)
    .where('subject', '=', subject)
    .where('user_id', '=', user_id)
    .execute()
}

export async function countFlags(db: Db, app: string, subject: string): Promise<number> {
  const { count } = await db
    .selectFrom('flags')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('app', '=', app)
    .where('subject', '=', subject)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export function firstFlagOf(db: Db, app: string, subject: string): Promise<FlagRow | undefined> {
  return db
    .selectFrom('flags')
    .selectAll()
    .where('app', '=', app)
    .where('subject', '=', subject)
    .orderBy('created_at')
    .orderBy('user_id')
    .limit(1)
    .executeTakeFirst()
}

/** Counts one more flag of a message, which nobody has looked at yet. */
export async function raiseReport(db: Db, { app, message_id, cid, target_id, created_at }: FlagRow) {
  await sql`insert into flag_reports values (${app}, ${message_id}, ${cid}, ${target_id}, 1, ${created_at},
    ${created_at}, null, null, null, null)
    on conflict (app, id) do update set flags_count = flag_reports.flags_count + 1, updated_at = ${created_at},
    review_result = null, review_details_json = null, reviewed_at = null, reviewed_by = null`.execute(db)
}

/** Counts one flag less; a report without any is no more. */
export async function lowerReport(db: Db, app: string, id: string) {
  await sql`update flag_reports set flags_count = flags_count - 1 where app = ${app} and id = ${id}`.execute(db)
  await sql`delete from flag_reports where app = ${app} and id = ${id} and flags_count <= 0`.execute(db)
}

/** Notes what came of a report; undefined when there is none. */
export function reviewReport(
  db: Db,
  app: string,
  id: string,
  review: Pick<FlagReportRow, 'review_result' | 'review_details_json' | 'reviewed_at' | 'reviewed_by' | 'updated_at'>,
): Promise<FlagReportRow | undefined> {
  return db
    .updateTable('flag_reports')
    .set(review)
    .where('app', '=', app)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst() as Promise<FlagReportRow | undefined>
}

/** Somebody looked at the flags of a message. */
export async function reviewFlags(db: Db, app: string, messageId: string, at: Micros, by: string | null) {
  await db
    .updateTable('flags')
    .set({ reviewed_at: at, reviewed_by: by, updated_at: at })
    .where('app', '=', app)
    .where('subject', '=', `message:${messageId}`)
    .where('reviewed_at', 'is', null)
    .execute()
}

/** The reports that a filter on the row `r` matches. */
export async function findReports(
  db: Db,
  app: string,
  where: RawBuilder<boolean>,
  order: RawBuilder<unknown>,
  page: { limit: number; offset: number },
): Promise<FlagReportRow[]> {
  const { rows } = await sql<FlagReportRow>`select r.* from flag_reports r where r.app = ${app} and ${where}
    order by ${order} limit ${page.limit} offset ${page.offset}`.execute(db)
  return rows
}

/** Forgets what was reported about messages. */
export async function deleteFlagsOf(db: Db, dialect: Dialect, app: string, subjects: readonly string[]) {
  await sql`delete from flags where app = ${app}
    and subject ${dialect.among(subjects, 'text')}`.execute(db)
}

export async function deleteReports(db: Db, dialect: Dialect, app: string, ids: readonly string[]) {
  await sql`delete from flag_reports where app = ${app}
    and id ${dialect.among(ids, 'text')}`.execute(db)
}

export async function findMessageFlags(
  db: Db,
  app: string,
  where: RawBuilder<boolean>,
  order: RawBuilder<unknown>,
  page: { limit: number; offset: number },
): Promise<FlagRow[]> {
  const { rows } = await sql<FlagRow>`select f.* from flags f where f.app = ${app} and f.message_id is not null
    and ${where} order by ${order} limit ${page.limit} offset ${page.offset}`.execute(db)
  return rows
}
