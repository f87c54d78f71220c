import { REACTIONS_QUERY_PAGE } from '@parley/protocol/limits'
import type { QueryReactionsRequest } from '@parley/protocol/messages'
import type { Reaction } from '@parley/protocol/reactions'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Caller } from '../../chat/api/caller.ts'
import { readerOf } from '../../chat/api/reader.ts'
import { userSummariesOf } from '../../chat/users/user-summaries.ts'
import { queryPage } from '../../platform/database/cursor.ts'
import type { Dialect } from '../../platform/database/dialect.ts'
import { type Entity, operators } from '../../platform/database/filter-compiler.ts'
import type { MessageRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { findReactions } from './reaction-store.ts'
import { reactionWire } from './reactions-of-messages.ts'

/** The reactions of a message that a filter matches, newest first unless sorted otherwise [RXN-4]. */
export async function queryReactions(
  server: Server,
  message: MessageRow,
  caller: Caller,
  request: Static<typeof QueryReactionsRequest>,
): Promise<{ reactions: Reaction[]; next?: string; prev?: string }> {
  const reader = readerOf(server, caller)
  const { dialect } = reader
  const defaults = { limit: REACTIONS_QUERY_PAGE, sort: [{ field: 'created_at', direction: -1 as const }] }
  const { shown, around } = await queryPage(
    reader,
    reactionEntity(dialect),
    request,
    defaults,
    (db, where, order, rows) => findReactions(db, message.app, message.id, where, order, rows),
  )
  const userSummaries = await userSummariesOf(
    server,
    message.app,
    shown.map((row) => row.user_id),
  )
  return { reactions: shown.map((row) => reactionWire(row, userSummaries)), ...around }
}

function reactionEntity(dialect: Dialect): Entity {
  return {
    filterName: 'filter',
    custom: 'data',
    tieBreak: sql`${dialect.textOrder(sql.ref('user_id'))}, ${dialect.textOrder(sql.ref('type'))}`,
    fields: {
      type: { kind: 'text', sql: sql.ref('type'), operators: operators.equality },
      user_id: { kind: 'text', sql: sql.ref('user_id'), operators: operators.equality },
      score: { kind: 'number', sql: sql.ref('score'), operators: operators.comparisons },
      created_at: { kind: 'time', sql: sql.ref('created_at'), operators: operators.comparisons },
    },
  }
}
