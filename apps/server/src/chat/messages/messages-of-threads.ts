/** The messages that a thread shows. */
import type { Message } from '@parley/protocol/messages'
import type { Kysely } from 'kysely'
import type { MessageRow, Tables } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { composeMessages } from './compose-messages.ts'
import { messagesByIds, newestReplies, repliesPage } from './message-store.ts'
import type { Reader } from './messages-of-channels.ts'

export { oldestReplyOfOthers } from './message-store.ts'

/** The parents of threads and their newest replies, oldest first, by the id of the parent. */
export async function messagesOfThreads(
  server: Server,
  app: string,
  threadIds: readonly string[],
  replyLimit: number,
  { id: viewerId, unrestricted }: Pick<Reader, 'id' | 'unrestricted'>,
  db: Kysely<Tables> = server.database.read,
): Promise<Map<string, { parent: Message; replies: Message[] }>> {
  const { dialect } = server.database
  const parents = await messagesByIds(db, dialect, app, threadIds)
  const rows = await newestReplies(db, dialect, app, threadIds, replyLimit, viewerId, unrestricted)
  const composed = await composeMessages(server, app, [...parents, ...rows], viewerId, db)
  const replies = Map.groupBy(composed.slice(parents.length), (message) => message.parent_id)
  return new Map(
    composed.slice(0, parents.length).map((parent) => [parent.id, { parent, replies: replies.get(parent.id) ?? [] }]),
  )
}

/** Messages by their ids; unknown ones are left out. */
export function messagesNamed(server: Server, app: string, ids: readonly string[]): Promise<MessageRow[]> {
  return messagesByIds(server.database.read, server.database.dialect, app, ids)
}

/** The newest reply of a thread; undefined if none is left. */
export async function newestReply(db: Kysely<Tables>, app: string, id: string): Promise<MessageRow | undefined> {
  const everything = { truncatedAt: null, hideBefore: null, shadowsOf: '', restrictedFor: null }
  const [newest] = await repliesPage(db, app, id, { limit: 1 }, everything)
  return newest
}
