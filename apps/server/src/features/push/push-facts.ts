import { splitCid } from '@parley/protocol/cid'
import type { Device } from '@parley/protocol/devices'
import { HOOK_MEMBERS } from '@parley/protocol/limits'
import type { User } from '@parley/protocol/users'
import type { App } from '../../chat/apps/app.ts'
import { channelWire, usersOfChannel } from '../../chat/channels/channel-wire.ts'
import { withoutHiddenQuote } from '../../chat/messages/hidden-quotes.ts'
import { userSummariesOf } from '../../chat/users/user-summaries.ts'
import type { Server } from '../../server.ts'
import { notificationMutes } from '../devices/notification-mutes.ts'
import {
  isPushed,
  membersConcerned,
  type PushedEvent,
  pushRecipients,
  REMINDER_DUE,
} from '../devices/push-recipients.ts'
import type { PushContext } from './push-content.ts'

/** An event as it was kept for phones. */
export type PhoneEvent = PushedEvent & {
  reaction?: object
  reminder?: { message?: PushedEvent['message'] }
}

/** The recipients of some events, and the template data for each. */
export interface Facts {
  /** The recipients, in a stable order. */
  recipients(event: PhoneEvent): string[]
  context(event: PhoneEvent, receiverId: string, totals: { unread: number; channels: number }): PushContext
}

/** A reminder's event carries its message; events without a user are by the message's author. */
export function withMessage(event: PhoneEvent): PhoneEvent {
  if (event.reminder?.message) return { ...event, message: event.reminder.message }
  const author = event.message?.user
  return event.user || !author ? event : { ...event, user: author }
}

/** Looks up what pushes for these events need. The number of queries grows neither with them nor with members. */
export async function pushFacts(server: Server, app: App, events: readonly PhoneEvent[]): Promise<Facts> {
  const pushed = events.filter((event) => isPushed(app, event))
  const cids = [...new Set(events.flatMap(({ cid }) => cid ?? []))]
  const { newest, named } = await membersConcerned(server, app, cids, pushed)
  const members = [...newest, ...named]
  const channels = await server.channels.getAll(app.id, cids)
  const userSummaries = await userSummariesOf(server, app.id, [
    ...members.map(({ user_id }) => user_id),
    ...[...channels.values()].flatMap(usersOfChannel),
  ])
  const isMuted = await notificationMutes(server, app, members)
  const isOffline = app.settings.push_config.offline_only || app.settings.push_config.version === 'v1'
  const recipients = await pushRecipients(
    server,
    app,
    members,
    pushed,
    // A reminder ignores the member's push preference for other users' messages.
    (member, event) => isMuted(member, event.type === REMINDER_DUE ? { cid: event.cid! } : event),
    isOffline ? 'offline' : 'all',
  )
  const byCid = Map.groupBy(newest, ({ cid }) => cid)
  const people = new Map(
    [...byCid].map(([cid, rows]) => [cid, rows.slice(-HOOK_MEMBERS).map(({ user_id }) => userSummaries.of(user_id))]),
  )
  const hiddenTo = new Map(members.map(({ cid, user_id, hide_before }) => [`${cid}|${user_id}`, hide_before ?? 0]))
  return {
    recipients(event) {
      if (!pushed.includes(event)) return []
      return [...new Set(recipients(event))].sort()
    },
    context(event, receiverId, { unread, channels: unreadChannels }) {
      const channel = channels.get(event.cid!)
      const { config: _, ...shown } = channel ? channelWire(server, channel, userSummaries) : { config: undefined }
      const members = people.get(event.cid!) ?? []
      const message =
        event.message && withoutHiddenQuote(event.message, hiddenTo.get(`${event.cid}|${receiverId}`) ?? 0)
      return contextOf({ ...event, ...(message && { message }) }, userSummaries.of(receiverId), {
        members,
        channel: shown,
        unread,
        unreadChannels,
      })
    },
  }
}

interface About {
  members: User[]
  channel: object
  unread: number
  unreadChannels: number
}

/** The data of a template; for a reminder it has the message's author. */
function contextOf(event: PhoneEvent, receiver: User, about: About): PushContext {
  const { type, cid, user, reaction } = event
  const message = event.message as PushContext['message'] & { user?: User | null }
  const mentioned = message.mentioned_users ?? []
  return {
    event_type: type,
    sender: user ?? message.user ?? receiver,
    receiver,
    message,
    channel: { ...about.channel, ...splitCid(cid!), cid: cid! },
    members: about.members,
    otherMembers: about.members.filter(({ id }) => id !== receiver.id),
    ...(reaction && { reaction }),
    unread_count: about.unread,
    unread_channels: about.unreadChannels,
    isThread: Boolean(message.parent_id),
    isMentioned: mentioned.some(({ id }) => id === receiver.id),
  }
}

/** Whether a device receives message pushes: VoIP and disabled ones do not. */
export function isForMessages({ disabled, voip }: Device): boolean {
  return !disabled && !voip
}
