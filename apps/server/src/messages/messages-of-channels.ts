/** What a channel answer shows of its messages. */
import { PINNED_IN_STATE } from '@parley/protocol/limits'
import type { Message } from '@parley/protocol/messages'
import type { Batch } from '../database/group-commit.ts'
import type { ChannelRow, MessageRow } from '../database/tables.ts'
import type { Micros } from '../micros.ts'
import type { Server } from '../server.ts'
import { composeMessages } from './compose-messages.ts'
import { countSince, newestMessages, newestPins } from './message-store.ts'

/**
 * The newest messages and pins of several channels as one reader sees them, by cid. The number of queries does
 * not grow with the channels.
 *
 * @param since  where the history that the reader may see begins, for each of the channels
 * @param unrestricted  the channels in which that reader sees restricted messages whoever they are meant for
 * @param pages pages already read for single channels, in place of their newest messages
 */
export async function messagesOfChannels(
  server: Server,
  app: string,
  since: ReadonlyMap<string, Micros>,
  limit: number,
  readerId: string | undefined,
  unrestricted: readonly string[],
  pages?: ReadonlyMap<string, MessageRow[]>,
): Promise<Map<string, { messages: Message[]; pinned: Message[] }>> {
  const { read, dialect } = server.database
  const cids = [...since.keys()]
  const [rows, pins] = await Promise.all([
    pages ? [...pages.values()].flat() : newestMessages(read, dialect, app, since, limit, readerId, unrestricted),
    newestPins(read, dialect, app, cids, PINNED_IN_STATE, server.clock.now() * 1000),
  ])
  const composed = await composeMessages(server, app, [...rows, ...pins], readerId)
  const messages = Map.groupBy(composed.slice(0, rows.length), (message) => message.cid)
  const pinned = Map.groupBy(composed.slice(rows.length), (message) => message.cid)
  return new Map(cids.map((cid) => [cid, { messages: messages.get(cid) ?? [], pinned: pinned.get(cid) ?? [] }]))
}

/** How many messages the channel's history has from a moment on. */
export function messagesSince({ db }: Batch, { app, cid }: ChannelRow, since: Micros): Promise<number> {
  return countSince(db, app, cid, since)
}
