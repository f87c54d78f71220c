import { FLAGS_PAGE } from '@parley/protocol/limits'
import type { FlagReport, QueryFlagReportsRequest, ReviewFlagReportRequest } from '@parley/protocol/moderation'
import { type RawBuilder, sql } from 'kysely'
import type { Static } from 'typebox'
import type { Caller } from '../../chat/api/caller.ts'
import { readerOf } from '../../chat/api/reader.ts'
import { messagesShown } from '../../chat/messages/messages-shown.ts'
import { demandInApp } from '../../chat/permissions/demand-in-app.ts'
import { userSummariesOf } from '../../chat/users/user-summaries.ts'
import { ChatError } from '../../platform/chat-error.ts'
import { customOf } from '../../platform/custom-data.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { Dialect } from '../../platform/database/dialect.ts'
import {
  compileFilter,
  compileSort,
  type Entity,
  operators,
  textColumn,
  tieBreak,
} from '../../platform/database/filter-compiler.ts'
import type { FlagReportRow } from '../../platform/database/tables.ts'
import { isoOf } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import { markReviewed } from '../review/mark-reviewed.ts'
import { inOwnTeams } from '../review/review-access.ts'
import { findReports, reviewFlags, reviewReport } from './flag-store.ts'
import { publishFlagReview } from './publish-flag-events.ts'

/** The filter and sort fields of reports [administration.md 6.10]. */
const reportEntity: Entity = {
  filterName: 'filter_conditions',
  custom: undefined,
  tieBreak: [tieBreak('r.id')],
  fields: {
    report_id: textColumn('r.id'),
    message_id: textColumn('r.id'),
    message_user_id: textColumn('r.message_user_id'),
    user_id: textColumn('r.message_user_id'),
    channel_cid: textColumn('r.cid'),
    team: { kind: 'text', sql: teamOf('r'), operators: operators.equality },
    review_result: textColumn('r.review_result'),
    reviewed_by: textColumn('r.reviewed_by'),
    is_reviewed: { kind: 'flag', sql: isReviewed('r'), operators: operators.flag },
    created_at: { kind: 'time', sql: sql.ref('r.created_at'), operators: operators.comparisons },
  },
}

/**
 * Reports matching a filter, newest first unless sorted otherwise; a client sees those of its teams.
 *
 * @throws ChatError NotAllowedError (17)
 */
export async function queryFlagReports(
  server: Server,
  caller: Caller,
  request: Static<typeof QueryFlagReportsRequest>,
): Promise<FlagReport[]> {
  demandInApp(caller, 'read-flag-reports')
  const reader = readerOf(server, caller)
  const { dialect } = reader
  const sort = request.sort?.length ? request.sort : [{ field: 'created_at', direction: -1 as const }]
  const page = { limit: request.limit ?? FLAGS_PAGE, offset: request.offset ?? 0 }
  const where = sql<boolean>`${compileFilter(reportEntity, dialect, request.filter_conditions)} and ${ofOwn(caller, dialect)}`
  const rows = await findReports(
    reader.for(false),
    caller.app.id,
    where,
    compileSort(reportEntity, dialect, sort),
    page,
  )
  return reportWires(server, caller.app.id, rows)
}

/**
 * Records a moderator's decision on a report; its flags count as reviewed, and a later flag reopens it [MOD-12].
 *
 * @throws ChatError DoesNotExistError (16) — no such report, or one of other teams; NotAllowedError (17)
 */
export async function reviewFlagReport(
  server: Server,
  caller: Caller,
  id: string,
  { review_result, review_details }: Static<typeof ReviewFlagReportRequest>,
): Promise<FlagReport> {
  demandInApp(caller, 'update-flag-report')
  const app = caller.app.id
  const { read, dialect } = server.database
  const own = sql<boolean>`r.id = ${id} and ${ofOwn(caller, dialect)}`
  if ((await findReports(read, app, own, sql`r.id`, { limit: 1, offset: 0 })).length === 0) throw missing(id)
  const by = caller.user?.id ?? null
  const details = review_details && JSON.stringify(customOf(review_details, new Set()))
  return server.commit.write(app, [], async (batch) => {
    const report = await noteReview(server, batch, app, id, by, review_result, details)
    if (!report) throw missing(id)
    const subject = `message:${id}`
    await reviewFlags(batch.db, batch.dialect, app, [subject], batch.now(), by)
    await markReviewed(server, batch, app, subject, by)
    return report
  })
}

/** Marks the flags of these subjects, and the reports of the messages among them, as reviewed. */
export async function reviewSubjects(
  server: Server,
  batch: Batch,
  app: string,
  subjects: readonly string[],
  by: string | null,
) {
  await reviewFlags(batch.db, batch.dialect, app, subjects, batch.now(), by)
  for (const subject of subjects)
    if (subject.startsWith('message:'))
      await noteReview(server, batch, app, subject.slice('message:'.length), by, 'reviewed')
}

async function noteReview(
  server: Server,
  batch: Batch,
  app: string,
  id: string,
  by: string | null,
  result: string,
  details: string | undefined = undefined,
): Promise<FlagReport | undefined> {
  const at = batch.now()
  const reviewed = await reviewReport(batch.db, app, id, {
    review_result: result,
    review_details_json: details ?? null,
    reviewed_at: at,
    reviewed_by: by,
    updated_at: at,
  })
  if (!reviewed) return undefined
  const [report] = await reportWires(server, app, [reviewed])
  await publishFlagReview(server, batch, reviewed, report!)
  return report
}

/** Whether a moderator has reviewed the flag or report of a row. */
export function isReviewed(alias: 'f' | 'r'): RawBuilder<unknown> {
  return sql`(case when ${sql.ref(`${alias}.reviewed_at`)} is null then 0 else 1 end)`
}

/** The team of the channel of a row. */
export function teamOf(alias: 'f' | 'r'): RawBuilder<unknown> {
  return sql`(select c.team from channels c where c.app = ${sql.ref(`${alias}.app`)}
    and c.cid = ${sql.ref(`${alias}.cid`)})`
}

/** Whether the report of the row `r` is within the caller's teams. */
function ofOwn(caller: Caller, dialect: Dialect): RawBuilder<boolean> {
  return inOwnTeams(caller, dialect, teamOf('r'))
}

function missing(id: string): ChatError {
  return new ChatError('DoesNotExistError', `Can't find flag report with id ${id}`)
}

async function reportWires(server: Server, app: string, rows: readonly FlagReportRow[]): Promise<FlagReport[]> {
  const messages = await messagesShown(
    server,
    app,
    rows.map((row) => row.id),
  )
  const userSummaries = await userSummariesOf(
    server,
    app,
    rows.flatMap((row) => row.reviewed_by ?? []),
  )
  return rows.map((row) => {
    const message = messages.get(row.id)
    return {
      id: row.id,
      ...(message && { message }),
      message_user_id: row.message_user_id,
      channel_cid: row.cid,
      flags_count: row.flags_count,
      created_at: isoOf(row.created_at),
      updated_at: isoOf(row.updated_at),
      ...(row.review_result !== null && { review_result: row.review_result }),
      ...(row.review_details_json !== null && { review_details: JSON.parse(row.review_details_json) }),
      ...(row.reviewed_at !== null && { reviewed_at: isoOf(row.reviewed_at) }),
      ...(row.reviewed_by !== null && { reviewed_by: userSummaries.of(row.reviewed_by) }),
    }
  })
}
