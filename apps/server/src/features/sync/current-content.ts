import type { Message } from '@parley/protocol/messages'
import type { Access } from '../../chat/channels/channel-access.ts'
import { messagesNow } from '../../chat/messages/messages-now.ts'
import { hides } from '../../chat/users/privacy.ts'
import type { Server } from '../../server.ts'
import { pollsShown } from '../polls/polls-shown.ts'
import type { SyncEvent } from './condense-events.ts'

/** The tombstone of a message whose deletion is in the log. */
type Tombstone = Pick<Message, 'quoted_message'>

/**
 * Events with the current state of their messages, threads and polls: the text of a message before it was edited,
 * hidden or deleted is not delivered, so the log does not deliver it either [CON-28]. An event about a message the
 * reader cannot see is left out; a channel event loses the message that described it. The number of queries is
 * constant.
 *
 * @param open  the reader's access in each of the channels
 */
export async function withCurrentContent(
  server: Server,
  app: string,
  events: readonly SyncEvent[],
  reader: { id: string; open: ReadonlyMap<string, Access> },
): Promise<SyncEvent[]> {
  const ids = events.flatMap((event) => messagesIn(event).map(({ id }) => id))
  const now = await messagesNow(server, app, ids, reader.id, reader.open)
  const polls = await pollsShown(
    server,
    app,
    events.flatMap(({ poll }) => poll?.id ?? []),
    undefined,
  )
  const hidesReading = await readingHidden(server, app, events, reader.id)
  const shown = (event: SyncEvent): SyncEvent[] => {
    const { message, thread, poll, reminder } = event
    // Leaves out read events from before the user hid receipts.
    if (event.type === 'message.read' && hidesReading(userOf(event))) return []
    if (poll) {
      const current = polls.get(poll.id)
      return current ? [{ ...event, poll: current }] : event.type === 'poll.deleted' ? [event] : []
    }
    if (thread) {
      const parent_message = now.get(thread.parent_message_id)
      if (!parent_message) return []
      const latest_replies = (thread.latest_replies ?? []).flatMap(({ id }) => now.get(id) ?? [])
      const title = thread.title === thread.parent_message.text ? parent_message.text : thread.title
      const read = (thread.read ?? []).filter(({ user }) => !hidesReading(user.id))
      const thread_participants = (thread.thread_participants ?? []).map((each) =>
        hidesReading(each.user_id) ? { ...each, last_read_at: each.created_at } : each,
      )
      return [{ ...event, thread: { ...thread, parent_message, latest_replies, title, read, thread_participants } }]
    }
    if (reminder?.message) {
      const { message: was, ...bare } = reminder
      const current = now.get(was.id)
      return [{ ...event, reminder: current ? { ...bare, message: current } : bare }]
    }
    if (!message) return [event]
    const current = now.get(message.id)
    // The log keeps the tombstone of a deletion; the message may have been restored since.
    if (event.type === 'message.deleted')
      return [{ ...event, message: current?.deleted_at === undefined ? bareTombstone(message) : current }]
    if (current) return [{ ...event, message: current }]
    if (!event.type?.startsWith('channel.')) return []
    const { message: _, message_id: __, ...rest } = event
    return [rest]
  }
  return events.flatMap(shown)
}

/** Users who hide their read receipts now; the caller sees their own. */
async function readingHidden(
  server: Server,
  app: string,
  events: readonly SyncEvent[],
  readerId: string,
): Promise<(userId: string) => boolean> {
  const ids = events.flatMap((event) => [
    ...(event.type === 'message.read' ? [userOf(event)] : []),
    ...(event.thread?.read ?? []).map(({ user }) => user.id),
    ...(event.thread?.thread_participants ?? []).map(({ user_id }) => user_id),
  ])
  const users = await server.users.getAll(app, [...new Set(ids)])
  return (id) => id !== readerId && hides(users.get(id), 'read_receipts')
}

function userOf({ user }: SyncEvent): string {
  return (user as { id: string }).id
}

function messagesIn({ message, thread, reminder }: SyncEvent): { id: string }[] {
  const inThread = thread ? [thread.parent_message, ...(thread.latest_replies ?? [])] : []
  return [message, reminder?.message, ...inThread].filter((each) => each !== undefined)
}

function bareTombstone<Gone extends Tombstone>({ quoted_message: _, ...message }: Gone): Gone {
  return message as Gone
}
