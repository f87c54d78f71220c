import { isDeepStrictEqual } from 'node:util'
import { MESSAGE_HISTORY_PAGE } from '@parley/protocol/limits'
import type { MessageVersion, QueryMessageHistoryRequest } from '@parley/protocol/messages'
import type { Kysely } from 'kysely'
import type { Static } from 'typebox'
import { inputError } from '../../platform/chat-error.ts'
import { type Entity, textColumn, tieBreak, timeColumn } from '../../platform/database/filter-compiler.ts'
import { queryPage } from '../../platform/database/keyset.ts'
import { readerFor } from '../../platform/database/reader.ts'
import type { MessageRow, Tables } from '../../platform/database/tables.ts'
import { isoOf, type Micros } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import { addVersion, findVersions, lastVersionOf } from './version-store.ts'

/** Stores the version of a message before an edit; an edit that changes no content, such as a pin, stores none. */
export async function keepVersion(
  db: Kysely<Tables>,
  was: MessageRow,
  is: MessageRow,
  { at, by }: { at: Micros; by: string },
) {
  const sameFields = isDeepStrictEqual(JSON.parse(was.data), JSON.parse(is.data))
  if (was.text === is.text && was.attachments_json === is.attachments_json && sameFields) return
  const { app, id, text, attachments_json, data } = was
  const before = await lastVersionOf(db, app, id)
  await addVersion(db, {
    app,
    message_id: id,
    written_at: before?.replaced_at ?? was.created_at,
    written_by: before?.replaced_by ?? was.user_id,
    replaced_at: at,
    replaced_by: by,
    text,
    attachments_json,
    data,
  })
}

/**
 * Former versions of messages, newest first unless sorted otherwise; the present version is not among them
 * [messaging.md 5.5].
 *
 * @throws ChatError InputError (4) — the filter is empty
 */
export async function queryMessageHistory(
  server: Server,
  app: string,
  request: Static<typeof QueryMessageHistoryRequest>,
): Promise<{ message_history: MessageVersion[]; next?: string; prev?: string }> {
  if (Object.keys(request.filter).length === 0)
    throw inputError('filter', 'filter must name message_id, user_id or created_at')
  const reader = readerFor(server.database, app, undefined)
  const listing = {
    name: ['message history', app],
    entity: versionEntity,
    limit: MESSAGE_HISTORY_PAGE,
    sort: [{ field: 'message_updated_at', direction: -1 as const }],
  }
  const { shown, around } = await queryPage(reader, listing, request, (db, query) => findVersions(db, app, query))
  return {
    message_history: shown.map((version) => ({
      ...JSON.parse(version.data),
      message_id: version.message_id,
      message_updated_by_id: version.written_by,
      message_updated_at: isoOf(version.written_at),
      text: version.text,
      attachments: version.attachments_json === null ? [] : JSON.parse(version.attachments_json),
      is_deleted: version.deleted_at !== null,
    })),
    ...around,
  }
}

/** The fields versions can be filtered and sorted by; two fields have two names each. */
const versionEntity: Entity = {
  filterName: 'filter',
  custom: undefined,
  tieBreak: [tieBreak('v.message_id'), tieBreak('v.written_at', { kind: 'time' })],
  fields: {
    message_id: textColumn('v.message_id'),
    user_id: textColumn('v.written_by'),
    message_updated_by_id: textColumn('v.written_by'),
    created_at: timeColumn('v.written_at'),
    message_updated_at: timeColumn('v.written_at'),
  },
}
