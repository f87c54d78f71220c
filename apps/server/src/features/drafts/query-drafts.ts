import type { Draft, QueryDraftsRequest } from '@parley/protocol/drafts'
import { DRAFTS_PAGE } from '@parley/protocol/limits'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { queryPage } from '../../platform/database/cursor.ts'
import type { Dialect } from '../../platform/database/dialect.ts'
import { type Entity, operators } from '../../platform/database/filter-compiler.ts'
import { readerFor } from '../../platform/database/reader.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { findDrafts } from './draft-store.ts'
import { wholeDrafts } from './whole-drafts.ts'

/** A user's drafts matching a filter, newest first unless sorted otherwise. */
export async function queryDrafts(
  server: Server,
  user: UserRow,
  request: Static<typeof QueryDraftsRequest>,
): Promise<{ drafts: Draft[]; next?: string; prev?: string }> {
  const reader = readerFor(server.database, user.app, user.id)
  const { dialect } = reader
  const defaults = { limit: DRAFTS_PAGE, sort: [{ field: 'created_at', direction: -1 as const }] }
  const { shown, around } = await queryPage(reader, draftEntity(dialect), request, defaults, (db, where, order, rows) =>
    findDrafts(db, user.app, user.id, where, order, rows),
  )
  return { drafts: await wholeDrafts(server, user, shown), ...around }
}

function draftEntity(dialect: Dialect): Entity {
  return {
    filterName: 'filter',
    custom: undefined,
    tieBreak: dialect.textOrder(sql.ref('place')),
    fields: {
      channel_cid: { kind: 'text', sql: sql.ref('cid'), operators: operators.equality },
      parent_id: { kind: 'text', sql: sql.ref('parent_id'), operators: [...operators.equality, '$exists'] },
      created_at: { kind: 'time', sql: sql.ref('created_at'), operators: operators.comparisons },
    },
  }
}
