import type { MemberRow, MessageRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { deletersOf } from './deleted-for-me-store.ts'
import { shownSince } from './message-access.ts'
import { isMeantFor } from './message-recipients.ts'
import { messagesByIds } from './message-store.ts'

/**
 * Which members may be notified of messages outside the app. This depends on what is stored now, not on the content of
 * an event: a message that was deleted, truncated or hidden since notifies no member [MSG-42]. Two queries, however
 * many messages there are.
 */
export async function notifiedOf(
  server: Server,
  app: string,
  ids: readonly string[],
): Promise<(messageId: string | undefined) => (member: MemberRow) => boolean> {
  const { read, dialect } = server.database
  const known = [...new Set(ids)]
  const rows = new Map((await messagesByIds(read, dialect, app, known)).map((row) => [row.id, row]))
  const deleters = rows.size === 0 ? () => [] : await deletersOf(read, dialect, app, known)
  const channels = await server.channels.getAll(app, [...new Set([...rows.values()].map(({ cid }) => cid))])
  const isShown = (row: MessageRow, member: MemberRow) => {
    const channel = channels.get(row.cid)
    return (
      channel !== undefined &&
      row.cid === member.cid &&
      row.created_at >= shownSince(channel, member) &&
      isMeantFor(row, member.user_id) &&
      !deleters(row.id).includes(member.user_id)
    )
  }
  return (messageId) => {
    const row = messageId === undefined ? undefined : rows.get(messageId)
    if (!row || row.shadowed || row.deleted_at !== null) return () => false
    return (member) => isShown(row, member)
  }
}
