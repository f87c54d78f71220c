import { HOOK_MEMBERS } from '@parley/protocol/limits'
import type { User } from '@parley/protocol/users'
import type { App } from '../../chat/apps/app.ts'
import { accessWith } from '../../chat/channels/channel-access.ts'
import { membersNamed, membersOfChannels } from '../../chat/members/members-of-channels.ts'
import { notifiedOf } from '../../chat/messages/notified-of.ts'
import type { ChannelRow, MemberRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'

/** In larger channels a message is pushed only to those whom it names and those who take part in its thread. */
export const PUSHED_TO_ALL = 2_000

/** The event of a due reminder for its owner. */
export const REMINDER_DUE = 'notification.reminder_due'

/** An event about a message, as its watchers receive it; for a reminder, as its owner does. */
export interface PushedEvent {
  type: string
  cid?: string
  channel_member_count?: number
  skip_push?: boolean
  user?: User
  user_id?: string
  message?: {
    id: string
    type?: string
    user?: User | null
    silent?: boolean
    parent_id?: string | null
    show_in_channel?: boolean
    mentioned_users?: User[]
    quoted_message?: { created_at: string } | null
  }
  thread_participants?: User[]
}

/** Message types that are pushed: neither a command's result nor a blocked message. */
const said: ReadonlySet<string> = new Set(['regular', 'reply', 'system'])

/** Whether an event is pushed at all, by its own fields [DEV-11, administration.md 8.5]. */
export function isPushed(app: App, { cid, message, skip_push }: PushedEvent): boolean {
  if (cid === undefined || !message || skip_push || message.silent) return false
  return (
    said.has(message.type ?? '') && app.types.get(cid.slice(0, cid.indexOf(':')))?.config.push_notifications === true
  )
}

/**
 * Those an event is pushed to and no others; undefined for one that concerns all members. A reaction concerns who wrote
 * the message, a reminder who wanted it.
 */
function namedIn(event: PushedEvent): string[] | undefined {
  const { type, message, user_id, thread_participants = [], channel_member_count: members = 0 } = event
  if (type === REMINDER_DUE) return user_id === undefined ? [] : [user_id]
  if (type.startsWith('reaction.')) return message?.user ? [message.user.id] : []
  const inThread = Boolean(message?.parent_id) && !message?.show_in_channel
  if (!inThread && members <= PUSHED_TO_ALL) return undefined
  return [...new Set([...thread_participants, ...(message?.mentioned_users ?? [])].map(({ id }) => id))]
}

/**
 * The newest members of each channel, and all of them where an event is pushed to all; and those that others name. The
 * number of queries does not grow with the events.
 */
export async function membersConcerned(
  server: Server,
  app: App,
  cids: readonly string[],
  pushed: readonly PushedEvent[],
): Promise<{ newest: MemberRow[]; named: MemberRow[] }> {
  const toAll = new Set(pushed.flatMap((event) => (namedIn(event) ? [] : event.cid!)))
  const few = cids.filter((cid) => !toAll.has(cid))
  const newest = [
    ...(await membersOfChannels(server, app.id, [...toAll], { limit: PUSHED_TO_ALL, offset: 0 })),
    ...(await membersOfChannels(server, app.id, few, { limit: HOOK_MEMBERS, offset: 0 })),
  ]
  const known = new Set(newest.map(({ cid, user_id }) => `${cid}|${user_id}`))
  const places = new Map(
    pushed.flatMap((event) =>
      (namedIn(event) ?? []).map((user_id) => [`${event.cid}|${user_id}`, { cid: event.cid!, user_id }] as const),
    ),
  )
  const missing = [...places].flatMap(([key, place]) => (known.has(key) ? [] : place))
  return { newest, named: missing.length === 0 ? [] : await membersNamed(server, app.id, missing) }
}

/**
 * The recipients of pushes: members other than the event's user, who want to be notified and may read it [DEV-11]. One
 * query for those of them who are not cached.
 *
 * @param members  of all the channels concerned
 * @param pushed   the events that may be pushed
 * @param isDoNotDisturb  whether a user has turned on do not disturb
 */
export async function pushRecipients(
  server: Server,
  app: App,
  members: readonly MemberRow[],
  pushed: readonly PushedEvent[],
  isMuted: (member: MemberRow, event: PushedEvent) => boolean,
  which: 'all' | 'offline',
): Promise<(event: PushedEvent) => string[]> {
  const users = await server.users.getAll(
    app.id,
    members.map(({ user_id }) => user_id),
  )
  const byCid = Map.groupBy(members, ({ cid }) => cid)
  const sees = await notifiedOf(
    server,
    app.id,
    pushed.flatMap(({ message }) => message?.id ?? []),
  )
  const withTenants = app.settings.multi_tenant_enabled
  const channels = withTenants ? await server.channels.getAll(app.id, [...byCid.keys()]) : new Map<string, ChannelRow>()
  /** Not those who have left the team of the channel, unless they may read it all the same. */
  const isLetIn = (member: MemberRow) => {
    const channel = channels.get(member.cid)
    const user = users.get(member.user_id)!
    if (!channel || app.sharesTeam(user, channel.team)) return true
    return accessWith(server, channel, false, user, member).can('read-channel')
  }
  const isThere = (id: string) => {
    const user = users.get(id)
    if (!user || user.deleted_at !== null || user.deactivated_at !== null) return false
    return which === 'all' || !server.presence.isOnline(app.id, id)
  }
  return (event) => {
    const named = namedIn(event)
    const seenBy = sees(event.message?.id)
    return (byCid.get(event.cid!) ?? [])
      .filter((member) => {
        const { user_id: id, status } = member
        if (id === event.user?.id || (status !== 'member' && status !== 'accepted')) return false
        if (named && !named.includes(id)) return false
        if (!seenBy(member)) return false
        return isThere(id) && isLetIn(member) && !isMuted(member, event)
      })
      .map(({ user_id }) => user_id)
  }
}
