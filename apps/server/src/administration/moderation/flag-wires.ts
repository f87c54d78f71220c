import type { Flag } from '@parley/protocol/moderation'
import type { Kysely } from 'kysely'
import { messagesShown } from '../../chat/messages/messages-shown.ts'
import { userSummariesOf } from '../../chat/users/user-summaries.ts'
import type { FlagRow, Tables } from '../../platform/database/tables.ts'
import { isoOf } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'

/** The user id of a flag that comes from a rule. */
export const NOBODY = ''

/** The extra data of a flag from a rule, beside its subject. */
export interface Found {
  blocklist_name?: string
  blocked_word?: string
  original_text?: string
  /** The outcome: the content is stored, or it is not. */
  action?: string
  labels?: string[]
  custom?: Record<string, unknown>
}

/**
 * Flags with their subjects; the number of queries does not grow with them.
 *
 * @param db the transaction, if they were written in it
 */
export async function flagWires(server: Server, rows: readonly FlagRow[], db?: Kysely<Tables>): Promise<Flag[]> {
  const app = rows[0]?.app
  if (app === undefined) return []
  const messages = await messagesShown(
    server,
    app,
    rows.flatMap((row) => row.message_id ?? []),
    db,
  )
  const userSummaries = await userSummariesOf(
    server,
    app,
    rows.flatMap((row) => [row.user_id, row.target_id, ...(row.reviewed_by === null ? [] : [row.reviewed_by])]),
  )
  return rows.map((row) => {
    const message = row.message_id === null ? undefined : messages.get(row.message_id)
    return {
      ...(row.user_id !== NOBODY && { user: userSummaries.of(row.user_id) }),
      ...(row.message_id !== null && { target_message_id: row.message_id }),
      ...(message && { target_message: message, message }),
      ...(row.message_id === null && row.target_id !== '' && { target_user: userSummaries.of(row.target_id) }),
      ...(row.reason !== null && { reason: row.reason }),
      ...(row.user_id === NOBODY ? resultOf(row) : { custom: JSON.parse(row.data), created_by_automod: false }),
      created_at: isoOf(row.created_at),
      updated_at: isoOf(row.updated_at),
      ...(row.reviewed_at !== null && { reviewed_at: isoOf(row.reviewed_at) }),
      ...(row.reviewed_by !== null && { reviewed_by: userSummaries.of(row.reviewed_by) }),
    }
  })
}

function resultOf({ message_id, data, created_at, updated_at }: FlagRow) {
  const { original_text, blocked_word, blocklist_name, action = 'flag' }: Found = JSON.parse(data)
  return {
    created_by_automod: true,
    ...(original_text !== undefined && { details: { original_text } }),
    ...(message_id !== null && {
      moderation_result: {
        message_id,
        action,
        ...(blocked_word !== undefined && { blocked_word }),
        ...(blocklist_name !== undefined && { blocklist_name }),
        // Users have no karma here.
        user_karma: 0,
        user_bad_karma: false,
        created_at: isoOf(created_at),
        updated_at: isoOf(updated_at),
      },
    }),
  }
}
