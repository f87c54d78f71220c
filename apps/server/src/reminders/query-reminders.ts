import { REMINDERS_PAGE } from '@parley/protocol/limits'
import type { QueryRemindersRequest, Reminder } from '@parley/protocol/reminders'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { queryPage } from '../database/cursor.ts'
import type { Dialect } from '../database/dialect.ts'
import { type Entity, operators } from '../database/filter-compiler.ts'
import type { UserRow } from '../database/tables.ts'
import type { Server } from '../server.ts'
import { findReminders } from './reminder-store.ts'
import { wholeReminders } from './whole-reminders.ts'

/** A user's reminders that a filter matches, what comes first first unless sorted otherwise. */
export async function queryReminders(
  server: Server,
  user: UserRow,
  request: Static<typeof QueryRemindersRequest>,
): Promise<{ reminders: Reminder[]; next?: string; prev?: string }> {
  const { read, dialect } = server.database
  const defaults = { limit: REMINDERS_PAGE, sort: [{ field: 'remind_at', direction: 1 as const }] }
  const { shown, around } = await queryPage(dialect, reminderEntity(dialect), request, defaults, (where, order, rows) =>
    findReminders(read, user.app, user.id, where, order, rows),
  )
  return { reminders: await wholeReminders(server, user, shown), ...around }
}

function reminderEntity(dialect: Dialect): Entity {
  const time = (column: string) => ({
    kind: 'time' as const,
    sql: sql.ref(column),
    operators: operators.comparisonsAndExists,
  })
  return {
    filterName: 'filter',
    custom: undefined,
    tieBreak: dialect.textOrder(sql.ref('message_id')),
    fields: {
      channel_cid: { kind: 'text', sql: sql.ref('cid'), operators: operators.equality },
      message_id: { kind: 'text', sql: sql.ref('message_id'), operators: operators.equality },
      remind_at: time('remind_at'),
      created_at: time('created_at'),
      updated_at: time('updated_at'),
    },
  }
}
