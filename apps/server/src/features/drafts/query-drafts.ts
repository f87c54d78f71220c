import type { Draft, QueryDraftsRequest } from '@parley/protocol/drafts'
import { DRAFTS_PAGE } from '@parley/protocol/limits'
import type { Static } from 'typebox'
import type { ReadBy } from '../../chat/channels/open-channels.ts'
import { type Entity, operators, textColumn, tieBreak, timeColumn } from '../../platform/database/filter-compiler.ts'
import { queryPage } from '../../platform/database/keyset.ts'
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
  by: ReadBy,
): Promise<{ drafts: Draft[]; next?: string; prev?: string }> {
  const reader = readerFor(server.database, user.app, user.id)
  const listing = {
    name: ['drafts', user.app, user.id],
    entity: draftEntity,
    limit: DRAFTS_PAGE,
    sort: [{ field: 'created_at', direction: -1 as const }],
  }
  const { shown, around } = await queryPage(reader, listing, request, (db, query) =>
    findDrafts(db, user.app, user.id, query),
  )
  return { drafts: await wholeDrafts(server, user, shown, by), ...around }
}

const draftEntity: Entity = {
  filterName: 'filter',
  custom: undefined,
  tieBreak: [tieBreak('place')],
  fields: {
    channel_cid: textColumn('cid'),
    parent_id: { ...textColumn('parent_id'), operators: [...operators.equality, '$exists'] },
    created_at: timeColumn('created_at'),
  },
}
