import { type Kysely, sql } from 'kysely'
import type { PageQuery } from '../../platform/database/keyset.ts'
import type { MessageVersionRow, Tables } from '../../platform/database/tables.ts'

type Db = Kysely<Tables>

/** The version replaced last; undefined if the message was never changed. */
export function lastVersionOf(db: Db, app: string, messageId: string): Promise<MessageVersionRow | undefined> {
  return db
    .selectFrom('message_versions')
    .selectAll()
    .where('app', '=', app)
    .where('message_id', '=', messageId)
    .orderBy('written_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export async function addVersion(db: Db, version: MessageVersionRow) {
  await db.insertInto('message_versions').values(version).execute()
}

/** The versions `v` that match a filter, and whether their message is deleted now. */
export async function findVersions(
  db: Db,
  app: string,
  { where, keys, page }: PageQuery,
): Promise<(MessageVersionRow & { deleted_at: number | null })[]> {
  const { rows } = await sql<MessageVersionRow & { deleted_at: number | null }>`select v.*, g.deleted_at ${keys}
    from message_versions v join messages g on g.app = v.app and g.id = v.message_id
    where v.app = ${app} and ${where} ${page}`.execute(db)
  return rows
}
