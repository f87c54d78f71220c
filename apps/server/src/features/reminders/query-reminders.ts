import { REMINDERS_PAGE } from '@parley/protocol/limits'
import type { QueryRemindersRequest, Reminder } from '@parley/protocol/reminders'
import type { Static } from 'typebox'
import type { ReadBy } from '../../chat/channels/open-channels.ts'
import { type Entity, textColumn, tieBreak, timeOrNoneColumn } from '../../platform/database/filter-compiler.ts'
import { queryPage } from '../../platform/database/keyset.ts'
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
  by: ReadBy,
): Promise<{ reminders: Reminder[]; next?: string; prev?: string }> {
  const reader = readerFor(server.database, user.app, user.id)
  const listing = {
    name: ['reminders', user.app, user.id],
    entity: reminderEntity,
    limit: REMINDERS_PAGE,
    sort: [{ field: 'remind_at' }],
  }
  const { shown, around } = await queryPage(reader, listing, request, (db, query) =>
    findReminders(db, user.app, user.id, query),
  )
  return { reminders: await wholeReminders(server, user, shown, by), ...around }
}

const reminderEntity: Entity = {
  filterName: 'filter',
  custom: undefined,
  tieBreak: [tieBreak('r.message_id')],
  fields: {
    channel_cid: textColumn('r.cid'),
    message_id: textColumn('r.message_id'),
    remind_at: timeOrNoneColumn('r.remind_at'),
    created_at: timeOrNoneColumn('r.created_at'),
    updated_at: timeOrNoneColumn('r.updated_at'),
  },
}
