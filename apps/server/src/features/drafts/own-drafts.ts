/** A user's drafts, as only that user sees them. */
import type { OwnDraft } from '@parley/protocol/messages'
import type { OwnInChannels } from '../../chat/extensions.ts'
import { userSummariesOf } from '../../chat/users/user-summaries.ts'
import type { DraftRow, MessageRow } from '../../platform/database/tables.ts'
import { isoOf } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import { draftsAt, draftsIn } from './draft-store.ts'

/** The key of a draft's channel or thread. Cids contain no slash. */
export function placeOf(cid: string, parentId: string | null | undefined): string {
  return parentId ? `${cid}/${parentId}` : cid
}

/** A user's drafts in some channels, and the messages whose threads have one. */
export async function draftsOfChannels(
  server: Server,
  app: string,
  userId: string,
  cids: readonly string[],
): Promise<OwnInChannels> {
  const { read, dialect } = server.database
  const rows = await draftsIn(read, dialect, app, userId, cids)
  const ofChannels = rows.filter((row) => row.parent_id === null)
  const wires = await draftWires(server, app, ofChannels)
  return {
    fields: new Map(ofChannels.map((row, i) => [row.cid, { draft: wires[i]! }])),
    messageIds: rows.flatMap((row) => row.parent_id ?? []),
  }
}

/** The user's drafts in the threads of these messages, by message id. */
export async function draftsOfMessages(
  server: Server,
  app: string,
  userId: string,
  messages: readonly Pick<MessageRow, 'cid' | 'id' | 'parent_id'>[],
): Promise<Map<string, { draft: OwnDraft }>> {
  const { read, dialect } = server.database
  const places = messages.flatMap(({ cid, id, parent_id }) => (parent_id === null ? [placeOf(cid, id)] : []))
  const rows = await draftsAt(read, dialect, app, userId, places)
  const wires = await draftWires(server, app, rows)
  return new Map(rows.map((row, i) => [row.parent_id!, { draft: wires[i]! }]))
}

export async function draftWires(server: Server, app: string, rows: readonly DraftRow[]): Promise<OwnDraft[]> {
  if (rows.length === 0) return []
  const messages = rows.map((row) => JSON.parse(row.message_json) as StoredDraft)
  const userSummaries = await userSummariesOf(
    server,
    app,
    messages.flatMap((message) => message.mentioned_users),
  )
  return rows.map((row, i) => {
    const { mentioned_users, ...message } = messages[i]!
    return {
      channel_cid: row.cid,
      created_at: isoOf(row.created_at),
      message: { ...message, mentioned_users: mentioned_users.flatMap((id) => userSummaries.known(id) ?? []) },
      ...(row.parent_id !== null && { parent_id: row.parent_id }),
    }
  })
}

/** A stored draft message: users by their ids. */
export type StoredDraft = Omit<OwnDraft['message'], 'mentioned_users'> & { mentioned_users: string[] }
