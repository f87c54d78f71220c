import { channelWire, usersOfChannel } from '../../chat/channels/channel-wire.ts'
import { storedChannel } from '../../chat/channels/stored-channel.ts'
import { pollsAmongMessages } from '../../chat/messages/messages-with-poll.ts'
import { userSummariesOf } from '../../chat/users/user-summaries.ts'
import type { EventRow } from '../../platform/database/tables.ts'
import { type Micros, microsOf } from '../../platform/micros.ts'
import type { Publication } from '../../platform/realtime/publication.ts'
import type { Server } from '../../server.ts'
import { eventsAfter } from './event-store.ts'

/**
 * The events of a channel after a sequence number, oldest first, for a node that missed some. The log has the watchers'
 * body; the bodies for other members of a new message are derived from it.
 */
export async function missedEvents(server: Server, app: string, cid: string, seq: number): Promise<Publication[]> {
  const rows = await eventsAfter(server.database.read, app, cid, seq)
  const channel = rows.length > 0 ? await storedChannel(server, app, cid) : undefined
  if (!channel) return []
  const userSummaries = await userSummariesOf(server, app, usersOfChannel(channel))
  const wire = channelWire(server, channel, userSummaries)
  const logged = rows.map((row) => ({ row, event: JSON.parse(row.body) }))
  const polls = logged.flatMap(({ event }) => event.poll?.id ?? [])
  const { read, dialect } = server.database
  const asked = new Map(
    (await pollsAmongMessages(read, dialect, app, [cid], polls)).map(({ poll_id, newest }) => [poll_id, newest]),
  )
  return logged.map(({ row, event }) => {
    const about = event.message ? microsOf(event.message.created_at) : asked.get(event.poll?.id)
    return publicationOf(row, event, about, wire)
  })
}

function publicationOf(
  { app, cid, seq, at, type, body, user_id, users_json, except_id }: EventRow,
  // biome-ignore lint/suspicious/noExplicitAny: the log holds events of every shape.
  event: any,
  about: Micros | undefined,
  channel: object,
): Publication {
  const only: string[] | null = users_json === null ? null : JSON.parse(users_json)
  const recipients = {
    ...(only && { only }),
    ...(except_id !== null && { except: except_id }),
    ...(about !== undefined && { about }),
  }
  const publication: Publication = { app, cid, seq, at, watchers: body, ...recipients }
  if (user_id !== null) return { ...publication, only: [user_id], totals: { only: user_id } }
  if (type === 'message.deleted' || type === 'message.undeleted') return { ...publication, totals: 'members' }
  if (type !== 'message.new') return publication

  const { parent_id, show_in_channel, user } = event.message
  if (parent_id !== undefined && show_in_channel !== true) return { ...publication, totals: 'members' }
  const notification = JSON.stringify({ ...event, type: 'notification.message_new', channel })
  return { ...publication, totals: 'members', others: { except: user.id, body: notification } }
}
