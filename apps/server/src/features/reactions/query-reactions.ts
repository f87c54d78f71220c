import { REACTIONS_QUERY_PAGE } from '@parley/protocol/limits'
import type { QueryReactionsRequest } from '@parley/protocol/messages'
import type { Reaction } from '@parley/protocol/reactions'
import type { Static } from 'typebox'
import type { Caller } from '../../chat/api/caller.ts'
import { readerOf } from '../../chat/api/reader.ts'
import { userSummariesOf } from '../../chat/users/user-summaries.ts'
import { type Entity, numberColumn, textColumn, tieBreak, timeColumn } from '../../platform/database/filter-compiler.ts'
import { queryPage } from '../../platform/database/keyset.ts'
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
  const listing = {
    name: ['reactions', message.app, message.id],
    entity: reactionEntity,
    limit: REACTIONS_QUERY_PAGE,
    sort: [{ field: 'created_at', direction: -1 as const }],
  }
  const { shown, around } = await queryPage(reader, listing, request, (db, query) =>
    findReactions(db, message.app, message.id, query),
  )
  const userSummaries = await userSummariesOf(
    server,
    message.app,
    shown.map((row) => row.user_id),
  )
  return { reactions: shown.map((row) => reactionWire(row, userSummaries)), ...around }
}

const reactionEntity: Entity = {
  filterName: 'filter',
  custom: 'data',
  tieBreak: [tieBreak('user_id'), tieBreak('type')],
  fields: {
    type: textColumn('type'),
    user_id: textColumn('user_id'),
    score: numberColumn('score'),
    created_at: timeColumn('created_at'),
  },
}
