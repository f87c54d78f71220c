import type { User } from '@parley/protocol/users'
import type { App } from '../apps/app.ts'
import type { MemberRow } from '../database/tables.ts'
import { quietMembers } from '../devices/quiet-members.ts'
import { memberWire } from '../members/member-wire.ts'
import { membersOfChannels } from '../members/members-of-channels.ts'
import { shadowedAmong } from '../messages/shadowed-among.ts'
import { standingsOfUsers } from '../reads/counting.ts'
import type { Server } from '../server.ts'
import { threadTotals } from '../threads/thread-totals.ts'
import { facesOf } from '../users/faces.ts'
import type { Delivery } from './leave-for-hooks.ts'

/** Members of a channel an event shows; in larger channels the newest ones [administration.md 16]. */
const MEMBERS = 50

interface HookEvent {
  type: string
  cid?: string
  user?: User
  message?: { id: string; parent_id?: string; mentioned_users?: User[] }
  channel?: { created_by?: User | null }
}

/**
 * What a hook is told of each event: the event of the sockets with the members of its channel, and with what each of
 * them has not read [administration.md 13.4]. The number of queries grows neither with the events nor with the members.
 */
export async function hookBodies(server: Server, app: App, deliveries: readonly Delivery[]): Promise<string[]> {
  const { read, dialect } = server.database
  const events = deliveries.map(({ body }) => JSON.parse(body) as HookEvent)
  const cids = [...new Set(events.flatMap(({ cid }) => cid ?? []))]
  const members = await membersOfChannels(server, app.id, cids, { limit: MEMBERS, offset: 0 })
  const byCid = Map.groupBy(members, ({ cid }) => cid)
  const shown = members.map(({ user_id }) => user_id)
  const ids = [...new Set([...shown, ...events.flatMap(({ user }) => user?.id ?? [])])]
  const faces = await facesOf(server, app.id, ids)
  const standing = await standingsOfUsers(read, dialect, app, ids)
  const threads = await threadTotals(read, dialect, app, ids)
  const isQuiet = await quietMembers(server, app, members)
  const messageIds = events.flatMap(({ message }) => message?.id ?? [])
  const shadowed = messageIds.length === 0 ? new Set() : await shadowedAmong(server, app.id, messageIds)

  const counted = (user: User, cid: string | undefined) => {
    const { unread, channels, inChannel } = standing(user.id, cid)
    return {
      ...user,
      ...(inChannel && { channel_unread_count: inChannel.unread, channel_last_read_at: inChannel.lastRead }),
      ...{ total_unread_count: unread, unread_count: unread, unread_channels: channels },
      ...threads(user.id),
    }
  }
  return events.map((event, i) => {
    const { cid, user, channel, message } = event
    const memberOf = (row: MemberRow) => ({
      ...memberWire(row, faces.of(row.user_id), channel?.created_by?.id ?? ''),
      user: counted(faces.of(row.user_id), cid),
      notifications_muted: isQuiet(row, event),
    })
    return JSON.stringify({
      ...event,
      // What its author is told of a shadowed message does not say so.
      ...(message && shadowed.has(message.id) && { message: { ...message, shadowed: true } }),
      ...(user && { user: counted(user, cid) }),
      ...(cid !== undefined && { members: (byCid.get(cid) ?? []).map(memberOf) }),
      ...(deliveries[i]!.cause && { request_info: deliveries[i]!.cause }),
    })
  })
}
