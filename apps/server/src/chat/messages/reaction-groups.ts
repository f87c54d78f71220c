/** Each message stores the sums of its reactions, so that a page of messages need not count them. */
import type { Kysely } from 'kysely'
import type { MessageRow, Tables } from '../../platform/database/tables.ts'
import type { Micros } from '../../platform/micros.ts'
import { messageById, updateMessage } from './message-store.ts'

/** The message as stored in this transaction. */
export function storedMessage(db: Kysely<Tables>, app: string, id: string): Promise<MessageRow | undefined> {
  return messageById(db, app, id)
}

/** @param groups `reaction_groups` by type; null when no reaction is left */
export async function setReactionGroups(
  db: Kysely<Tables>,
  message: MessageRow,
  groups: object | null,
  at: Micros,
): Promise<MessageRow> {
  const change = { reaction_groups_json: groups === null ? null : JSON.stringify(groups), updated_at: at }
  await updateMessage(db, message.app, message.id, change)
  return { ...message, ...change }
}
