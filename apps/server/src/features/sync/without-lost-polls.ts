import type { Message } from '@parley/protocol/messages'
import type { Poll } from '@parley/protocol/polls'
import { pollsAmongMessages } from '../../chat/messages/messages-with-poll.ts'
import type { Micros } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import type { SyncEvent } from './condense-events.ts'

/**
 * Events without the polls that no visible message of their channel contains any more: the poll was deleted, so the log
 * does not return it either [MSG-36], or is hidden from the user. One query, if there are polls at all.
 *
 * @param goneTo the time up to which the history of a channel is hidden or erased
 * @param reader the user, with the channels in which the user sees all messages, restricted ones included
 */
export async function withoutLostPolls(
  server: Server,
  app: string,
  events: readonly SyncEvent[],
  goneTo: (cid: string) => Micros,
  reader: { id: string; unrestricted: readonly string[] },
): Promise<SyncEvent[]> {
  const ids = events.flatMap((event) => pollsIn(event).map((poll) => poll.id))
  if (ids.length === 0) return [...events]
  const { read, dialect } = server.database
  const cids = [...new Set(events.flatMap(({ cid }) => cid ?? []))]
  const there = await pollsAmongMessages(read, dialect, app, cids, [...new Set(ids)], reader)
  const seen = there.filter(({ cid, newest }) => newest > goneTo(cid))
  const shown = new Set(seen.map(({ cid, poll_id }) => `${cid}|${poll_id}`))
  return events.flatMap((event) => {
    const lost = pollsIn(event).filter((poll) => !shown.has(`${event.cid}|${poll.id}`))
    if (lost.length === 0 || event.type === 'poll.deleted') return [event]
    if (event.poll) return []
    const { message, thread } = event
    return [
      {
        ...event,
        ...(message && { message: without(lost, message) }),
        ...(thread && { thread: { ...thread, parent_message: without(lost, thread.parent_message) } }),
      },
    ]
  })
}

function pollsIn({ poll, message, thread }: SyncEvent): Poll[] {
  const messages = [message, message?.quoted_message, thread?.parent_message, thread?.parent_message.quoted_message]
  return [poll, ...messages.map((each) => each?.poll)].filter((each) => each !== undefined)
}

function without(lost: readonly Poll[], message: Message): Message {
  const { quoted_message: quoted } = message
  return {
    ...bare(lost, message),
    ...(quoted && { quoted_message: bare(lost, quoted) }),
  }
}

function bare<Shown extends { poll?: Poll; poll_id?: string }>(lost: readonly Poll[], message: Shown): Shown {
  if (!lost.some(({ id }) => id === message.poll_id)) return message
  const { poll: _, poll_id: __, ...rest } = message
  return rest as Shown
}
