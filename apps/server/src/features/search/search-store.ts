import { type Kysely, sql } from 'kysely'
import type { Dialect, WordQuery } from '../../platform/database/dialect.ts'
import type { PageQuery } from '../../platform/database/keyset.ts'
import type { MessageRow, Tables } from '../../platform/database/tables.ts'

/** The messages `g` to find, and where. */
export interface MessageQuery extends WordQuery {
  app: string
  cids: readonly string[]
  /** Sorted by time first, newest first. */
  isNewestFirst: boolean
}

export async function findMessages(
  db: Kysely<Tables>,
  dialect: Dialect,
  { app, cids, words, marks, isNewestFirst }: MessageQuery,
  { where, keys, page }: PageQuery,
): Promise<MessageRow[]> {
  const found = dialect.messagesWithWords(app, cids, { words, marks }, isNewestFirst)
  const { rows } = await sql<MessageRow>`select g.* ${keys} from ${found} and ${where} ${page}`.execute(db)
  return rows
}
