import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../../platform/database/dialect.ts'
import type { PageQuery } from '../../platform/database/keyset.ts'
import type { ReminderRow, Tables } from '../../platform/database/tables.ts'

type Db = Kysely<Tables>

export function reminderOf(db: Db, app: string, userId: string, messageId: string): Promise<ReminderRow | undefined> {
  return db
    .selectFrom('reminders')
    .selectAll()
    .where('app', '=', app)
    .where('user_id', '=', userId)
    .where('message_id', '=', messageId)
    .executeTakeFirst()
}

/** The ids of the messages in these channels with a reminder of the user. Users have few reminders. */
export async function remindedIn(
  db: Db,
  dialect: Dialect,
  app: string,
  userId: string,
  cids: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ message_id: string }>`select message_id from reminders
    where app = ${app} and user_id = ${userId} and cid ${dialect.among(cids, 'text')}`.execute(db)
  return rows.map((row) => row.message_id)
}

/** The user's reminders of these messages. Users have few reminders, so the query scans those. */
export async function remindersAmong(
  db: Db,
  dialect: Dialect,
  app: string,
  userId: string,
  messageIds: readonly string[],
): Promise<ReminderRow[]> {
  if (messageIds.length === 0) return []
  const { rows } = await sql<ReminderRow>`select * from reminders where app = ${app} and user_id = ${userId}
    and ${dialect.unindexed(sql.ref('message_id'))} ${dialect.among(messageIds, 'text')}`.execute(db)
  return rows
}

/** A user's reminders matching a filter on the row `r`, in order. */
export async function findReminders(
  db: Db,
  app: string,
  userId: string,
  { where, keys, page }: PageQuery,
): Promise<ReminderRow[]> {
  const { rows } = await sql<ReminderRow>`select r.* ${keys} from reminders r where r.app = ${app}
    and r.user_id = ${userId} and ${where} ${page}`.execute(db)
  return rows
}

/** How many of a user's reminders have a time. */
export async function datedReminders(db: Db, app: string, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('reminders')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('app', '=', app)
    .where('user_id', '=', userId)
    .where('remind_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function putReminder(db: Db, reminder: ReminderRow) {
  const { remind_at, updated_at } = reminder
  await db
    .insertInto('reminders')
    .values(reminder)
    .onConflict((conflict) => conflict.columns(['app', 'user_id', 'message_id']).doUpdateSet({ remind_at, updated_at }))
    .execute()
}

/** Deletes a reminder; undefined when there was none. */
export function deleteReminderRow(db: Db, app: string, userId: string, messageId: string) {
  return db
    .deleteFrom('reminders')
    .where('app', '=', app)
    .where('user_id', '=', userId)
    .where('message_id', '=', messageId)
    .returningAll()
    .executeTakeFirst()
}

/** Deletes the reminders of an erased channel. */
export async function deleteRemindersIn(db: Db, app: string, cid: string) {
  await db.deleteFrom('reminders').where('app', '=', app).where('cid', '=', cid).execute()
}
