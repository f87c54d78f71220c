import { THREADS_PAGE } from '@parley/protocol/limits'
import type { QueryThreadsRequest } from '@parley/protocol/threads'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { type Entity, flagColumn, textColumn, tieBreak, timeColumn } from '../../platform/database/filter-compiler.ts'
import { queryPage } from '../../platform/database/keyset.ts'
import type { Server } from '../../server.ts'
import { type Caller, namedUser } from '../api/caller.ts'
import { readerOf } from '../api/reader.ts'
import type { App } from '../apps/app.ts'
import { accessAmong } from '../channels/channel-access.ts'
import { activeParticipants, findThreads, participants, type ThreadView, unreadReplies } from './thread-store.ts'

const unreadFirst = [
  { field: 'has_unread', direction: -1 as const },
  { field: 'last_message_at', direction: -1 as const },
  { field: 'parent_message_id', direction: -1 as const },
]

/**
 * The threads a user takes part in, in channels the caller may read; unread ones first, then those with the newest
 * reply [THR-3, THR-31].
 */
export async function queryThreads(
  server: Server,
  caller: Caller,
  request: Static<typeof QueryThreadsRequest>,
): Promise<{ threads: ThreadView[]; around: { next?: string; prev?: string } }> {
  const user = namedUser(caller)
  const reader = readerOf(server, caller)
  const listing = {
    name: ['threads', user.app, user.id],
    entity: threadEntity(caller.app),
    limit: THREADS_PAGE,
    sort: unreadFirst,
  }
  const { shown, around } = await queryPage(reader, listing, request, (db, query) =>
    findThreads(db, user.app, user.id, query),
  )
  const cids = shown.map(({ cid }) => cid)
  const accesses = await accessAmong(server, caller, cids)
  return { threads: shown.filter(({ cid }) => accesses.get(cid)?.can('read-channel')), around }
}

/** Rows: thread `t`, channel `c`, parent `g`, the user's participation `p` and membership `m` [messaging.md 6.2]. */
function threadEntity(app: App): Entity {
  const counting = [...app.types.keys()].filter((type) => app.countsReads(type))
  return {
    filterName: 'filter',
    custom: 't.data',
    tieBreak: [tieBreak('t.id', { direction: -1 })],
    fields: {
      channel_cid: textColumn('t.cid'),
      parent_message_id: textColumn('t.id'),
      created_by_user_id: textColumn('t.created_by'),
      'channel.team': textColumn('c.team'),
      'channel.disabled': flagColumn('c.disabled'),
      created_at: timeColumn('t.created_at'),
      updated_at: timeColumn('t.updated_at'),
      last_message_at: timeColumn('t.last_message_at'),
    },
    sorts: {
      reply_count: { kind: 'number', sql: sql.ref('g.reply_count') },
      participant_count: { kind: 'number', sql: participants },
      active_participant_count: { kind: 'number', sql: activeParticipants },
      // Same rule as the thread's unread count: where messages do not count, nothing is unread.
      has_unread: {
        kind: 'flag',
        sql: sql`(case when c.type in (${sql.join(['', ...counting])}) and m.status in ('member', 'accepted')
          and ${unreadReplies} > 0 then 1 else 0 end)`,
        isNeverNull: true,
      },
    },
  }
}
