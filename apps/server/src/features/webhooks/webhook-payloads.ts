import { isBuiltInEvent } from '@parley/protocol/events'
import type { PendingMethod } from '@parley/protocol/hooks'
import { HOOK_MEMBERS } from '@parley/protocol/limits'
import type { PendingMessage } from '@parley/protocol/messages'
import type { User } from '@parley/protocol/users'
import type { App } from '../../chat/apps/app.ts'
import type { Webhook } from '../../chat/apps/webhook-settings.ts'
import { memberWire } from '../../chat/members/member-wire.ts'
import { shadowedAmong } from '../../chat/messages/shadowed-among.ts'
import { unreadStatesOfUsers } from '../../chat/reads/counting.ts'
import { threadTotals } from '../../chat/threads/thread-totals.ts'
import { userSummariesOf } from '../../chat/users/user-summaries.ts'
import type { MemberRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { notificationMutes } from '../devices/notification-mutes.ts'
import { isPushed, membersConcerned, type PushedEvent, pushRecipients } from '../devices/push-recipients.ts'
import type { Delivery } from './enqueue-webhooks.ts'

interface WebhookEvent extends PushedEvent {
  channel?: { created_by?: User | null }
}

/**
 * The payload of each event for a webhook: the socket event with the members of its channel, and their unread counts
 * [administration.md 13.4]. The number of queries grows neither with the events nor with the members.
 */
export async function webhookPayloads(
  server: Server,
  app: App,
  webhook: Webhook,
  deliveries: readonly Delivery[],
): Promise<string[]> {
  const { read, dialect } = server.database
  const bodies = deliveries.map(({ body }) => JSON.parse(body) as WebhookEvent)
  const events = bodies.map(ours)
  const cids = [...new Set(events.flatMap(({ cid }) => cid ?? []))]
  const pushed = webhook.pushRecipients
    ? events.filter((event) => event.type === 'message.new' && isPushed(app, event))
    : []
  const members = await membersConcerned(server, app, cids, pushed)
  const shown = [...Map.groupBy(members.newest, ({ cid }) => cid)].map(
    ([cid, all]) => [cid, all.slice(-HOOK_MEMBERS)] as const,
  )
  const byCid = new Map(shown)
  const ids = new Set([
    ...shown.flatMap(([, rows]) => rows.map(({ user_id }) => user_id)),
    ...events.flatMap(({ user }) => user?.id ?? []),
  ])
  const allMembers = [...members.newest, ...members.named]
  const userSummaries = await userSummariesOf(server, app.id, [...ids, ...allMembers.map(({ user_id }) => user_id)])
  const unreadState = await unreadStatesOfUsers(read, dialect, app, [...ids])
  const threads = await threadTotals(read, dialect, app, [...ids])
  const isMuted = await notificationMutes(server, app, allMembers)
  const messageIds = events.flatMap(({ message }) => message?.id ?? [])
  const shadowed = messageIds.length === 0 ? new Set() : await shadowedAmong(server, app.id, messageIds)
  const recipients =
    pushed.length > 0
      ? await pushRecipients(server, app, allMembers, pushed, isMuted, webhook.pushRecipients!)
      : () => []

  const counted = (user: User, cid: string | undefined) => {
    const { unread, channels, inChannel } = unreadState(user.id, cid)
    return {
      ...user,
      ...(inChannel && { channel_unread_count: inChannel.unread, channel_last_read_at: inChannel.lastRead }),
      total_unread_count: unread,
      unread_count: unread,
      unread_channels: channels,
      ...threads(user.id),
    }
  }
  return events.map((event, i) => {
    const { cid, user, channel, message } = event
    const memberOf = (row: MemberRow) => ({
      ...memberWire(row, userSummaries.of(row.user_id), channel?.created_by?.id ?? ''),
      user: counted(userSummaries.of(row.user_id), cid),
      notifications_muted: isMuted(row, event),
    })
    const isShadowed = message !== undefined && shadowed.has(message.id)
    return JSON.stringify({
      ...bodies[i]!,
      // The author's own event does not show that the message is shadowed.
      ...(isShadowed && { message: { ...message, shadowed: true } }),
      ...(user && { user: counted(user, cid) }),
      ...(cid !== undefined && { members: (byCid.get(cid) ?? []).map(memberOf) }),
      ...(webhook.pushRecipients &&
        event.type === 'message.new' && {
          push_recipients: pushed.includes(event) ? recipients(event) : [],
        }),
      ...(deliveries[i]!.cause && { request_info: deliveries[i]!.cause }),
    })
  })
}

/** The fields the server itself sets in an event: in a custom event, a client may have set any others. */
function ours(event: WebhookEvent): WebhookEvent {
  if (isBuiltInEvent(event.type)) return event
  const { type, cid, user } = event
  return { type, ...(cid !== undefined && { cid }), ...(user && { user }) }
}

/** The body and URL of a call about a pending message [administration.md 13.8]. */
export function pendingCall(webhook: Webhook, { body, cause }: Delivery): { url: string; body: string } {
  const { method, message, metadata }: { method: PendingMethod } & PendingMessage = JSON.parse(body)
  const url = new URL(webhook.url)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${method}`
  return { url: url.href, body: JSON.stringify({ message, metadata: metadata ?? {}, request_info: cause }) }
}
