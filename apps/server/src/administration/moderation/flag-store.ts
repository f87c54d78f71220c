import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../../platform/database/dialect.ts'
import { tieBreak } from '../../platform/database/filter-compiler.ts'
import type { PageQuery } from '../../platform/database/keyset.ts'
import type { FlagReportRow, FlagRow, Tables } from '../../platform/database/tables.ts'
import type { Micros } from '../../platform/micros.ts'

type Db = Kysely<Tables>

/** The unique sort key of a flag; the table has the alias `f`. */
export const flagKey = [tieBreak('f.subject'), tieBreak('f.user_id'), tieBreak('f.n', { kind: 'number' })]

/** All flags of a subject by one user, or by rules. */
export function flagsOf(db: Db, app: string, subject: string, userId: string): Promise<FlagRow[]> {
  return db
    .selectFrom('flags')
    .selectAll()
    .where('app', '=', app)
    .where('subject', '=', subject)
    .where('user_id', '=', userId)
    .orderBy('n')
    .execute()
}

export async function insertFlags(db: Db, flags: readonly FlagRow[]) {
  await db.insertInto('flags').values(flags).execute()
}

/** Updates the reason of a flag. */
export async function updateFlag(db: Db, { app, subject, user_id, n, reason, data, updated_at }: FlagRow) {
  await db
    .updateTable('flags')
    .set({ reason, data, updated_at })
    .where('app', '=', app)
    .where('subject', '=', subject)
    .where('user_id', '=', user_id)
    .where('n', '=', n)
    .execute()
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

/** How many flags there are of content a user created. */
export async function countFlagsAgainst(
  db: Db,
  app: string,
  targetId: string,
  entityType: string | undefined,
  visible: RawBuilder<boolean>,
): Promise<number> {
  const ofType = entityType === undefined ? sql`` : sql`and f.entity_type = ${entityType}`
  const { rows } = await sql<{ count: number }>`select count(*) as count from flags f
    where f.app = ${app} and f.target_id = ${targetId} ${ofType} and ${visible}`.execute(db)
  return Number(rows[0]!.count)
}

/** The newest flags of each of these subjects. */
export async function newestFlags(
  db: Db,
  dialect: Dialect,
  app: string,
  subjects: readonly string[],
  perSubject: number,
): Promise<FlagRow[]> {
  const { rows } = await sql<FlagRow>`select * from (select f.*,
      row_number() over (partition by f.subject order by f.created_at desc, f.user_id, f.n) as place
    from flags f where f.app = ${app} and f.subject ${dialect.among(subjects, 'text')}) t
    where t.place <= ${perSubject} order by t.subject, t.place`.execute(db)
  return rows
}

/** Counts more flags of a message and marks its report as not reviewed. */
export async function raiseReport(db: Db, { app, message_id, cid, target_id, created_at }: FlagRow, more: number) {
  await sql`insert into flag_reports values (${app}, ${message_id}, ${cid}, ${target_id}, ${more}, ${created_at},
    ${created_at}, null, null, null, null)
    on conflict (app, id) do update set flags_count = flag_reports.flags_count + ${more}, updated_at = ${created_at},
    review_result = null, review_details_json = null, reviewed_at = null, reviewed_by = null`.execute(db)
}

/** Counts one flag less; a report without flags is deleted. */
export async function lowerReport(db: Db, app: string, id: string) {
  await sql`update flag_reports set flags_count = flags_count - 1 where app = ${app} and id = ${id}`.execute(db)
  await sql`delete from flag_reports where app = ${app} and id = ${id} and flags_count <= 0`.execute(db)
}

/** Records the decision on a report; undefined when there is none. */
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

/** Marks the flags of these subjects as reviewed. */
export async function reviewFlags(
  db: Db,
  dialect: Dialect,
  app: string,
  subjects: readonly string[],
  at: Micros,
  by: string | null,
) {
  await sql`update flags set reviewed_at = ${at}, reviewed_by = ${by}, updated_at = ${at} where app = ${app}
    and subject ${dialect.among(subjects, 'text')} and reviewed_at is null`.execute(db)
}

/** The flags matching a filter on the row `f`. */
export async function findFlags(db: Db, app: string, { where, keys, page }: PageQuery): Promise<FlagRow[]> {
  const { rows } = await sql<FlagRow>`select f.* ${keys} from flags f where f.app = ${app} and ${where}
    ${page}`.execute(db)
  return rows
}

/** The reports matching a filter on the row `r`. */
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

/** Deletes the flags and reports of messages. */
export async function deleteFlagsOf(db: Db, dialect: Dialect, app: string, subjects: readonly string[]) {
  await sql`delete from flags where app = ${app}
    and subject ${dialect.among(subjects, 'text')}`.execute(db)
}

export async function deleteReports(db: Db, dialect: Dialect, app: string, ids: readonly string[]) {
  await sql`delete from flag_reports where app = ${app}
    and id ${dialect.among(ids, 'text')}`.execute(db)
}

/** Deletes the flags and reports of a channel before a time. */
export async function deleteFlagsInChannel(db: Db, app: string, cid: string, before: Micros) {
  // A message with the same timestamp may have been sent afterwards, and is still there.
  await sql`delete from flags where app = ${app} and cid = ${cid} and created_at <= ${before}
    and not exists (select 1 from messages m where m.app = flags.app and m.id = flags.message_id)`.execute(db)
  await sql`delete from flag_reports where app = ${app} and cid = ${cid} and created_at <= ${before}
    and not exists (select 1 from messages m where m.app = flag_reports.app and m.id = flag_reports.id)`.execute(db)
}
