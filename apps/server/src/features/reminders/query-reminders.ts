import { REMINDERS_PAGE } from '@parley/protocol/limits'
import type { QueryRemindersRequest, Reminder } from '@parley/protocol/reminders'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { queryPage } from '../../platform/database/cursor.ts'
import type { Dialect } from '../../platform/database/dialect.ts'
import { type Entity, textColumn, timeOrNoneColumn } from '../../platform/database/filter-compiler.ts'
import { readerFor } from '../../platform/database/reader.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { findReminders } from './reminder-store.ts'
import { wholeReminders } from './whole-reminders.ts'

/** A user's reminders matching a filter, earliest first unless sorted otherwise. */
export async function queryReminders(
  server: Server,
  user: UserRow,
  request: Static<typeof QueryRemindersRequest>,
): Promise<{ reminders: Reminder[]; next?: string; prev?: string }> {
  const reader = readerFor(server.database, user.app, user.id)
  const { dialect } = reader
  const defaults = { limit: REMINDERS_PAGE, sort: [{ field: 'remind_at', direction: 1 as const }] }
  const { shown, around } = await queryPage(
    reader,
    reminderEntity(dialect),
    request,
    defaults,
    (db, where, order, rows) => findReminders(db, user.app, user.id, where, order, rows),
  )
  return { reminders: await wholeReminders(server, user, shown), ...around }
}

function reminderEntity(dialect: Dialect): Entity {
  return {
    filterName: 'filter',
    custom: undefined,
    tieBreak: dialect.textOrder(sql.ref('message_id')),
    fields: {
      channel_cid: textColumn('cid'),
      message_id: textColumn('message_id'),
      remind_at: timeOrNoneColumn('remind_at'),
      created_at: timeOrNoneColumn('created_at'),
      updated_at: timeOrNoneColumn('updated_at'),
    },
  }
}
