import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../platform/database/tables.ts'

/** User-owned data, by the table that holds it. */
export type OwnedData =
  | 'blocks'
  | 'channel_mutes'
  | 'deleted_for_me'
  | 'devices'
  | 'drafts'
  | 'pending_messages'
  | 'push_preferences'
  | 'reminders'
  | 'thread_participants'
  | 'user_mutes'

/**
 * The kinds of user-owned data a user has, in any channel. Most users have hardly any, so this one statement replaces a
 * query for each kind.
 */
export async function ownedDataOf<Kind extends OwnedData>(
  db: Kysely<Tables>,
  app: string,
  userId: string,
  kinds: readonly Kind[],
): Promise<ReadonlySet<Kind>> {
  const any = kinds.map(
    (kind) =>
      sql`exists (select 1 from ${sql.table(kind)} where app = ${app} and user_id = ${userId}) as ${sql.ref(kind)}`,
  )
  const { rows } = await sql<Record<Kind, boolean | 0 | 1>>`select ${sql.join(any)}`.execute(db)
  return new Set(kinds.filter((kind) => rows[0]![kind]))
}
