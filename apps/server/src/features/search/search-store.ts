import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Dialect, WordQuery } from '../../platform/database/dialect.ts'
import type { MessageRow, Tables } from '../../platform/database/tables.ts'

/** The messages `g` to find, and where. */
export interface MessageQuery extends WordQuery {
  app: string
  cids: readonly string[]
  where: RawBuilder<boolean>
  order: RawBuilder<unknown>
  /** Sorted by time first, newest first. */
  isNewestFirst: boolean
  limit: number
  offset: number
}

export async function findMessages(
  db: Kysely<Tables>,
  dialect: Dialect,
  { app, cids, words, marks, where, order, isNewestFirst, limit, offset }: MessageQuery,
): Promise<MessageRow[]> {
  const found = dialect.messagesWithWords(app, cids, { words, marks }, isNewestFirst)
  const { rows } = await sql<MessageRow>`select g.* from ${found} and ${where}
    order by ${order} limit ${limit} offset ${offset}`.execute(db)
  return rows
}
